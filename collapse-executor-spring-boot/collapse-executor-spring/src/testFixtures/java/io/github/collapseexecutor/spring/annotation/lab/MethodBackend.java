package io.github.collapseexecutor.spring.annotation.lab;

import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.context.i18n.LocaleContextHolder;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** What the methods of the lab ask: its answers follow from the arguments and from what the method may see of its caller. */
public final class MethodBackend {

    /** What a method may see of its caller. */
    enum Sight {
        USER,
        LOCALE,
        ZONE,
        TENANT,
        SCOPED,
        TRANSACTION
    }

    /** An item that is a record. */
    public record Key(long id) {}

    /** An item that is an enum constant. */
    public enum Letter {
        A,
        B,
        C,
        D,
        E
    }

    /** An answer that names its item. */
    public record Content<K>(K id, String text) {}

    /** A checked exception of the application, with a cause. */
    public static final class LabException extends Exception {

        private static final long serialVersionUID = 1;

        LabException(String message) {
            super(message, new IllegalArgumentException("the cause"));
        }
    }

    /** An error of the application. */
    public static final class LabError extends Error {

        private static final long serialVersionUID = 1;

        LabError(String message) {
            super(message);
        }
    }

    /** An object of each thread. */
    public static class Scoped {

        // mutable, confined to a thread
        private String value = "none";

        public String value() {
            return value;
        }

        public void set(String value) {
            this.value = value;
        }
    }

    /** Makes an answer of what a method sees. */
    public interface Body<T extends @Nullable Object> {
        T make(String seen) throws Exception;
    }

    private static final Set<String> FAILURES =
            Set.of("runtime", "checked", "error", "cancelled", "timeout", "interrupted");

    static final ThreadLocal<String> TENANT = ThreadLocal.withInitial(() -> "none");

    private static final ThreadLocal<Boolean> TRIED = ThreadLocal.withInitial(() -> false);

    // immutable
    private final Set<Sight> sights;
    private final boolean unreliable;
    private final ExecutorService pool;
    private final boolean inPool;
    private final Supplier<String> scoped;

    // mutable, thread-safe
    private final AtomicInteger executions = new AtomicInteger();
    private final AtomicLong writes = new AtomicLong();
    private volatile long pauseNanos;

    /**
     * @param sights what the methods look at
     * @param unreliable whether the first attempt of each execution fails
     * @param pool where methods that hand over later go on
     * @param inPool whether they do
     * @param scoped says what the object of the thread has
     */
    MethodBackend(
            Set<Sight> sights, boolean unreliable, ExecutorService pool, boolean inPool, Supplier<String> scoped) {
        this.sights = sights;
        this.unreliable = unreliable;
        this.pool = pool;
        this.inPool = inPool;
        this.scoped = scoped;
    }

    /** The tenant of this thread. */
    public static String tenant() {
        return TENANT.get();
    }

    int executions() {
        return executions.get();
    }

    void pause(long nanos) {
        pauseNanos = nanos;
    }

    /** Changes the data; an answer that is asked for afterwards has at least the number that is returned. */
    long write() {
        return writes.incrementAndGet();
    }

    /** What the method sees on this thread. */
    public String seen() {
        Authentication user = SecurityContextHolder.getContext().getAuthentication();
        return seen(user == null ? "nobody" : user.getName());
    }

    private String seen(String user) {
        StringBuilder seen = new StringBuilder();
        for (Sight sight : sights) {
            seen.append(' ')
                    .append(
                            switch (sight) {
                                case USER -> user;
                                case LOCALE -> LocaleContextHolder.getLocale().toString();
                                case ZONE -> LocaleContextHolder.getTimeZone().getID();
                                case TENANT -> TENANT.get();
                                case SCOPED -> scoped.get();
                                case TRANSACTION ->
                                    String.valueOf(TransactionSynchronizationManager.isActualTransactionActive());
                            });
        }
        return seen.toString();
    }

    /** Begins an execution; fails if the argument says so. */
    public String begin(@Nullable String other) throws Exception {
        executions.incrementAndGet();
        if (unreliable && (other == null || !FAILURES.contains(other))) {
            boolean first = !TRIED.get();
            TRIED.set(first);
            if (first) {
                throw new IllegalStateException("not yet");
            }
        }
        String version = "@" + writes.get();
        if (pauseNanos > 0) {
            LockSupport.parkNanos(pauseNanos);
        }
        if (other != null) {
            fail(other);
        }
        return version;
    }

    private static void fail(String other) throws Exception {
        switch (other) {
            case "runtime" -> throw new IllegalArgumentException(other);
            case "checked" -> throw new LabException(other);
            case "error" -> throw new LabError(other);
            case "cancelled" -> throw new CancellationException(other);
            case "timeout" -> throw new TimeoutException(other);
            case "interrupted" -> throw new InterruptedException(other);
            default -> {}
        }
    }

    /** Returns the answer of one item; null if there is none. */
    public @Nullable String of(Object item, @Nullable String other, String seen, String version) {
        String text = String.valueOf(item);
        return text.contains("4") || text.equals("D") ? null : text + ' ' + other + seen + version;
    }

    /** Makes an answer that is handed over later. */
    public <T extends @Nullable Object> CompletableFuture<T> later(Body<T> body) {
        String seen = seen();
        CompletableFuture<T> later = new CompletableFuture<>();
        Runnable run = () -> {
            try {
                later.complete(body.make(seen));
            } catch (Throwable failure) {
                later.completeExceptionally(failure);
            }
        };
        if (inPool) {
            pool.execute(run);
        } else {
            run.run();
        }
        return later;
    }

    /** Makes an answer for each subscriber. */
    public <T> Mono<T> each(Body<@Nullable T> body) {
        Mono<T> each = ReactiveSecurityContextHolder.getContext()
                .mapNotNull(context -> context.getAuthentication())
                .map(Authentication::getName)
                .defaultIfEmpty("nobody")
                .flatMap(user -> Mono.fromCallable(call(() -> body.make(seen(user)))));
        return inPool ? each.subscribeOn(Schedulers.fromExecutorService(pool)) : each;
    }

    @SuppressWarnings("NullAway") // a callable of Reactor may return null
    private static <T> Callable<T> call(Callable<@Nullable T> call) {
        return call;
    }
}
