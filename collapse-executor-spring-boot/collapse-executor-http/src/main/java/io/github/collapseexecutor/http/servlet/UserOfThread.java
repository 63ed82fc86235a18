package io.github.collapseexecutor.http.servlet;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * The user that Spring Security knows for the calling thread. Its filters need not show it by the request: an application can switch
 * that off ({@code servletApi().disable()}), and a filter of its own may set it. It is found by name, because this package does without
 * Spring.
 */
final class UserOfThread {

    private static final String SECURITY = "org.springframework.security.";

    private static final @Nullable Method CONTEXT = method("core.context.SecurityContextHolder", "getContext");
    private static final @Nullable Method AUTHENTICATION = method("core.context.SecurityContext", "getAuthentication");
    private static final @Nullable Class<?> NOBODY = typeOfSecurity("authentication.AnonymousAuthenticationToken");

    private UserOfThread() {}

    /** Returns a class of Spring Security by its name below the package of that; null where it is absent. */
    static @Nullable Class<?> typeOfSecurity(String name) {
        try {
            return Class.forName(SECURITY + name, false, UserOfThread.class.getClassLoader());
        } catch (ClassNotFoundException | LinkageError absent) {
            return null;
        }
    }

    private static @Nullable Method method(String type, String name) {
        try {
            Class<?> owner = typeOfSecurity(type);
            return owner == null ? null : owner.getMethod(name);
        } catch (NoSuchMethodException | LinkageError absent) {
            return null;
        }
    }

    /** Whether somebody is logged in; if that cannot be found out, somebody is. */
    static boolean isThere() {
        if (CONTEXT == null || AUTHENTICATION == null) {
            return false;
        }
        try {
            Object context = CONTEXT.invoke(null);
            Object authentication = context == null ? null : AUTHENTICATION.invoke(context);
            return authentication != null && (NOBODY == null || !NOBODY.isInstance(authentication));
        } catch (IllegalAccessException | InvocationTargetException notToBeFoundOut) {
            return true;
        }
    }
}
