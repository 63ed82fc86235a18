package io.github.collapseexecutor.sample.rpcmerge;

import static java.util.Objects.requireNonNull;

import java.net.SocketAddress;
import java.time.Duration;

/**
 * The bounds of a client or a server; immutable. Both ends are to have the same {@link #maxFrameBytes}.
 *
 * <pre>{@code
 * RpcOptions options = RpcOptions.builder().maxPending(1_000).callTimeout(Duration.ofSeconds(2)).build();
 * }</pre>
 */
public final class RpcOptions {

    // immutable
    private final int maxFrameBytes;
    private final int maxFrameMessages;
    private final int maxPending;
    private final int maxPerType;
    private final int maxUnwritten;
    private final int threads;
    private final Duration callTimeout;
    private final Duration handlerTimeout;
    private final Duration connectTimeout;
    private final RpcListener listener;

    private RpcOptions(Builder builder) {
        maxFrameBytes = builder.maxFrameBytes;
        maxFrameMessages = builder.maxFrameMessages;
        maxPending = builder.maxPending;
        maxPerType = builder.maxPerType;
        maxUnwritten = builder.maxUnwritten;
        threads = builder.threads;
        callTimeout = builder.callTimeout;
        handlerTimeout = builder.handlerTimeout;
        connectTimeout = builder.connectTimeout;
        listener = builder.listener;
    }

    /**
     * Returns the options of a client or server that was given none.
     *
     * @return what {@code builder().build()} returns
     */
    public static RpcOptions defaults() {
        return builder().build();
    }

    /**
     * Starts from the defaults.
     *
     * @return a new builder; not thread-safe
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Returns the size of the largest frame that is sent, and of the largest message that is received.
     *
     * @return a number of bytes, at least 64; 64 KiB by default
     */
    public int maxFrameBytes() {
        return maxFrameBytes;
    }

    /**
     * Returns how many messages one frame has at most.
     *
     * @return a number of messages, at least 1; 1000 by default
     */
    public int maxFrameMessages() {
        return maxFrameMessages;
    }

    /**
     * Returns how many calls of a client may be without an answer; one more is refused with a {@link
     * java.util.concurrent.RejectedExecutionException}.
     *
     * @return a number of calls, at least 1; 10000 by default
     */
    public int maxPending() {
        return maxPending;
    }

    /**
     * Returns how many requests of one type may be without an answer: at a client those to one server, at a server those of
     * one connection. One more is refused, by the client with a {@link java.util.concurrent.RejectedExecutionException}, by
     * the server with a failure that says so. Requests of other types are not affected.
     *
     * @return a number of requests, at least 1; 5000 by default
     */
    public int maxPerType() {
        return maxPerType;
    }

    /**
     * Returns how many answers to one connection wait to be written before the server stops reading from it, because the
     * client does not take them.
     *
     * @return a number of answers, at least 1; 10000 by default
     */
    public int maxUnwritten() {
        return maxUnwritten;
    }

    /**
     * Returns how many threads read and write; a connection belongs to one of them.
     *
     * @return a number of threads, at least 1; 1 by default
     */
    public int threads() {
        return threads;
    }

    /**
     * Returns how long a call waits for its answer if it does not say otherwise.
     *
     * @return a positive duration; ten seconds by default
     */
    public Duration callTimeout() {
        return callTimeout;
    }

    /**
     * Returns how long a server's handler may take for a request. Then the caller is told, the request gives its place back,
     * and an answer that comes later is dropped. It should be no shorter than the longest time that clients wait.
     *
     * @return a positive duration; one minute by default
     */
    public Duration handlerTimeout() {
        return handlerTimeout;
    }

    /**
     * Returns how long a connection may take to open.
     *
     * @return a positive duration; three seconds by default
     */
    public Duration connectTimeout() {
        return connectTimeout;
    }

    /**
     * Returns who is told of messages that concern no call.
     *
     * @return the listener; by default one that does nothing
     */
    public RpcListener listener() {
        return listener;
    }

