package io.github.collapseexecutor.spring.annotation;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.util.ClassUtils;
import org.springframework.util.function.SingletonSupplier;

/** Tells on whose behalf a call is made: Spring Security's current user, and what the beans of the application say. */
final class CallerIdentities {

    private static final boolean SECURITY = ClassUtils.isPresent(
            "org.springframework.security.core.context.SecurityContextHolder", CallerIdentities.class.getClassLoader());

    // immutable
    private final Supplier<List<CallerIdentity>> beans;
    /** Null without Spring Security. */
    private final @Nullable ThreadUsers users;

    CallerIdentities(BeanFactory factory) {
        ObjectProvider<CallerIdentity> present = factory.getBeanProvider(CallerIdentity.class);
        this.beans = SingletonSupplier.of(() -> present.orderedStream().toList());
        this.users = SECURITY ? new ThreadUsers(factory) : null;
    }

    /**
     * Returns what this thread's calls may share with calls of others; with equals.
     *
     * @param acrossUsers whether Spring Security's users share; what the beans say counts nevertheless
     */
    Object current(boolean acrossUsers) {
        List<@Nullable Object> identities = new ArrayList<>(2);
        if (users != null && !acrossUsers) {
            identities.add(users.current());
        }
        for (CallerIdentity bean : beans.get()) {
            identities.add(bean.current());
        }
        return identities;
    }

    /** Takes what the method can see of this thread's user, for a call that another thread may make. */
    CallerThread thread() {
        return users == null ? CallerThread.NONE : users.thread();
    }
}
