package io.github.collapseexecutor.http.jdk;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.UndeclaredThrowableException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The methods that {@link HttpClient} has since Java 21 and {@link HttpResponse} since Java 25, for classes that are compiled for Java 17. */
final class LaterMethods {

    private static final @Nullable MethodHandle SHUTDOWN = find(HttpClient.class, "shutdown", void.class);
    private static final @Nullable MethodHandle SHUTDOWN_NOW = find(HttpClient.class, "shutdownNow", void.class);
    private static final @Nullable MethodHandle AWAIT_TERMINATION =
            find(HttpClient.class, "awaitTermination", boolean.class, Duration.class);
    private static final @Nullable MethodHandle IS_TERMINATED = find(HttpClient.class, "isTerminated", boolean.class);
    private static final @Nullable MethodHandle CONNECTION_LABEL =
            find(HttpResponse.class, "connectionLabel", Optional.class);

    private LaterMethods() {}

    static void shutdown(HttpClient client) {
        call(present(SHUTDOWN), client);
    }

    static void shutdownNow(HttpClient client) {
        call(present(SHUTDOWN_NOW), client);
    }

    static boolean awaitTermination(HttpClient client, Duration duration) throws InterruptedException {
        try {
            return (boolean) present(AWAIT_TERMINATION).invoke(client, duration);
        } catch (InterruptedException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new UndeclaredThrowableException(e);
        }
    }

    static boolean isTerminated(HttpClient client) {
        return Boolean.TRUE.equals(call(present(IS_TERMINATED), client));
    }

    /** The name of the connection on which a response came; none before Java 25. */
    static Optional<String> connectionLabel(HttpResponse<?> response) {
        return CONNECTION_LABEL != null && call(CONNECTION_LABEL, response) instanceof Optional<?> label
                ? label.map(String.class::cast)
                : Optional.empty();
    }

    private static @Nullable MethodHandle find(Class<?> type, String name, Class<?> result, Class<?>... parameters) {
        try {
            return MethodHandles.publicLookup().findVirtual(type, name, MethodType.methodType(result, parameters));
        } catch (NoSuchMethodException e) {
            return null; // of a later Java
        } catch (IllegalAccessException e) {
            throw new LinkageError(type.getName() + "." + name + " is not public", e);
        }
    }

    private static MethodHandle present(@Nullable MethodHandle method) {
        if (method == null) {
            throw new UnsupportedOperationException("HttpClient cannot be shut down before Java 21");
        }
        return method;
    }

    private static @Nullable Object call(MethodHandle method, Object target) {
        try {
            return method.invoke(target);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new UndeclaredThrowableException(e);
        }
    }
}
