package io.github.collapseexecutor.spring.annotation;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;

/**
 * A user of Spring Security as part of a key. Two authentications are of the same user if {@code equals} says so and sees all there is:
 * an authentication, principal or details of the application's own whose class adds fields below the class that has {@code equals} is
 * compared by identity. The hash is taken once, because credentials are erased.
 */
final class SecurityUser {

    /** All callers that nobody has logged in are one user: they have no rights to tell apart. */
    private record Anonymous(Object principal, Set<GrantedAuthority> authorities) {}

    private static final String OWN = "org.springframework.security.";

    /** Whether equals of a class sees all of its fields. */
    private static final ClassValue<Boolean> SEEN = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return equalsSeesAllOf(type);
        }
    };

    // immutable
    private final Authentication authentication;
    private final int hash;

    private SecurityUser(Authentication authentication) {
        this.authentication = authentication;
        this.hash = String.valueOf(authentication.getName()).hashCode();
    }

    /** The user of this thread; null without one. */
    static @Nullable Object current() {
        return of(SecurityContextHolder.getContext().getAuthentication());
    }

    static @Nullable Object of(@Nullable Authentication authentication) {
        if (authentication == null) {
            return null;
        }
        return authentication.getClass() == AnonymousAuthenticationToken.class
                ? new Anonymous(authentication.getPrincipal(), Set.copyOf(authentication.getAuthorities()))
                : new SecurityUser(authentication);
    }

    static CallerThread thread() {
        Authentication user = SecurityContextHolder.getContext().getAuthentication();
        return new CallerThread() {
            @Override
            public <T extends @Nullable Object> T run(Callable<T> call) throws Exception {
                return as(user, call);
            }
        };
    }

    private static <T extends @Nullable Object> T as(@Nullable Authentication user, Callable<T> call) throws Exception {
        SecurityContext before = SecurityContextHolder.getContext();
        SecurityContext own = SecurityContextHolder.createEmptyContext();
        own.setAuthentication(user);
        SecurityContextHolder.setContext(own);
        try {
            return call.call();
        } finally {
            if (before.getAuthentication() == null) {
                SecurityContextHolder.clearContext();
            } else {
                SecurityContextHolder.setContext(before);
            }
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other == this || (other instanceof SecurityUser user && isSame(user.authentication));
    }

    private boolean isSame(Authentication other) {
        if (other == authentication) {
            return true;
        }
        return other.getClass() == authentication.getClass()
                && isSeen(authentication)
                && isSameOrSeen(authentication.getPrincipal(), other.getPrincipal())
                && isSameOrSeen(authentication.getDetails(), other.getDetails())
                && authentication.equals(other);
    }

    private static boolean isSameOrSeen(@Nullable Object mine, @Nullable Object others) {
        return mine == others
                || (mine != null && others != null && mine.getClass() == others.getClass() && isSeen(mine));
    }

    private static boolean isSeen(Object part) {
        return SEEN.get(part.getClass());
    }

    private static boolean equalsSeesAllOf(Class<?> type) {
        if (type.getName().startsWith(OWN) || type.getName().startsWith("java.")) {
            return true;
        }
        try {
            Class<?> comparing = type.getMethod("equals", Object.class).getDeclaringClass();
            for (Class<?> below = type; below != null && below != comparing; below = below.getSuperclass()) {
                if (Arrays.stream(below.getDeclaredFields()).anyMatch(SecurityUser::isState)) {
                    return false;
                }
            }
            return true;
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException("every class has equals: " + type, e);
        }
    }

    private static boolean isState(Field field) {
        return !Modifier.isStatic(field.getModifiers()) && !field.isSynthetic();
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
