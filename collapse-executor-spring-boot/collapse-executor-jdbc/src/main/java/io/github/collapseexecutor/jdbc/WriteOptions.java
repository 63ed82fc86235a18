package io.github.collapseexecutor.jdbc;

import static java.util.Objects.requireNonNull;

import io.github.collapseexecutor.core.CollapseListener;
import io.github.collapseexecutor.core.CollapseOptions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How writes gather, and what happens when one fails; immutable.
 *
 * <pre>{@code
 * WriteOptions options = WriteOptions.builder()
 *         .maxBatchSize(200)
 *         .callTimeout(Duration.ofSeconds(5))
 *         .build();
 * }</pre>
 *
 * <p>By default one batch of a target is written at a time while the next one gathers, without a window: a lone caller
 * writes at once, and the busier the database, the larger the batches.
 */
public final class WriteOptions {

    private static final WriteOptions DEFAULTS = builder().build();

    // immutable: nobody else has this builder
    private final Builder set;

    private WriteOptions(Builder set) {
        this.set = set;
    }

    /**
     * Returns the options of a writer that was given none.
     *
     * @return what {@code builder().build()} returns
     */
    public static WriteOptions defaults() {
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

    /** How the core is to gather. */
    CollapseOptions gathering() {
        return set.gathering.toBuilder()
                .waitThreshold(collectingWaitTime().isZero() ? 1 : maxBatchSize())
                .build();
    }

    /**
     * Returns the writer's name, which appears in messages and in what the listener is told.
     *
     * @return the name; {@code group-commit} by default
     */
    public String name() {
        return set.gathering.name();
    }

    /**
     * Returns the size at which a batch is full: it leaves at once, and the next row opens another.
     *
     * @return a number of rows, at least 1; 1000 by default
     */
    public int maxBatchSize() {
        return set.gathering.maxBatchSize();
    }

    /**
     * Returns how many batches of one statement may be written at a time, each over a connection of its own.
     *
     * @return a number of batches, at least 1, which is the default
     */
    public int maxConcurrentBatches() {
        return set.gathering.maxConcurrentBatches();
    }

    /**
     * Returns how long a batch waits for more rows while none is being written.
     *
     * @return a duration, not negative; zero, the default, writes at once. A full batch does not wait
     */
    public Duration collectingWaitTime() {
        return set.gathering.collectingWaitTime();
    }

    /**
     * Returns how many callers the writer may have at a time; one more is refused with a {@link
     * java.util.concurrent.RejectedExecutionException}.
     *
     * @return a number of callers, at least 1; 100,000 by default
     */
    public int maxPending() {
        return set.gathering.maxPending();
    }

    /**
     * Returns the listener that is told of every batch: of its gathering and of its callers. With a listener, a thread that has written a
     * batch does not go on with the next one by itself, which costs throughput where there are few callers.
     *
     * @return the listener, or null (the default)
     */
    public @Nullable CollapseListener listener() {
        return set.gathering.listener();
    }

    /**
     * Returns the listener that is told what became of the rows of every batch, and of its commits.
     *
     * @return the listener, or null (the default)
     */
    public @Nullable WriteListener writeListener() {
        return set.writeListener;
    }

    /**
     * Returns the longest that a caller waits, or that a future takes. It then leaves: with a {@link java.sql.SQLTimeoutException} if its row was
     * still gathered, and is not written; with an {@link OutcomeUnknownException} if it was being written.
     *
     * @return a positive duration, or null (the default) for no bound
     */
    public @Nullable Duration callTimeout() {
        return set.callTimeout;
    }

    /**
     * Returns how often a batch is tried again that was certainly rolled back as a whole: by a deadlock, a serialization
     * failure, or the loss of the connection before the commit. If that does not help, its rows are tried apart.
     *
     * @return a number of further attempts, not negative; 3 by default. With 0, nothing is tried again, nor apart
     */
    public int maxRetries() {
        return set.maxRetries;
    }

    /**
     * Returns how long the database may be silent on a connection that has no network time-out of its own. Then the connection
     * is given up, and all callers of the batch are answered: with an {@link OutcomeUnknownException} if the commit had been
     * sent, else with the failure. It should be longer than any lock is waited for. Each answer of the database ends its silence. A driver
     * that is stuck while it sends a batch is given up after this time for each of its statements.
     *
     * @return a duration, not negative; 2 minutes by default. Zero waits for ever
     */
    public Duration networkTimeout() {
        return set.networkTimeout;
    }

    /**
     * Returns how long the JVM waits when it ends, until what was handed in is written. A shutdown hook closes the writer then,
     * as {@link GroupCommit#close(Duration)} and {@link MergedUpdates#close(Duration)} do. Hooks run side by side: another one must not
     * close the data source.
     *
     * @return a positive duration, or null (the default) for no hook
     */
    public @Nullable Duration closeAtShutdown() {
        return set.closeAtShutdown;
    }

    /**
     * Returns what becomes of a call from inside a transaction of the caller's.
     *
     * @return {@link WriteInTransaction#REFUSE} by default
     */
    public WriteInTransaction inTransaction() {
        return set.inTransaction;
    }

    /**
     * Returns whether rows of an INSERT may be sent to PostgreSQL as one statement, by this library or by the driver, if triggers, defaults and
     * constraints of the table cannot tell it from single rows.
     *
     * @return true by default; with false, each row is a statement of its own
     */
    public boolean multiRowInserts() {
        return set.multiRowInserts;
    }

    /**
     * Returns whether a batch that one statement can write is its own commit, as a lone row is: what PostgreSQL gets as one statement, and an {@code
     * INSERT … VALUES} of up to 256 rows to MariaDB and MySQL ({@link #multiRowInserts()} has to be true). That saves PostgreSQL one round trip of two, and
     * MariaDB and MySQL two of three. Its price: a connection that is lost before the answer leaves the outcome of all rows of the batch unknown, where else only one
     * that is lost in the commit does, and the batch is tried again.
     *
     * @return false by default
     */
    public boolean commitInStatement() {
        return set.commitInStatement;
    }

    /** Collects settings; each method checks its argument, sets it and returns the builder. Not thread-safe. */
    public static final class Builder implements Cloneable {

        // mutable, confined to the building thread
        private CollapseOptions gathering = CollapseOptions.builder()
                .name("group-commit")
                .maxBatchSize(1000)
                .maxConcurrentBatches(1)
                .maxPending(100_000)
                .atMostOnce(true)
                .build();
        private @Nullable Duration callTimeout;
        private int maxRetries = 3;
        private Duration networkTimeout = Duration.ofMinutes(2);
        private @Nullable Duration closeAtShutdown;
        private WriteInTransaction inTransaction = WriteInTransaction.REFUSE;
        private @Nullable WriteListener writeListener;
        private boolean multiRowInserts = true;
        private boolean commitInStatement;

        private Builder() {}

        /**
         * Sets {@link WriteOptions#name()}.
         *
         * @param name a name, not blank
         * @return this builder
         * @throws IllegalArgumentException if the name is blank
         */
        public Builder name(String name) {
            gathering = gathering.toBuilder().name(name).build();
            return this;
        }

        /**
         * Sets {@link WriteOptions#maxBatchSize()}.
         *
         * @param rows a number of rows, at least 1
         * @return this builder
         * @throws IllegalArgumentException if it is below 1
         */
        public Builder maxBatchSize(int rows) {
            gathering = gathering.toBuilder().maxBatchSize(rows).build();
            return this;
        }

        /**
         * Sets {@link WriteOptions#maxConcurrentBatches()}.
         *
         * @param batches a number of batches, at least 1
         * @return this builder
         * @throws IllegalArgumentException if it is below 1
         */
        public Builder maxConcurrentBatches(int batches) {
            gathering = gathering.toBuilder().maxConcurrentBatches(batches).build();
            return this;
        }

        /**
         * Sets {@link WriteOptions#collectingWaitTime()}.
         *
         * @param duration not negative, at most about 292 years
         * @return this builder
         * @throws IllegalArgumentException if it is not in that range
         */
        public Builder collectingWaitTime(Duration duration) {
            if (requireNonNull(duration, "collectingWaitTime").isNegative()) {
                throw new IllegalArgumentException(
                        "collectingWaitTime is " + duration + ": it must not be negative; zero writes at once");
            }
            gathering = gathering.toBuilder().collectingWaitTime(duration).build();
            return this;
        }

        /**
         * Sets {@link WriteOptions#maxPending()}.
         *
         * @param callers a number of callers, at least 1; {@link CollapseOptions#UNLIMITED} for any number
         * @return this builder
         * @throws IllegalArgumentException if it is below 1
         */
        public Builder maxPending(int callers) {
            gathering = gathering.toBuilder().maxPending(callers).build();
            return this;
        }

        /**
         * Sets {@link WriteOptions#listener()}.
         *
         * @param listener who is told of every batch, or null for nobody
         * @return this builder
         */
        public Builder listener(@Nullable CollapseListener listener) {
            gathering = gathering.toBuilder().listener(listener).build();
            return this;
        }

        /**
         * Sets {@link WriteOptions#writeListener()}.
         *
         * @param listener told what became of the rows of every batch, or null for none
         * @return this builder
         */
        public Builder writeListener(@Nullable WriteListener listener) {
            writeListener = listener;
            return this;
        }

        /**
         * Sets {@link WriteOptions#callTimeout()}.
         *
         * @param duration positive, at most about 292 years; or null for no bound
         * @return this builder
         * @throws IllegalArgumentException if it is not in that range
         */
        public Builder callTimeout(@Nullable Duration duration) {
            // Checked by the core, but not left to it, which could not tell a caller what became of its row.
            CollapseOptions.Builder unusedCheck = CollapseOptions.builder().callTimeout(duration);
            callTimeout = duration;
            return this;
        }

        /**
         * Sets {@link WriteOptions#maxRetries()}.
         *
         * @param attempts a number of further attempts, not negative
         * @return this builder
         * @throws IllegalArgumentException if it is negative
         */
        public Builder maxRetries(int attempts) {
            if (attempts < 0) {
                throw new IllegalArgumentException(
                        "maxRetries is " + attempts + ": it must not be negative; 0 gives a batch one attempt");
            }
            maxRetries = attempts;
            return this;
        }

        /**
         * Sets {@link WriteOptions#networkTimeout()}.
         *
         * @param duration not negative, at most 24 days
         * @return this builder
         * @throws IllegalArgumentException if it is not in that range
         */
        public Builder networkTimeout(Duration duration) {
            if (requireNonNull(duration, "networkTimeout").isNegative() || duration.toDays() > 24) {
                throw new IllegalArgumentException("networkTimeout is " + duration
                        + ": it must be between zero, which waits for ever, and 24 days");
            }
            networkTimeout = duration;
            return this;
        }

        /**
         * Sets {@link WriteOptions#closeAtShutdown()}.
         *
         * @param drain positive, or null for no hook
         * @return this builder
         * @throws IllegalArgumentException if it is not positive
         */
        public Builder closeAtShutdown(@Nullable Duration drain) {
            if (drain != null && (drain.isNegative() || drain.isZero())) {
                throw new IllegalArgumentException("closeAtShutdown is " + drain
                        + ": it must be positive, as long as the writing of what is left may take; null sets no hook");
            }
            closeAtShutdown = drain;
            return this;
        }

        /**
         * Sets {@link WriteOptions#inTransaction()}.
         *
         * @param inTransaction what becomes of a call from inside a transaction of the caller's
         * @return this builder
         */
        public Builder inTransaction(WriteInTransaction inTransaction) {
            this.inTransaction = requireNonNull(inTransaction, "inTransaction");
            return this;
        }

        /**
         * Sets {@link WriteOptions#multiRowInserts()}.
         *
         * @param allowed whether rows may be one statement
         * @return this builder
         */
        public Builder multiRowInserts(boolean allowed) {
            multiRowInserts = allowed;
            return this;
        }

        /**
         * Sets {@link WriteOptions#commitInStatement()}.
         *
         * @param allowed whether a statement of many rows is its own commit
         * @return this builder
         */
        public Builder commitInStatement(boolean allowed) {
            commitInStatement = allowed;
            return this;
        }

        /**
         * Copies the settings.
         *
         * @return immutable options
         */
        public WriteOptions build() {
            return new WriteOptions(copy());
        }

        /** Copies every setting. */
        private Builder copy() {
            try {
                return (Builder) clone();
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
        }
    }
}
