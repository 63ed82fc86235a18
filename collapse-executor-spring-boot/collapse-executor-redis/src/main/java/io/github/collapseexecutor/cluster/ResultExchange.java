package io.github.collapseexecutor.cluster;

import io.github.collapseexecutor.cluster.Envelope.Content;
import io.github.collapseexecutor.cluster.Envelope.Kind;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Results of one key, on their way from and to other instances. */
final class ResultExchange<R extends @Nullable Object> {

    private static final byte[] NOTHING = {};

    /** How another instance's call ended. */
    sealed interface Ended<R extends @Nullable Object> permits Returned, Threw, Missing {}

    /** It returned this. */
    record Returned<R extends @Nullable Object>(R result) implements Ended<R> {}

    /** It threw this. */
    record Threw<R extends @Nullable Object>(Exception failure) implements Ended<R> {}

    /** It was a bulk call, and had no value for this key. */
    record Missing<R extends @Nullable Object>() implements Ended<R> {}

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
            known = node.envelope().nameOf(kind, codec.format(), key);
            name = known;
        }
        return known;
    }

    ClusterNode node() {
        return node;
    }

    ClusterWaiter waiter() {
        return mayJoin ? node.waiter(name()) : node.freshWaiter(name());
    }

    void publish(Lease lease, R result) {
        publish(
                lease,
                () -> result == null
                        ? new Content(Kind.NULL, NOTHING)
                        : new Content(Kind.RESULT, notNull(codec.encode(result), "encode")));
    }

    /** Publishes that a bulk call had no value for this key. */
    void publishMissing(Lease lease) {
        publish(lease, () -> new Content(Kind.MISSING, NOTHING));
    }

    /** Publishes a failure if the codec has bytes for it, else that there was one: of failures, newcomers must know, too. */
    void publishFailure(Lease lease, Throwable failure) {
        if (!lease.isAwaited()) {
            lease.publishFailure();
            return;
        }
        Throwable cause = unwrapped(failure);
        publish(lease, () -> {
            byte[] bytes = cause instanceof Exception exception ? codec.encodeFailure(exception) : null;
            return bytes == null ? null : new Content(Kind.FAILURE, bytes);
        });
    }

    /** Returns the failure of a stage, without the exception that carries it from stage to stage. */
    static Throwable unwrapped(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    private void publish(Lease lease, Encoding encoding) {
        if (!lease.isAwaited()) {
            lease.publishNothing();
            return;
        }
        try {
            Content content = encoding.encode();
            if (content == null) {
                lease.publishFailure();
            } else if (content.bytes.length > node.maxResultSize()) {
                lease.publishPass();
            } else {
                lease.publishResult(content);
            }
        } catch (ObservedTypes.OtherTypesException other) { // later calls have another name
            lease.publishPass();
        } catch (Throwable thrown) { // an Error too: the call itself has ended well, and its callers must not suffer
            keepInterrupt(thrown);
            node.unwritable(thrown);
            lease.publishPass();
        }
    }

    private static void keepInterrupt(Throwable thrown) {
        if (thrown instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
    }

    /** Opens what another instance has stored; null, and the cluster is told so, if this one cannot read it. */
    @Nullable Ended<R> open(Decision.Take take) {
        try {
            Content content = node.envelope().open(name(), take.id(), take.mayJoin(), take.sealed());
            Ended<R> ended = decode(content);
            node.taken();
            return ended;
        } catch (UnreadableResultException failure) {
            node.unreadable(name(), failure);
            return null;
        }
    }

    private Ended<R> decode(Content content) throws UnreadableResultException {
        try {
            return switch (content.kind) {
                case NULL -> new Returned<>(nothing());
                case RESULT -> new Returned<>(notNull(codec.decode(content.bytes), "decode"));
                case FAILURE -> new Threw<>(notNull(codec.decodeFailure(content.bytes), "decodeFailure"));
                case MISSING -> new Missing<>();
            };
        } catch (Throwable thrown) {
            keepInterrupt(thrown);
            throw new UnreadableResultException("The codec cannot decode a result of another instance", thrown);
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

    @FunctionalInterface
    private interface Encoding {

        /** Returns null if there is nothing to be shared. */
        @Nullable Content encode() throws Exception;
    }
}
