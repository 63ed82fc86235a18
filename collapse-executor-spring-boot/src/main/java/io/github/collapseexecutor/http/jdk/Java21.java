package io.github.collapseexecutor.http.jdk;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.UndeclaredThrowableException;
import java.net.http.HttpClient;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The public methods that {@link HttpClient} has since Java 21, for a class that is compiled for Java 17. There,
 * {@code HttpClient.close()} is made of them.
 */
final class Java21 {

    private static final @Nullable MethodHandle SHUTDOWN = find("shutdown", void.class);
    private static final @Nullable MethodHandle SHUTDOWN_NOW = find("shutdownNow", void.class);
    private static final @Nullable MethodHandle AWAIT_TERMINATION =
            find("awaitTermination", boolean.class, Duration.class);
    private static final @Nullable MethodHandle IS_TERMINATED = find("isTerminated", boolean.class);

    private Java21() {}

    static void shutdown(HttpClient client) {
        call(SHUTDOWN, client);
    }

    static void shutdownNow(HttpClient client) {
        call(SHUTDOWN_NOW, client);
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
        return Boolean.TRUE.equals(call(IS_TERMINATED, client));
    }

    private static @Nullable MethodHandle find(String name, Class<?> result, Class<?>... parameters) {
        try {
            return MethodHandles.publicLookup()
                    .findVirtual(HttpClient.class, name, MethodType.methodType(result, parameters));
        } catch (NoSuchMethodException e) {
            return null; // Java 17 to 20
        } catch (IllegalAccessException e) {
            throw new LinkageError("HttpClient." + name + " is not public", e);
        }
    }

    private static MethodHandle present(@Nullable MethodHandle method) {
        if (method == null) {
            throw new UnsupportedOperationException("HttpClient cannot be shut down before Java 21");
        }
        return method;
    }

    private static @Nullable Object call(@Nullable MethodHandle method, HttpClient client) {
        try {
            return present(method).invoke(client);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new UndeclaredThrowableException(e);
        }
    }
}
