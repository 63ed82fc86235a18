package io.github.collapseexecutor.spring.annotation.caller;

import io.github.collapseexecutor.spring.annotation.key.SecurityUser;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.context.SecurityContextHolderStrategy;
import org.springframework.util.function.SingletonSupplier;

/**
 * Spring Security's users of threads. They are looked for where Spring Security's filters and its method security look: in the application's
 * strategy, if that is a bean, else in the strategy of the static holder.
 */
final class ThreadUsers {

    // immutable
    private final Supplier<Optional<SecurityContextHolderStrategy>> bean;

    ThreadUsers(BeanFactory beans) {
        ObjectProvider<SecurityContextHolderStrategy> present =
                beans.getBeanProvider(SecurityContextHolderStrategy.class);
        this.bean = SingletonSupplier.of(() -> Optional.ofNullable(present.getIfUnique()));
    }

    /** The static holder may be given another strategy at any time. */
    private SecurityContextHolderStrategy strategy() {
        return bean.get().orElseGet(SecurityContextHolder::getContextHolderStrategy);
    }

    /** The user of this thread; null without one. */
    @Nullable Object current() {
        return SecurityUser.of(strategy().getContext().getAuthentication());
    }

    /**
     * Takes the user of this thread, for a call that another thread may make.
     *
     * @param other runs the call as this user
     */
    CallerThread thread(CallerThread other) {
        SecurityContextHolderStrategy strategy = strategy();
        Authentication user = strategy.getContext().getAuthentication();
        return new CallerThread() {
            @Override
            public <T extends @Nullable Object> T run(Callable<T> call) throws Exception {
                return as(strategy, user, () -> other.run(call));
            }
        };
    }

    private static <T extends @Nullable Object> T as(
            SecurityContextHolderStrategy strategy, @Nullable Authentication user, Callable<T> call) throws Exception {
        SecurityContext before = strategy.getContext();
        SecurityContext own = strategy.createEmptyContext();
        own.setAuthentication(user);
        strategy.setContext(own);
        try {
            return call.call();
        } finally {
            if (before.getAuthentication() == null) {
                strategy.clearContext();
            } else {
                strategy.setContext(before);
            }
        }
    }
}
