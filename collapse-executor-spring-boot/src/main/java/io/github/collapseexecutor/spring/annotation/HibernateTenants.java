package io.github.collapseexecutor.spring.annotation;

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
import org.springframework.util.function.SingletonSupplier;

/** The tenants of a thread for which Hibernate opens its sessions. */
final class HibernateTenants {

    /** Where a resolver knows no tenant for the thread. */
    private static final String NONE = "none";

    // mutable, thread-safe
    /** For each factory of sessions what tells its tenants; found out with the first call, because a factory may be made in the background. */
    private final List<Supplier<Optional<CurrentTenantIdentifierResolver<?>>>> factories = new CopyOnWriteArrayList<>();

    /**
     * Looks at the factories of sessions that parents of a context have; its own are shown by {@link #look}.
     *
     * @param beans the context's
     */
    HibernateTenants(BeanFactory beans) {
        for (BeanFactory parent = parentOf(beans);
                parent instanceof ListableBeanFactory level;
                parent = parentOf(parent)) {
            level.getBeansOfType(EntityManagerFactory.class, false, false)
                    .values()
                    .forEach(this::look);
        }
    }

    private static @Nullable BeanFactory parentOf(BeanFactory beans) {
        return beans instanceof HierarchicalBeanFactory level ? level.getParentBeanFactory() : null;
    }

    /** Takes a bean into account if it opens sessions. */
    void look(Object bean) {
        if (bean instanceof EntityManagerFactory factory) {
            factories.add(SingletonSupplier.of(() -> resolverOf(factory)));
        }
    }

    /** Returns the tenants of this thread; empty where there are no tenants at all. With equals. */
    List<@Nullable Object> current() {
        List<@Nullable Object> tenants = new ArrayList<>(1);
        for (Supplier<Optional<CurrentTenantIdentifierResolver<?>>> factory : factories) {
            factory.get().ifPresent(resolver -> tenants.add(tenantOf(resolver)));
        }
        return tenants;
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
