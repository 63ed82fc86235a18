package io.github.collapseexecutor.spring.annotation;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.util.ClassUtils;
import org.springframework.util.function.SingletonSupplier;

/** Tells on whose behalf a call is made: Spring Security's current user, and what the beans of the application say. */
final class CallerIdentities {

    private static final boolean SECURITY = ClassUtils.isPresent(
            "org.springframework.security.core.context.SecurityContextHolder", CallerIdentities.class.getClassLoader());

    // immutable
    private final Supplier<List<CallerIdentity>> beans;

    CallerIdentities(ObjectProvider<CallerIdentity> beans) {
        this.beans = SingletonSupplier.of(() -> beans.orderedStream().toList());
    }

    /** Returns what this thread's calls may share with calls of others; with equals. */
    Object current() {
        List<@Nullable Object> identities = new ArrayList<>(2);
        if (SECURITY) {
            identities.add(SecurityUser.current());
        }
        for (CallerIdentity bean : beans.get()) {
            identities.add(bean.current());
        }
        return identities;
    }

    /** Takes what the method can see of this thread's user, for a call that another thread may make. */
    static CallerThread thread() {
        return SECURITY ? SecurityUser.thread() : CallerThread.NONE;
    }
}
