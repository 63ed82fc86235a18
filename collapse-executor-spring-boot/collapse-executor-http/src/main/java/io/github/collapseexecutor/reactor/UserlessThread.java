package io.github.collapseexecutor.reactor;

import java.util.function.Supplier;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;

/**
 * Makes a call as if the thread had no user: without Spring Security's and without the request that Spring MVC is about to answer. Filters
 * of {@code WebClient} look there for tokens, and Spring Security puts both into Reactor contexts that lack them.
 */
final class UserlessThread {

    private static final boolean SECURITY =
            isPresent("org.springframework.security.core.context.SecurityContextHolder");
    private static final boolean REQUESTS = isPresent("org.springframework.web.context.request.RequestContextHolder");

    private UserlessThread() {}

    private static boolean isPresent(String type) {
        try {
            Class.forName(type, false, UserlessThread.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException | LinkageError absent) {
            return false;
        }
    }

    static <T> T call(Supplier<T> call) {
        Supplier<T> withoutRequest = REQUESTS ? () -> Requests.without(call) : call;
        return SECURITY ? Security.without(withoutRequest) : withoutRequest.get();
    }

    /** A class of its own, so that Spring Security is not missed. */
    private static final class Security {

        private Security() {}

        static <T> T without(Supplier<T> call) {
            if (isOfAllThreads()) {
                return call.get();
            }
            // Not loaded: it may be in a session
            Supplier<SecurityContext> before = SecurityContextHolder.getDeferredContext();
            SecurityContextHolder.clearContext();
            try {
                return call.get();
            } finally {
                SecurityContextHolder.setDeferredContext(before);
            }
        }

        /** Then there is one user, whom no other thread may miss. */
        private static boolean isOfAllThreads() {
            return SecurityContextHolder.getContextHolderStrategy()
                    .getClass()
                    .getSimpleName()
                    .startsWith("Global");
        }
    }

    /** A class of its own, so that Spring's web support is not missed. */
    private static final class Requests {

        private Requests() {}

        static <T> T without(Supplier<T> call) {
            RequestAttributes before = RequestContextHolder.getRequestAttributes();
            if (before == null) {
                return call.get();
            }
            RequestContextHolder.resetRequestAttributes();
            try {
                return call.get();
            } finally {
                RequestContextHolder.setRequestAttributes(before);
            }
        }
    }
}
