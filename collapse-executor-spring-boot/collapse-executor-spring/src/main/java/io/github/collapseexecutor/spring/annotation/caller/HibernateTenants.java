package io.github.collapseexecutor.spring.annotation.caller;

import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.hibernate.context.spi.CurrentTenantIdentifierResolver;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.HierarchicalBeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.function.SingletonSupplier;

/**
 * The tenants of a thread for which Hibernate opens its sessions. They are told by the factories of sessions: those that are there when the first
 * call comes, in this context and in those above, and those that are made later. A factory may be made before the post-processor sees
 * beans, because another post-processor or the rules of method security read from the database.
 */
final class HibernateTenants {

    /** Where a resolver knows no tenant for the thread. */
    private static final String NONE = "none";

    /** A factory of sessions; what tells its tenants is found out with the first call, because a factory may be made in the background. */
    private record Factory(
            EntityManagerFactory sessions, Supplier<Optional<CurrentTenantIdentifierResolver<?>>> resolver) {

        Factory(EntityManagerFactory sessions) {
            this(sessions, SingletonSupplier.of(() -> resolverOf(sessions)));
        }
    }

    // immutable
    private final Supplier<List<Factory>> unseen;

    // mutable, thread-safe
    private final List<Factory> seen = new CopyOnWriteArrayList<>();

    HibernateTenants(ConfigurableListableBeanFactory beans) {
        this.unseen = SingletonSupplier.of(() -> unseen(beans));
    }

    /** Takes a bean into account if it opens sessions. */
    void look(Object bean) {
        if (bean instanceof EntityManagerFactory factory) {
            seen.add(new Factory(factory));
        }
    }

    private List<Factory> unseen(ConfigurableListableBeanFactory beans) {
        List<EntityManagerFactory> present = new ArrayList<>();
        for (String name : beans.getBeanNamesForType(EntityManagerFactory.class, false, false)) {
            if (beans.containsSingleton(name)) { // one that waits to be needed is seen when it is made
                present.add(beans.getBean(name, EntityManagerFactory.class));
            }
        }
        for (BeanFactory parent = beans.getParentBeanFactory();
                parent instanceof ListableBeanFactory level;
                parent = parent instanceof HierarchicalBeanFactory below ? below.getParentBeanFactory() : null) {
            present.addAll(level.getBeansOfType(EntityManagerFactory.class, false, false)
                    .values());
        }
        return present.stream()
                .filter(factory -> seen.stream().noneMatch(known -> known.sessions() == factory))
                .map(Factory::new)
                .toList();
    }

    /** Returns the tenants of this thread; empty where there are no tenants at all. With equals. */
    List<@Nullable Object> current() {
        List<@Nullable Object> tenants = new ArrayList<>(1);
        addTenants(unseen.get(), tenants);
        addTenants(seen, tenants);
        return tenants;
    }

    private static void addTenants(List<Factory> factories, List<@Nullable Object> tenants) {
        for (Factory factory : factories) {
            factory.resolver().get().ifPresent(resolver -> tenants.add(tenantOf(resolver)));
        }
    }

    private static Optional<CurrentTenantIdentifierResolver<?>> resolverOf(EntityManagerFactory factory) {
        if (!factory.isOpen()) {
            return Optional.empty();
        }
        try {
            SessionFactoryImplementor sessions = factory.unwrap(SessionFactoryImplementor.class);
            return Optional.ofNullable(sessions.getSessionFactoryOptions().getCurrentTenantIdentifierResolver());
        } catch (PersistenceException notOfHibernate) {
            return Optional.empty();
        }
    }

    /** A method that opens no session runs without a tenant, too; one that does fails by itself. */
    private static @Nullable Object tenantOf(CurrentTenantIdentifierResolver<?> resolver) {
        try {
            return resolver.resolveCurrentTenantIdentifier();
        } catch (RuntimeException unknown) {
            return NONE;
        }
    }
}
