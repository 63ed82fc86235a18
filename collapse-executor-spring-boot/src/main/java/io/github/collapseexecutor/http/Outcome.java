package io.github.collapseexecutor.http;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** What one call leaves behind for all who took part in it, the same object for each of them. */
final class Outcome {

    /** What there is for the followers. */
    enum Kind {
        /** A response, if it may answer the follower in question. */
        RESPONSE,
        /** Nothing: the leader has a response that is for nobody else. */
        NOTHING,
        /** A failure of the transport. */
        TRANSPORT_FAILURE,
        /** Any other failure. */
        FAILURE,
        /** No call was made: its leader left at that very moment. */
        NO_CALL
    }

    // immutable
    private final Kind kind;
    private final @Nullable SharedResponse response;
    private final @Nullable Throwable failure;
    private final FanOut fanOut;

    // mutable, thread-safe
    /** What came of the calls that followers made later, by what these have in common. */
    private final ConcurrentMap<Object, Outcome> later = new ConcurrentHashMap<>();

    private Outcome(Kind kind, @Nullable SharedResponse response, @Nullable Throwable failure, int fanOutLimit) {
        this.kind = kind;
        this.response = response;
        this.failure = failure;
        this.fanOut = new FanOut(fanOutLimit);
    }

    static Outcome shared(SharedResponse response, int fanOutLimit) {
        return new Outcome(Kind.RESPONSE, response, null, fanOutLimit);
    }

    static Outcome unshared(int fanOutLimit) {
        return new Outcome(Kind.NOTHING, null, null, fanOutLimit);
    }

    static Outcome failed(Throwable failure, boolean ofTransport, int fanOutLimit) {
        return new Outcome(ofTransport ? Kind.TRANSPORT_FAILURE : Kind.FAILURE, null, failure, fanOutLimit);
    }

    static Outcome noCall(int fanOutLimit) {
        return new Outcome(Kind.NO_CALL, null, null, fanOutLimit);
    }

    Kind kind() {
        return kind;
    }

    SharedResponse response() {
        return requirePresent(response);
    }

    Throwable failure() {
        return requirePresent(failure);
    }

    private <T> T requirePresent(@Nullable T part) {
        if (part == null) {
            throw new IllegalStateException("An outcome of kind " + kind + " does not have this");
        }
        return part;
    }

    /** Where those wait whom this outcome sends alone. */
    FanOut fanOut() {
        return fanOut;
    }

    @Nullable Outcome later(Object common) {
        return later.get(common);
    }

    void rememberLater(Object common, Outcome outcome) {
        later.put(common, outcome);
    }
}
