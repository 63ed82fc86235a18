package io.github.collapseexecutor.http.servlet;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/** What Servlet 6.1 has added to the API, which this is not compiled against. */
final class Servlet61 {

    private static final @Nullable MethodHandle SEND_REDIRECT =
            find("sendRedirect", MethodType.methodType(void.class, String.class, int.class, boolean.class));

    private Servlet61() {}

    private static @Nullable MethodHandle find(String name, MethodType type) {
        try {
            return MethodHandles.publicLookup().findVirtual(HttpServletResponse.class, name, type);
        } catch (NoSuchMethodException e) {
            return null; // Servlet 6.0
        } catch (IllegalAccessException e) {
            throw new LinkageError("HttpServletResponse is not accessible", e);
        }
    }

    /** Whether it is there. */
    static boolean isThere() {
        return SEND_REDIRECT != null;
    }

    static void sendRedirect(HttpServletResponse response, String location, int status, boolean clearBuffer)
            throws IOException {
        if (SEND_REDIRECT == null) {
            throw new UnsupportedOperationException("This redirect comes with Servlet 6.1");
        }
        try {
            SEND_REDIRECT.invokeExact(response, location, status, clearBuffer);
        } catch (IOException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new LinkageError("The redirect throws what it does not declare", e);
        }
    }
}
