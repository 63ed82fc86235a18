package io.github.collapseexecutor.cluster;

import io.github.collapseexecutor.cluster.Envelope.Content;
import io.github.collapseexecutor.cluster.Envelope.Kind;
import io.github.collapseexecutor.core.Failures;
import io.github.collapseexecutor.core.LocalResult;
import java.util.NoSuchElementException;
import java.util.concurrent.Callable;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Results of one key, on their way from and to other instances. */
final class ResultExchange<R extends @Nullable Object> {

    private static final byte[] NOTHING = {};

    /** How another instance's call ended. */
    interface Ended<R extends @Nullable Object> {

        /** Returns what the call has returned, or throws what it has thrown. */
        R get() throws Exception;
    }

    /** It was a bulk call, and had no value for this key. */
    record Missing<R extends @Nullable Object>() implements Ended<R> {

        @Override
        public R get() {
            throw new NoSuchElementException("A bulk call has no value for this key");
        }
    }

    // immutable
    private final ClusterNode node;
    private final String kind;
    private final String key;
    private final ResultCodec<R> codec;
    /** Whether a call under way may answer, if the options say so, too. */
    private final boolean mayJoin;

    // mutable, computed by the first batch: most callers are followers, and never need it
    private volatile byte @Nullable [] name;

    ResultExchange(ClusterNode node, String kind, String key, ResultCodec<R> codec, boolean mayJoin) {
        this.node = node;
        this.kind = kind;
        this.key = key;
        this.codec = codec;
        this.mayJoin = mayJoin;
    }

    private byte[] name() {
        byte[] known = name;
        if (known == null) {
            known = node.envelope.nameOf(kind, codec.format(), key);
            name = known;
        }
        return known;
    }

    ClusterWaiter waiter(boolean keepsGap, LongConsumer onWait) {
        return node.waiter(name(), mayJoin, keepsGap, onWait);
    }

    void publish(Lease lease, R result) {
        if (result instanceof LocalResult) {
            lease.giveUp();
        } else {
            publish(
                    lease,
                    () -> result == null
                            ? new Content(Kind.NULL, NOTHING)
                            : new Content(Kind.RESULT, notNull(codec.encode(result), "encode")));
        }
    }

    /** Publishes that a bulk call had no value for this key. */
    void publishMissing(Lease lease) {
        publish(lease, () -> new Content(Kind.MISSING, NOTHING));
    }

    /** Publishes a failure if the codec has bytes for it, else that there was one: of failures, newcomers must know, too. */
    void publishFailure(Lease lease, Throwable failure) {
        if (!lease.isAwaited()) {
            lease.fail();
            return;
        }
        Throwable cause = Failures.unwrapped(failure);
        publish(lease, () -> {
            byte[] bytes = cause instanceof Exception exception ? codec.encodeFailure(exception) : null;
            return bytes == null ? null : new Content(Kind.FAILURE, bytes);
        });
    }

    /** Publishes what is encoded; null is a failure that is not shared. */
    private void publish(Lease lease, Callable<? extends @Nullable Content> encoding) {
        if (!lease.isAwaited()) {
            lease.end();
            return;
        }
        try {
            Content content = encoding.call();
            if (content == null) {
                lease.fail();
            } else {
                lease.publish(content);
            }
        } catch (ObservedTypes.OtherTypesException other) { // later calls have another name
            lease.refuse();
        } catch (Throwable thrown) { // an Error too: the call itself has ended well, and its callers must not suffer
            keepInterrupt(thrown);
            node.warnOfResult("written", thrown);
            lease.refuse();
        }
    }

    private static void keepInterrupt(Throwable thrown) {
        if (thrown instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
    }

    /** Counts what was decided, and returns how another instance's call has ended; null if the call is to be made here. */
    @Nullable Ended<R> settle(Decision decision) {
        if (decision instanceof Decision.Take take) {
            return open(take);
        }
        node.count(decision);
        return null;
    }

    /** Opens what another instance has stored; null, and the cluster is told so, if this one cannot read it. */
    private @Nullable Ended<R> open(Decision.Take take) {
        try {
            Ended<R> ended = decode(node.envelope.open(name(), take.id(), take.mayJoin(), take.sealed()));
            node.count(take);
            return ended;
        } catch (UnreadableResultException failure) {
            unreadable(failure);
            return null;
        }
    }

    void unreadable(UnreadableResultException failure) {
        node.unreadable(name(), failure);
    }

    private Ended<R> decode(Content content) throws UnreadableResultException {
        try {
            return switch (content.kind) {
                case NULL -> ResultExchange::nothing;
                case RESULT -> {
                    R result = notNull(codec.decode(content.bytes), "decode");
                    yield () -> result;
                }
                case FAILURE -> {
                    Exception failure = notNull(codec.decodeFailure(content.bytes), "decodeFailure");
                    yield () -> {
                        throw failure;
                    };
                }
                case MISSING -> new Missing<>();
            };
        } catch (Throwable thrown) {
            keepInterrupt(thrown);
            throw new UnreadableResultException("The codec cannot decode a result of another instance", false, thrown);
        }
    }

    private <T extends @Nullable Object> T notNull(T value, String method) {
        if (value == null) {
            throw new IllegalStateException("The codec " + codec + " returned null from " + method
                    + ": it must return a value, or throw where there is none");
        }
        return value;
    }

    // A null was stored because a call for the same key returned null: null is an R.
    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
    private static <R extends @Nullable Object> R nothing() {
        return null;
    }
}
