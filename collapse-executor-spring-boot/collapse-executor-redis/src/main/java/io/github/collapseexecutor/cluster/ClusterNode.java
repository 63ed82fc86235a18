package io.github.collapseexecutor.cluster;

import static java.util.Objects.requireNonNull;

import io.github.collapseexecutor.cluster.Decision.Reason;
import io.github.collapseexecutor.core.JoinMode;
import io.github.collapseexecutor.core.LibraryThreads;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.ReactiveRedisConnectionFactory;

/** This instance as a member of the cluster: what the calls of a {@link ClusterCalls} have in common. */
final class ClusterNode {

    private static final System.Logger LOGGER = System.getLogger(ClusterCalls.class.getName());

    /** After a warning of a Redis that is not usable, there is no other for so long. */
    private static final long QUIET_NANOS = 60_000_000_000L;

    // immutable
    final ClusterOptions options;
    final ClusterCallTimes calls;
    final ClusterProtocol protocol;
    final Subscriptions subscriptions;
    final Envelope envelope;
    private final AnswerTimes times = new AnswerTimes();
    private final Breaker breaker = new Breaker(System::nanoTime, new Reporter());
    private final RedisLink link;

    // mutable, thread-safe
    private volatile boolean closed;
    private volatile boolean paused;
    private final AtomicBoolean warnedOfResults = new AtomicBoolean();
    private final LongAdder led = new LongAdder();
    private final LongAdder taken = new LongAdder();
    private final Map<Reason, LongAdder> alone = new EnumMap<>(Reason.class);

    ClusterNode(ReactiveRedisConnectionFactory factory, ClusterOptions options) {
        this.options = options;
        calls = new ClusterCallTimes(times, options);
        link = new RedisLink(factory, breaker, times);
        protocol = new ClusterProtocol(link, options);
        subscriptions = new Subscriptions(link, protocol);
        envelope = new Envelope(options.secrets(), options.prefix(), options.version());
        for (Reason reason : Reason.values()) {
            alone.put(reason, new LongAdder());
        }
    }

    /** What Redis may cost a call that asks now. */
    long maxDelayNanos() {
        return times.allowed(options.maxDelay().toNanos());
    }

    /** How long after another call one starts at the earliest: the wait that the start rule allows for calls of the usual length. */
    long gapNanos(byte[] name) {
        return (long) (options.maxWaitRatio() * calls.average(name));
    }

    /** How long a waiter stays silent that has waited for so long: the part of the wait that the start rule allows for. */
    long shareOfWait(long waitedNanos) {
        return Math.min(options.maxWait().toNanos(), (long) (options.maxWaitRatio() * waitedNanos));
    }

    /** Opens the connection, and has Redis load the script: a waiter that there is none of goes away. */
    void connect() {
        String nobody = Envelope.newId();
        protocol.leave(envelope.nameOf("nobody", "", nobody), nobody);
    }

    /** Whether Redis is to be asked; if so, it has to be. */
    boolean mayAsk() {
        return !closed && !paused && breaker.permits();
    }

    /** Returns one that a call answers which was under way when it asked only if the options allow it, too. */
    ClusterWaiter waiter(byte[] name, boolean mayJoin, boolean keepsGap, LongConsumer onWait) {
        return new ClusterWaiter(this, name, mayJoin && options.joinMode() == JoinMode.IN_FLIGHT, keepsGap, onWait);
    }

    void count(Decision decision) {
        if (decision instanceof Decision.Take) {
            taken.increment();
        } else if (decision instanceof Decision.GoAlone goes) {
            alone(goes.reason()).increment();
        } else if (decision instanceof Decision.Lead lead) {
            (lead.lease().isShared() ? led : alone(Reason.TOO_SHORT)).increment();
        }
    }

    private LongAdder alone(Reason reason) {
        return requireNonNull(alone.get(reason));
    }

    ClusterCounts counts() {
        long unavailable = alone(Reason.UNAVAILABLE).sum();
        long failedElsewhere = alone(Reason.FAILED_ELSEWHERE).sum();
        long notShareable = alone(Reason.NOT_SHAREABLE).sum();
        long tooShort = alone(Reason.TOO_SHORT).sum();
        return new ClusterCounts(
                led.sum(),
                taken.sum(),
                unavailable + failedElsewhere + notShareable + tooShort,
                unavailable,
                failedElsewhere,
                notShareable,
                tooShort,
                !closed && !paused && breaker.isClosed());
    }

    /** This instance cannot read what another one stored: nobody should wait for results of this call for a while. */
    void unreadable(byte[] name, UnreadableResultException failure) {
        alone(Reason.NOT_SHAREABLE).increment();
        if (!failure.isForOthers) {
            protocol.pass(name);
        }
        warnOfResult("read", failure);
    }

    /** The first one only: it is the same for every result, and there may be many. */
    void warnOfResult(String verb, Throwable failure) {
        if (warnedOfResults.compareAndSet(false, true)) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "A result cannot be " + verb + ", so that instances make such calls without one another. Give all"
                            + " instances the same codec and secret",
                    failure);
        }
    }

    void pause(boolean isPaused) {
        paused = isPaused;
    }

    boolean isPaused() {
        return paused;
    }

    boolean isClosed() {
        return closed;
    }

    void close() {
        closed = true;
        subscriptions.disconnect();
        link.close();
    }

    /**
     * Logs on a thread of its own: those that find out belong to the Redis client, or keep time for all. A connection that cannot be
     * opened says why, and where Redis was looked for; that is worth a short wait.
     */
    private final class Reporter implements Breaker.Listener {

        // mutable, guarded by this
        /** When a warning may be logged again. */
        private long quietUntil = System.nanoTime();
        /** Whether the present fall was told of. */
        private boolean isTold;

        @Override
        public void fell(Throwable reason) {
            CompletableFuture<@Nullable Throwable> betterReason = link.failureToConnect();
            subscriptions.disconnect();
            link.disconnect();
            synchronized (this) {
                isTold = false;
            }
            tell(betterReason, reason);
        }

        @Override
        public void failedAgain(Throwable reason) {
            tell(link.failureToConnect(), reason);
        }

        /** A Redis that comes and goes is told of once a minute, and one that is still away then is, too. */
        private void tell(CompletableFuture<@Nullable Throwable> betterReason, Throwable reason) {
            synchronized (this) {
                if (isTold || System.nanoTime() - quietUntil < 0) {
                    return;
                }
                quietUntil = System.nanoTime() + QUIET_NANOS;
                isTold = true;
            }
            Future<?> timer = LibraryThreads.after(Breaker.PAUSE_NANOS, () -> betterReason.complete(null));
            CompletableFuture<Void> unused = betterReason.thenAcceptAsync(
                    better -> {
                        timer.cancel(false);
                        LOGGER.log(
                                System.Logger.Level.WARNING,
                                "Redis is not usable: this instance makes its calls alone until Redis answers again. {0}",
                                new Object[] {better == null ? Breaker.messageOf(reason) : Breaker.messagesOf(better)});
                    },
                    LibraryThreads.free());
        }

        @Override
        public synchronized void recovered() {
            if (isTold) {
                LibraryThreads.free()
                        .execute(() -> LOGGER.log(
                                System.Logger.Level.INFO,
                                "Redis answers again: calls are shared with other instances"));
            }
        }
    }
}