    /** Tells the listener; one that throws harms nobody, least of all the calls of the connection. */
    void reportStray(SocketAddress peer, String description) {
        try {
            listener.strayMessage(peer, description);
        } catch (RuntimeException thrown) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
        }
    }

    /** Collects settings; each method checks its argument, sets it and returns the builder. Not thread-safe. */
    public static final class Builder {

        // mutable, confined to the building thread
        private int maxFrameBytes = 64 * 1024;
        private int maxFrameMessages = 1_000;
        private int maxPending = 10_000;
        private int maxPerType = 5_000;
        private int maxUnwritten = 10_000;
        private int threads = 1;
        private Duration callTimeout = Duration.ofSeconds(10);
        private Duration handlerTimeout = Duration.ofMinutes(1);
        private Duration connectTimeout = Duration.ofSeconds(3);
        private RpcListener listener = (peer, description) -> {};

        private Builder() {}

        /**
         * Sets {@link RpcOptions#maxFrameBytes()}.
         *
         * @param bytes a number of bytes, at least 64
         * @return this builder
         * @throws IllegalArgumentException if it is below 64
         */
        public Builder maxFrameBytes(int bytes) {
            maxFrameBytes = atLeast(64, "maxFrameBytes", bytes);
            return this;
        }

        /**
         * Sets {@link RpcOptions#maxFrameMessages()}.
         *
         * @param messages a number of messages, at least 1
         * @return this builder
         * @throws IllegalArgumentException if it is below 1
         */
        public Builder maxFrameMessages(int messages) {
            maxFrameMessages = atLeast(1, "maxFrameMessages", messages);
            return this;
        }

        /**
         * Sets {@link RpcOptions#maxPending()}.
         *
         * @param calls a number of calls, at least 1
         * @return this builder
         * @throws IllegalArgumentException if it is below 1
         */
        public Builder maxPending(int calls) {
            maxPending = atLeast(1, "maxPending", calls);
            return this;
        }

        /**
         * Sets {@link RpcOptions#maxPerType()}.
         *
         * @param requests a number of requests, at least 1
         * @return this builder
         * @throws IllegalArgumentException if it is below 1
         */
        public Builder maxPerType(int requests) {
            maxPerType = atLeast(1, "maxPerType", requests);
            return this;
        }

        /**
         * Sets {@link RpcOptions#maxUnwritten()}.
         *
         * @param answers a number of answers, at least 1
         * @return this builder
         * @throws IllegalArgumentException if it is below 1
         */
        public Builder maxUnwritten(int answers) {
            maxUnwritten = atLeast(1, "maxUnwritten", answers);
            return this;
        }

        /**
         * Sets {@link RpcOptions#threads()}.
         *
         * @param threads a number of threads, at least 1
         * @return this builder
         * @throws IllegalArgumentException if it is below 1
         */
        public Builder threads(int threads) {
            this.threads = atLeast(1, "threads", threads);
            return this;
        }

        /**
         * Sets {@link RpcOptions#callTimeout()}.
         *
         * @param duration a positive duration
         * @return this builder
         * @throws IllegalArgumentException if it is not positive
         */
        public Builder callTimeout(Duration duration) {
            callTimeout = positive("callTimeout", duration);
            return this;
        }

        /**
         * Sets {@link RpcOptions#handlerTimeout()}.
         *
         * @param duration a positive duration
         * @return this builder
         * @throws IllegalArgumentException if it is not positive
         */
        public Builder handlerTimeout(Duration duration) {
            handlerTimeout = positive("handlerTimeout", duration);
            return this;
        }

        /**
         * Sets {@link RpcOptions#connectTimeout()}.
         *
         * @param duration a duration of at least a millisecond and at most 24 days
         * @return this builder
         * @throws IllegalArgumentException if it is not in that range
         */
        public Builder connectTimeout(Duration duration) {
            if (positive("connectTimeout", duration).toMillis() < 1 || duration.toMillis() > Integer.MAX_VALUE) {
                throw new IllegalArgumentException(
                        "connectTimeout is " + duration + ": it must be from a millisecond to 24 days");
            }
            connectTimeout = duration;
            return this;
        }

        /**
         * Sets {@link RpcOptions#listener()}.
         *
         * @param listener who is told
         * @return this builder
         */
        public Builder listener(RpcListener listener) {
            this.listener = requireNonNull(listener, "listener");
            return this;
        }

        /**
         * Copies the settings.
         *
         * @return immutable options
         */
        public RpcOptions build() {
            return new RpcOptions(this);
        }

        private static int atLeast(int minimum, String setting, int value) {
            if (value < minimum) {
                throw new IllegalArgumentException(setting + " is " + value + ": it must be at least " + minimum);
            }
            return value;
        }
    }

    static Duration positive(String setting, Duration duration) {
        if (requireNonNull(duration, setting).isZero() || duration.isNegative()) {
            throw new IllegalArgumentException(setting + " is " + duration + ": it must be positive");
        }
        return duration;
    }
}
