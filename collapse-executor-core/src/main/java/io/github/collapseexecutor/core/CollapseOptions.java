package io.github.collapseexecutor.core;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How an executor gathers, bounds and reports its batches; immutable.
 *
 * <pre>{@code
 * CollapseOptions options = CollapseOptions.builder()
 *         .name("products")
 *         .maxBatchSize(100)
 *         .maxConcurrentBatches(2)
 *         .build();
 * }</pre>
 *
 * <p>A batch starts as soon as one of these holds: it is full; no batch of its group is in flight; since the last start
 * of the group, {@link #maxWaitRatio} of the age of the oldest batch in flight has passed, at most {@link #maxWait}; or
 * nothing but {@link #maxConcurrentBatches} or {@link #maxConcurrentBatchesTotal} held it up, and a batch has ended. A batch that a later one has
 * overtaken is an outlier and does not count as the oldest. Where processors are scarce, the time between two starts is at
 * least what answers lately took to reach their callers, but never more than the last call took.
 *
 * <p>An executor of a function also has to know what its inputs weigh or which of them may share a batch: {@link #weighBy} and
 * {@link #groupBy} add that.
 *
 * <p>Instances may be shared by any number of executors and threads.
 */
public final class CollapseOptions implements InputOptions<@Nullable Object> {

    /**
     * The value of {@link #maxBatchSize}, {@link #maxConcurrentBatches}, {@link #maxConcurrentBatchesTotal} and {@link #maxPending}
     * that bounds nothing.
     */
    public static final int UNLIMITED = Integer.MAX_VALUE;

    /** The value of {@link #maxBatchWeight} that bounds nothing. */
    public static final long UNLIMITED_WEIGHT = Long.MAX_VALUE;

    private static final CollapseOptions DEFAULTS = builder().build();

    // immutable: nobody else has this builder
    private final Builder set;

    private CollapseOptions(Builder set) {
        this.set = set;
    }

    /**
     * Returns the options of an executor that was given none.
     *
     * @return what {@code builder().build()} returns
     */
    public static CollapseOptions defaults() {
        return DEFAULTS;
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
     * Starts from these options.
     *
     * @return a new builder that holds the values of these options; not thread-safe
     */
    public Builder toBuilder() {
        return set.copy();
    }

    /**
     * Returns the executor's name, which appears in messages and in what the listener is told.
     *
     * @return the name; {@code collapse-executor} by default
     */
    public String name() {
        return set.name;
    }

    /**
     * Returns the size at which a batch is full: it starts at once, and the next input opens another.
     *
     * @return a number of inputs, at least 1; {@link #UNLIMITED} by default
     */
    public int maxBatchSize() {
        return set.maxBatchSize;
    }

    /**
     * Returns the greatest sum of weights that a batch may have, for backends that bound a request by its bytes or its
     * parameters. A batch that has reached it is full. An input that would exceed it opens the next batch, and the one
     * before starts as a full one does. An input that is heavier than the limit alone has a batch to itself.
     *
     * <p>An input weighs 1, unless the executor says otherwise: {@link InputOptions#weighBy} for an executor of a function,
     * {@link CollapseExecutorBlockingSupport#weightOf weightOf} for one that is a subclass.
     *
     * @return a weight, at least 1, in the unit of the executor's choice; {@link #UNLIMITED_WEIGHT} by default, with which no
     *     input is weighed
     */
    public long maxBatchWeight() {
        return set.maxBatchWeight;
    }

    /**
     * Returns how many batches of one group may be in flight at a time; with 1 the next batch gathers until the present
     * one has ended (group commit).
     *
     * @return a number of batches, at least 1; {@link #UNLIMITED} by default
     */
    public int maxConcurrentBatches() {
        return set.maxConcurrentBatches;
    }

    /**
     * Returns how many batches of all groups together may be in flight at a time, for a backend that bears so many calls. Groups that wait for one
     * another take turns. {@link #maxConcurrentBatches} holds beside it.
     *
     * <p>A call that a batch function makes is not counted twice: while the batch waits for it, it may use the batch's place.
     *
     * @return a number of batches, at least 1; {@link #UNLIMITED} by default
     */
    public int maxConcurrentBatchesTotal() {
        return set.maxConcurrentBatchesTotal;
    }

    /**
     * Returns how many callers the executor may have at a time, over all groups; one more is refused with a {@link
     * java.util.concurrent.RejectedExecutionException}.
     *
     * @return a number of callers, at least 1; {@link #UNLIMITED} by default
     */
    public int maxPending() {
        return set.maxPending;
    }

    /**
     * Returns the part of the age of the oldest batch in flight that must have passed since the group's last start before
     * another batch starts beside it. The batches of a busy group that are in flight at a time settle around its inverse;
     * 0 starts every batch at once, also where answers are slow in reaching their callers.
     *
     * @return a ratio, at least 0 and below 1; 0.1 by default
     */
    public double maxWaitRatio() {
        return set.maxWaitRatio;
    }

    /**
     * Returns the longest that a batch waits for batches in flight, however old they are.
     *
     * @return a duration, not negative; one second by default
     */
    public Duration maxWait() {
        return set.maxWait;
    }

    /**
     * Returns the number of inputs below which {@link #collectingWaitTime} applies to a batch.
     *
     * @return a number of inputs, at least 0; 10 by default
     */
    public int waitThreshold() {
        return set.waitThreshold;
    }

    /**
     * Returns what a batch of fewer than {@link #waitThreshold} inputs does when no batch of its group is in flight:
     * negative, it starts at once; zero, its thread yields the processor once before it starts, so that threads which are
     * ready to submit come along; positive, it waits for that long, or until it has {@code waitThreshold} inputs.
     *
     * <p>With zero, only a batch of one input yields, and not if the same thread brought the one before: no other caller is
     * there. Nor does it where all calls of a group have one answer and join a call in flight, because callers that came
     * during the yield do so after it as well.
     *
     * @return a duration; zero by default
     */
    public Duration collectingWaitTime() {
        return set.collectingWaitTime;
    }

    /**
     * Returns which batches an input may join.
     *
     * @return the mode; {@link JoinMode#FRESH} by default
     */
    public JoinMode joinMode() {
        return set.joinMode;
    }

    /**
     * Returns the greatest age of a batch in flight that a caller may join, with {@link JoinMode#IN_FLIGHT}; it has no meaning
     * with another mode. Without it, a call that hangs takes along every caller that comes until it ends. Such callers need a
     * {@link #callTimeout}, or this bound.
     *
     * @return a positive duration since the start of the batch, or null (the default) for as long as the batch runs
     */
    public @Nullable Duration maxJoinAge() {
        return set.maxJoinAge;
    }

    /**
     * Returns whether no batch is executed a second time, as writes need it. By default, if the interruption of a blocking
     * executor's leader breaks the execution, another caller executes the batch once more. With this option, the other
     * callers get a {@link java.util.concurrent.CancellationException} or the failure instead, and have to find out what was
     * done. Async and future executors execute every batch once.
     *
     * @return true if a batch is executed at most once; false by default
     */
    public boolean atMostOnce() {
        return set.atMostOnce;
    }

    /**
     * Returns the longest that a caller waits for its answer before it leaves with a {@link
     * java.util.concurrent.TimeoutException}. It does not cut short a batch function that runs on the caller's own
     * thread.
     *
     * @return a positive duration, or null (the default) for no bound
     */
    public @Nullable Duration callTimeout() {
        return set.callTimeout;
    }

    /**
     * Returns the listener, which is told of every batch.
     *
     * @return the listener, or null (the default), which costs nothing
     */
    public @Nullable CollapseListener listener() {
        return set.listener;
    }

    /**
     * Returns what carries the contexts of callers to the execution of their batch.
     *
     * @return the carrier, or null (the default), which costs nothing
     */
    public @Nullable ContextCarrier contextCarrier() {
        return set.contextCarrier;
    }

    /**
     * Returns what wraps the callables of an executor of callables; executors of functions have none to wrap.
     *
     * @return the wrapper, or null (the default), which costs nothing
     */
    public @Nullable CallWrapper callWrapper() {
        return set.callWrapper;
    }

    @Override
    public String toString() {
        return "CollapseOptions[name=\"" + set.name + "\", maxBatchSize=" + shown(set.maxBatchSize)
                + ", maxBatchWeight="
                + (set.maxBatchWeight == UNLIMITED_WEIGHT ? "unlimited" : set.maxBatchWeight)
                + ", maxConcurrentBatches="
                + shown(set.maxConcurrentBatches) + ", maxConcurrentBatchesTotal="
                + shown(set.maxConcurrentBatchesTotal)
                + ", maxPending=" + shown(set.maxPending) + ", maxWaitRatio=" + set.maxWaitRatio
                + ", maxWait=" + set.maxWait + ", waitThreshold=" + set.waitThreshold + ", collectingWaitTime="
                + set.collectingWaitTime + ", joinMode=" + set.joinMode + ", maxJoinAge=" + set.maxJoinAge
                + ", atMostOnce="
                + set.atMostOnce + ", callTimeout="
                + set.callTimeout + ", listener=" + set.listener + ", contextCarrier=" + set.contextCarrier
                + ", callWrapper="
                + set.callWrapper + "]";
    }

    private static String shown(int limit) {
        return limit == UNLIMITED ? "unlimited" : Integer.toString(limit);
    }

    @Override
    public CollapseOptions gathering() {
        return this;
    }

    /** Returns the same for every input: all may share a batch. */
    @Override
    public Object groupOf(@Nullable Object input) {
        return Batch.ONE_GROUP;
    }

    /** Returns 1 for every input. */
    @Override
    public long weightOf(@Nullable Object input) {
        return 1;
    }

    /** A duration in nanoseconds, if it can be counted in them. */
    static long nanos(String setting, Duration duration) {
        try {
            return requireNonNull(duration, setting).toNanos();
        } catch (ArithmeticException e) {
            throw new InvalidOptionException(
                    setting, duration, "at most about 292 years can be counted in nanoseconds", e);
        }
    }

    /** Collects settings; each method checks its argument, sets it and returns the builder. Not thread-safe. */
    public static final class Builder implements Cloneable {

        // mutable, confined to the building thread
        private String name = "collapse-executor";
        private int maxBatchSize = UNLIMITED;
        private long maxBatchWeight = UNLIMITED_WEIGHT;
        private int maxConcurrentBatches = UNLIMITED;
        private int maxConcurrentBatchesTotal = UNLIMITED;
        private int maxPending = UNLIMITED;
        private double maxWaitRatio = 0.1;
        private Duration maxWait = Duration.ofSeconds(1);
        private int waitThreshold = 10;
        private Duration collectingWaitTime = Duration.ZERO;
        private JoinMode joinMode = JoinMode.FRESH;
        private @Nullable Duration maxJoinAge;
        private boolean atMostOnce;
        private @Nullable Duration callTimeout;
        private @Nullable CollapseListener listener;
        private @Nullable ContextCarrier contextCarrier;
        private @Nullable CallWrapper callWrapper;

        private Builder() {}

        /**
         * Sets {@link CollapseOptions#name()}.
         *
         * @param name a name, not blank
         * @return this builder
         * @throws InvalidOptionException if the name is blank
         */
        public Builder name(String name) {
            if (requireNonNull(name, "name").trim().isEmpty()) {
                throw new InvalidOptionException("name", "blank", "give the executor a name to report under");
            }
            this.name = name;
            return this;
        }

        /**
         * Sets {@link CollapseOptions#maxBatchSize()}.
         *
         * @param inputs a number of inputs, at least 1
         * @return this builder
         * @throws InvalidOptionException if it is below 1
         */
        public Builder maxBatchSize(int inputs) {
            maxBatchSize = atLeastOne("maxBatchSize", inputs);
            return this;
        }

        /**
         * Sets {@link CollapseOptions#maxBatchWeight()}.
         *
         * @param weight a sum of weights, at least 1
         * @return this builder
         * @throws InvalidOptionException if it is below 1
         */
        public Builder maxBatchWeight(long weight) {
            maxBatchWeight = atLeastOne("maxBatchWeight", weight);
            return this;
        }

        /**
         * Sets {@link CollapseOptions#maxConcurrentBatches()}.
         *
         * @param batches a number of batches, at least 1
         * @return this builder
         * @throws InvalidOptionException if it is below 1
         */
        public Builder maxConcurrentBatches(int batches) {
            maxConcurrentBatches = atLeastOne("maxConcurrentBatches", batches);
            return this;
        }

        /**
         * Sets {@link CollapseOptions#maxConcurrentBatchesTotal()}.
         *
         * @param batches a number of batches, at least 1
         * @return this builder
         * @throws InvalidOptionException if it is below 1
         */
        public Builder maxConcurrentBatchesTotal(int batches) {
            maxConcurrentBatchesTotal = atLeastOne("maxConcurrentBatchesTotal", batches);
            return this;
        }

        /**
         * Sets {@link CollapseOptions#maxPending()}.
         *
         * @param callers a number of callers, at least 1
         * @return this builder
         * @throws InvalidOptionException if it is below 1
         */
        public Builder maxPending(int callers) {
            maxPending = atLeastOne("maxPending", callers);
            return this;
        }

        /**
         * Sets {@link CollapseOptions#maxWaitRatio()}.
         *
         * @param ratio at least 0 and below 1
         * @return this builder
         * @throws InvalidOptionException if it is not in that range
         */
        public Builder maxWaitRatio(double ratio) {
            if (!(ratio >= 0 && ratio < 1)) {
                throw new InvalidOptionException(
                        "maxWaitRatio", ratio, "it must be at least 0 and below 1, for example 0.1");
            }
            maxWaitRatio = ratio;
            return this;
        }

        /**
         * Sets {@link CollapseOptions#maxWait()}.
         *
         * @param duration not negative, at most about 292 years
         * @return this builder
         * @throws InvalidOptionException if it is not in that range
         */
        public Builder maxWait(Duration duration) {
            if (nanos("maxWait", duration) < 0) {
                throw new InvalidOptionException("maxWait", duration, "it must not be negative");
            }
            maxWait = duration;
            return this;
        }

        /**
         * Sets {@link CollapseOptions#waitThreshold()}.
         *
         * @param inputs a number of inputs, at least 0
         * @return this builder
         * @throws InvalidOptionException if it is negative
         */
        public Builder waitThreshold(int inputs) {
            if (inputs < 0) {
                throw new InvalidOptionException("waitThreshold", inputs, "it must not be negative");
            }
            waitThreshold = inputs;
            return this;
        }

        /**
         * Sets {@link CollapseOptions#collectingWaitTime()}.
         *
         * @param duration negative (start at once), zero (yield once) or positive (wait), at most about 292 years
         * @return this builder
         * @throws InvalidOptionException if it is out of range
         */
        public Builder collectingWaitTime(Duration duration) {
            nanos("collectingWaitTime", duration);
            collectingWaitTime = duration;
            return this;
        }

        /**
         * Sets {@link CollapseOptions#joinMode()}.
         *
         * @param mode the mode
         * @return this builder
         */
        public Builder joinMode(JoinMode mode) {
            joinMode = requireNonNull(mode, "joinMode");
            return this;
        }

        /**
         * Sets {@link CollapseOptions#maxJoinAge()}.
         *
         * @param duration positive, at most about 292 years; or null for as long as a batch runs
         * @return this builder
         * @throws InvalidOptionException if it is not in that range
         */
        public Builder maxJoinAge(@Nullable Duration duration) {
            maxJoinAge = positiveOrNull("maxJoinAge", duration, "leave it unset to join a call as long as it runs");
            return this;
        }

        /**
         * Sets {@link CollapseOptions#atMostOnce()}.
         *
         * @param once whether no batch is executed a second time
         * @return this builder
         */
        public Builder atMostOnce(boolean once) {
            atMostOnce = once;
            return this;
        }

        /**
         * Sets {@link CollapseOptions#callTimeout()}.
         *
         * @param duration positive, at most about 292 years; or null for no bound
         * @return this builder
         * @throws InvalidOptionException if it is not in that range
         */
        public Builder callTimeout(@Nullable Duration duration) {
            callTimeout = positiveOrNull("callTimeout", duration, "leave it unset for no time-out");
            return this;
        }

        /**
         * Sets {@link CollapseOptions#listener()}.
         *
         * @param listener told of every batch, or null for none
         * @return this builder
         */
        public Builder listener(@Nullable CollapseListener listener) {
            this.listener = listener;
            return this;
        }

        /**
         * Sets {@link CollapseOptions#contextCarrier()}.
         *
         * @param carrier what carries the contexts of callers, or null for nothing
         * @return this builder
         */
        public Builder contextCarrier(@Nullable ContextCarrier carrier) {
            this.contextCarrier = carrier;
            return this;
        }

        /**
         * Sets {@link CollapseOptions#callWrapper()}.
         *
         * @param wrapper what wraps the callables of an executor of callables, or null for nothing
         * @return this builder
         */
        public Builder callWrapper(@Nullable CallWrapper wrapper) {
            this.callWrapper = wrapper;
            return this;
        }

        /**
         * Copies the settings.
         *
         * @return immutable options
         */
        public CollapseOptions build() {
            return new CollapseOptions(copy());
        }

        /** Copies every setting. */
        private Builder copy() {
            try {
                return (Builder) clone();
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
        }

        private static @Nullable Duration positiveOrNull(String setting, @Nullable Duration duration, String remedy) {
            if (duration != null && nanos(setting, duration) <= 0) {
                throw new InvalidOptionException(setting, duration, "it must be positive; " + remedy);
            }
            return duration;
        }

        private static int atLeastOne(String setting, int value) {
            return (int) atLeastOne(setting, (long) value);
        }

        private static long atLeastOne(String setting, long value) {
            if (value < 1) {
                throw new InvalidOptionException(setting, value, "it must be at least 1; leave it unset for no limit");
            }
            return value;
        }
    }
}
