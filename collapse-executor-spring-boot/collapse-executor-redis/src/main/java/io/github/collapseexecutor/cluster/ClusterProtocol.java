package io.github.collapseexecutor.cluster;

import io.github.collapseexecutor.core.LibraryThreads;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/** What instances say to Redis about one call, as methods; {@code shared-call.lua} is the other side. */
final class ClusterProtocol {

    /** The operation that every waiter needs: only if it succeeds is Redis of use. */
    static final String ASK = "ask";

    /** The same for a large result: Redis is not given up for what takes too long because of its size. */
    static final String FETCH = "fetch";

    /** For how long nobody waits for a call whose result could not be shared. */
    private static final Duration PASS = Duration.ofSeconds(10);

    /** Larger results are fetched in a time of their own; bytes. */
    private static final int LARGE = 1 << 16;

    /** 10 MB a second. */
    private static final long NANOS_PER_BYTE = 100;

    private static final Duration SHORTEST_STAY = Duration.ofSeconds(2);

    private static final System.Logger LOGGER = System.getLogger(ClusterCalls.class.getName());

    /** The question of a waiter, as {@link ClusterWaiter} has it; its call starts so long after another one that is under way, at least. */
    record Question(String id, boolean joinsInFlight, boolean mayLead, long gapNanos) {}

    /** What a waiter is told. */
    sealed interface Reply permits Grant, Wait, Large, Decision {}

    /** Make the call, for the waiters that had asked before; {@code joinable} if others may join it. */
    record Grant(String early, boolean joinable) implements Reply {}

    /** Look again after {@code nanos}, or when tickets up to {@code asks} are told to. */
    record Wait(long asks, long nanos) implements Reply {}

    /** There is a result that takes its time: fetch it within {@code nanos}. */
    record Large(long nanos) implements Reply {}

    // immutable
    private final RedisLink link;
    private final ClusterOptions options;
    private final double gapFactor;
    private final long maxWait;
    private final long lease;
    private final long stay;
    /** Redis has the time of a lease for what nobody waits for. */
    private final long unhurriedNanos;

    // mutable, thread-safe
    private final AtomicBoolean warnedOfMessages = new AtomicBoolean();

    ClusterProtocol(RedisLink link, ClusterOptions options) {
        this.link = link;
        this.options = options;
        gapFactor = options.maxWaitRatio() / (1 - options.maxWaitRatio());
        maxWait = micros(options.maxWait());
        lease = micros(options.lease());
        stay = Math.max(2 * maxWait, micros(SHORTEST_STAY));
        unhurriedNanos = options.lease().toNanos();
    }

    /** Asks for a waiter: {@link #ASK}, or {@link #FETCH} for a result that was said to be large. */
    CompletableFuture<Reply> ask(String operation, byte[] name, Question question, long withinNanos) {
        return link.run(
                        withinNanos,
                        name,
                        operation,
                        question.id(),
                        question.joinsInFlight() ? 1 : 0,
                        gapFactor,
                        maxWait,
                        lease,
                        stay,
                        options.maxResultSize(),
                        question.mayLead() ? 1 : 0,
                        LARGE,
                        question.gapNanos() / 1_000)
                .thenApply(reply -> replyTo(question, reply));
    }

    private static Reply replyTo(Question question, List<Object> reply) {
        return switch ((int) number(reply, 0)) {
            case 1 -> new Grant(text(reply, 1), number(reply, 2) == 1);
            case 2 -> new Wait(number(reply, 1), 1000 * number(reply, 2));
            case 3 -> new Decision.Take(question.id(), question.joinsInFlight(), (ByteBuffer) reply.get(1));
            case 4 -> new Decision.GoAlone(Decision.Reason.FAILED_ELSEWHERE);
            case 5 -> new Decision.GoAlone(Decision.Reason.NOT_SHAREABLE);
            case 6 -> new Large(NANOS_PER_BYTE * number(reply, 1));
            default -> throw new IllegalStateException("The script answered " + reply);
        };
    }

    /** Says that a call is under way; the answer is whether its lease still stands. */
    CompletableFuture<Boolean> renew(byte[] name, String token, long withinNanos) {
        return link.run(withinNanos, name, "renew", token, lease, stay).thenApply(reply -> number(reply, 0) == 1);
    }

    /** Returns the ids of those that have joined a call that has ended, which nobody can join any more; of nobody if the lease is over. */
    CompletableFuture<String> joined(byte[] name, String token) {
        return link.run(unhurriedNanos, name, "joined", token, stay).thenApply(reply -> text(reply, 1));
    }

    /** Stores a result; its size is without what the envelope adds, because a reader compares it with what it takes. */
    void publishResult(byte[] name, String token, int size, byte[] sealed) {
        long nanos = unhurriedNanos + NANOS_PER_BYTE * size;
        publish(nanos, name, token, "value", sealed, size);
    }

    void publishFailure(byte[] name, String token) {
        publish(unhurriedNanos, name, token, "failure");
    }

    /** Says that a call has ended for whose result nobody else waits. */
    void publishNothing(byte[] name, String token) {
        publish(unhurriedNanos, name, token, "nothing");
    }

    void publishPass(byte[] name, String token) {
        publish(unhurriedNanos, name, token, "pass", micros(PASS));
    }

    /** If Redis cannot store how a call has ended, because its memory is full for example, nobody shall wait for that until the lease runs out. */
    private void publish(long nanos, byte[] name, String token, Object... end) {
        Object[] arguments = new Object[end.length + 2];
        arguments[0] = token;
        arguments[1] = stay;
        System.arraycopy(end, 0, arguments, 2, end.length);
        CompletableFuture<Void> unused = tell(nanos, name, "publish", arguments).thenAccept(isTold -> {
            if (!isTold) {
                leave(name, token);
            }
        });
    }

    /** Has nobody wait for the call for a while, because this instance cannot read its results. */
    void pass(byte[] name) {
        var unused = tell(unhurriedNanos, name, "pass", "", micros(PASS), stay);
    }

    /** Withdraws what a waiter or a leader has in Redis. */
    void leave(byte[] name, String id) {
        var unused = tell(unhurriedNanos, name, "leave", id);
    }

    /** Says whether Redis has taken it; a failure is known to the breaker, and no caller waits for this. */
    private CompletableFuture<Boolean> tell(long nanos, byte[] name, String operation, Object... arguments) {
        return link.run(nanos, name, operation, arguments).handle((reply, failure) -> {
            if (failure == null && number(reply, 0) == 2) {
                warnOfMessages(text(reply, 1));
            }
            return failure == null;
        });
    }

    /** Says once that messages do not pass, which costs waiters time, and nothing else. */
    void warnOfMessages(String reason) {
        if (warnedOfMessages.compareAndSet(false, true)) {
            LibraryThreads.free()
                    .execute(() -> LOGGER.log(
                            System.Logger.Level.WARNING,
                            "Instances are not told of results at once, but look for them from time to time: allow the"
                                    + " user of Redis to publish and to subscribe. {0}",
                            new Object[] {reason}));
        }
    }

    private static long number(List<Object> reply, int index) {
        return (Long) reply.get(index);
    }

    private static String text(List<Object> reply, int index) {
        return StandardCharsets.UTF_8
                .decode(((ByteBuffer) reply.get(index)).duplicate())
                .toString();
    }

    private static long micros(Duration duration) {
        return duration.toNanos() / 1000;
    }
}
