package io.github.collapseexecutor.cluster;

import static java.util.Objects.requireNonNull;

import io.github.collapseexecutor.core.LibraryThreads;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.ReactiveRedisConnection;
import org.springframework.data.redis.connection.ReactiveRedisConnectionFactory;
import org.springframework.data.redis.connection.ReturnType;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The connection to Redis: runs the script, within a time, and says to the breaker what came of questions.
 *
 * <p>A connection is opened on a thread of its own, because the factory may block for as long as the network makes it, and
 * is kept until Redis is given up.
 */
final class RedisLink {

    private static final byte[] SCRIPT = script();
    private static final String SCRIPT_SHA = sha1(SCRIPT);

    /** For so long after its time a question is kept, to see how late its answer comes. */
    private static final long LATEST_NANOS = 1_000_000_000;

    // immutable
    private final ReactiveRedisConnectionFactory factory;
    private final Breaker breaker;
    private final AnswerTimes times;

    // mutable, guarded by this
    private boolean closed;
    private @Nullable CompletableFuture<ReactiveRedisConnection> connection;

    RedisLink(ReactiveRedisConnectionFactory factory, Breaker breaker, AnswerTimes times) {
        this.factory = factory;
        this.breaker = breaker;
        this.times = times;
    }

    /** Returns the connection that there is, or the one that is being opened. */
    synchronized CompletableFuture<ReactiveRedisConnection> connection() {
        if (closed) {
            return CompletableFuture.failedFuture(new IllegalStateException("The ClusterCalls were closed"));
        }
        CompletableFuture<ReactiveRedisConnection> current = connection;
        if (current == null || current.isCompletedExceptionally()) {
            current = CompletableFuture.supplyAsync(factory::getReactiveConnection, LibraryThreads.free());
            connection = current;
        }
        return current;
    }

    /** Returns a future of the reason why the connection cannot be opened; of null if it can, or if none is being opened. */
    synchronized CompletableFuture<@Nullable Throwable> failureToConnect() {
        CompletableFuture<ReactiveRedisConnection> current = connection;
        return current == null ? CompletableFuture.completedFuture(null) : current.handle((open, failure) -> failure);
    }

    /** Gives the connection up for good. */
    void close() {
        synchronized (this) {
            closed = true;
        }
        disconnect();
    }

    /** Gives the connection up, unless it is still being opened; another is opened when one is needed. */
    void disconnect() {
        CompletableFuture<ReactiveRedisConnection> given;
        synchronized (this) {
            given = connection;
            if (given == null || (!given.isDone() && !closed)) {
                return;
            }
            connection = null;
        }
        CompletableFuture<Void> unused =
                given.thenAccept(open -> open.closeLater().onErrorComplete().subscribe());
    }

    /**
     * Runs the script on a hash.
     *
     * @param nanos within which it must answer
     * @param arguments a text, a number or bytes each
     * @return what the script returns: numbers, and bytes as {@link ByteBuffer}; or a failure, of which the breaker knows if it was a question
     */
    CompletableFuture<List<Object>> run(long nanos, byte[] name, String operation, Object... arguments) {
        ByteBuffer[] parts = new ByteBuffer[arguments.length + 2];
        parts[0] = ByteBuffer.wrap(name);
        parts[1] = utf8(operation);
        for (int i = 0; i < arguments.length; i++) {
            parts[i + 2] = arguments[i] instanceof byte[] bytes ? ByteBuffer.wrap(bytes) : utf8(arguments[i]);
        }
        long askedAt = System.nanoTime();
        CompletableFuture<List<Object>> answer = new CompletableFuture<>();
        CompletableFuture<ReactiveRedisConnection> open = connection();
        CompletableFuture<Void> unused = open.handle((redis, failure) -> {
            if (failure != null) {
                answer.completeExceptionally(failure);
            } else if (!answer.isDone()) { // else it is too late: what a waiter leaves behind was withdrawn already
                boolean question = operation.equals(ClusterProtocol.ASK);
                send(redis, parts, () -> !question || !answer.isDone(), answer);
            }
            return null;
        });
        Future<?> timer = LibraryThreads.after(
                nanos,
                () -> answer.completeExceptionally(
                        new TimeoutException((open.isDone() ? "It did not answer" : "There was no connection")
                                + " within " + nanos / 1_000_000 + " ms")));
        return answer.whenComplete((reply, failure) -> {
            timer.cancel(false);
            if (!operation.equals(ClusterProtocol.ASK) || isClosed()) {
                return; // other operations may succeed on a Redis that refuses to be written to
            }
            if (failure == null || isOfKey(failure)) {
                breaker.succeeded();
            } else {
                breaker.failed(failure, askedAt);
            }
        });
    }

    /** Whether Redis refuses what stands under one name: it is well, and so are the other names. */
    static boolean isOfKey(Throwable failure) {
        String message = Breaker.messageOf(failure);
        return message.contains("WRONGTYPE") || (message.contains("user_script") && message.contains("attempt to "));
    }

    synchronized boolean isClosed() {
        return closed;
    }

    /** @param wanted whether it is still to be done, where Redis does not know the script yet */
    private void send(
            ReactiveRedisConnection redis,
            ByteBuffer[] parts,
            BooleanSupplier wanted,
            CompletableFuture<List<Object>> answer) {
        try {
            long sentAt = System.nanoTime();
            CompletableFuture<List<Object>> sent =
                    evaluate(redis, parts, wanted).toFuture();
            CompletableFuture<Void> unused = sent.handle((reply, failure) -> {
                if (failure != null) {
                    answer.completeExceptionally(failure);
                } else {
                    times.answered(System.nanoTime() - sentAt);
                    answer.complete(reply == null ? List.of() : reply);
                }
                return null;
            });
            CompletableFuture<Void> unusedToo = answer.handle((reply, failure) -> {
                if (!sent.isDone()) { // nobody waits for it any more, but how late it comes is of interest
                    Future<?> unusedTimer = LibraryThreads.after(LATEST_NANOS, () -> sent.cancel(false));
                }
                return null;
            });
        } catch (RuntimeException | LinkageError refused) {
            answer.completeExceptionally(refused);
        }
    }

    private static Mono<List<Object>> evaluate(
            ReactiveRedisConnection redis, ByteBuffer[] parts, BooleanSupplier wanted) {
        Flux<List<Object>> known = redis.scriptingCommands().evalSha(SCRIPT_SHA, ReturnType.MULTI, 1, parts);
        return known.onErrorResume(
                        failure -> Breaker.messageOf(failure).startsWith("NOSCRIPT") && wanted.getAsBoolean(),
                        failure -> redis.scriptingCommands().eval(ByteBuffer.wrap(SCRIPT), ReturnType.MULTI, 1, parts))
                .next();
    }

    private static ByteBuffer utf8(Object value) {
        return StandardCharsets.UTF_8.encode(value.toString());
    }

    private static byte[] script() {
        try (InputStream in = RedisLink.class.getResourceAsStream("shared-call.lua")) {
            return requireNonNull(in, "shared-call.lua is not beside its classes: keep the jar's resources with them")
                    .readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String sha1(byte[] script) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(script));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JDK has SHA-1, by which Redis names scripts", e);
        }
    }
}
