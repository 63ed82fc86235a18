package io.github.collapseexecutor.spring.annotation.caller;

import io.github.collapseexecutor.spring.annotation.CallerIdentity;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * Tells on whose behalf a call is made: Spring Security's current user, the tenant for which Hibernate opens sessions, the language and
 * time zone of the thread, and what the beans of the application say.
 */
public final class CallerIdentities {

    private static final boolean SECURITY =
            isPresent("org.springframework.security.core.context.SecurityContextHolder");
    private static final boolean HIBERNATE = isPresent("org.hibernate.context.spi.CurrentTenantIdentifierResolver");

    // immutable
    private final Supplier<List<CallerIdentity>> beans;
    private final CallersBeans callersBeans;
    /** Null without Spring Security. */
    private final @Nullable ThreadUsers users;
    /** Null without Hibernate. */
    private final @Nullable HibernateTenants tenants;

    public CallerIdentities(ConfigurableListableBeanFactory factory) {
        ObjectProvider<CallerIdentity> present = factory.getBeanProvider(CallerIdentity.class);
        this.beans = SingletonSupplier.of(() -> present.orderedStream().toList());
        this.callersBeans = new CallersBeans(factory);
        this.users = SECURITY ? new ThreadUsers(factory) : null;
        this.tenants = HIBERNATE ? new HibernateTenants(factory) : null;
    }

    private static boolean isPresent(String type) {
        return ClassUtils.isPresent(type, CallerIdentities.class.getClassLoader());
    }

    /** Takes into account what a bean says of callers. */
    public void look(Object bean) {
        if (tenants != null) {
            tenants.look(bean);
        }
    }

    /**
     * Returns what this thread's calls may share with calls of others; with equals.
     *
     * @param acrossUsers whether Spring Security's users share; all the rest counts nevertheless
     */
    public Object current(boolean acrossUsers) {
        List<@Nullable Object> identities = new ArrayList<>(4);
        identities.add(ThreadLocale.current());
        if (users != null && !acrossUsers) {
            identities.add(users.current());
        }
        identities.addAll(ofThread());
        return identities;
    }

    /** The part that only the application can carry to another thread. */
    private List<@Nullable Object> ofThread() {
        List<@Nullable Object> identities = new ArrayList<>(2);
        if (tenants != null) {
            identities.addAll(tenants.current());
        }
        for (CallerIdentity bean : beans.get()) {
            identities.add(bean.current());
        }
        return identities;
    }

    /**
     * Says what a bean uses that may be another's for each caller, in the words of a message; null if there is no such thing, or if the
     * application says by beans of its own what counts.
     */
    public @Nullable String unseenOf(String beanName) {
        return beans.get().isEmpty() ? callersBeans.usedBy(beanName) : null;
    }

    /**
     * Takes what a method can see of this thread's caller, for a call that another thread may make.
     *
     * @param method the method, as a message names it
     */
    public CallerThread thread(Object method) {
        List<@Nullable Object> ofCaller = ofThread();
        CallerThread same =
                ofCaller.isEmpty() ? CallerThread.NONE : new CheckedThread(method, ofCaller, this::ofThread);
        return new ThreadLocale(users == null ? same : users.thread(same));
    }
}
