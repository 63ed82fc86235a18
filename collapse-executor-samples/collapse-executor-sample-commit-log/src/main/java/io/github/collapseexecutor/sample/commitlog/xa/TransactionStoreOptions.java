package io.github.collapseexecutor.sample.commitlog.xa;

import static java.util.Objects.requireNonNull;

import io.github.collapseexecutor.sample.commitlog.CommitLogOptions;
import java.time.Duration;

/**
 * How a store commits, and how large its files may be; immutable.
 *
 * <pre>{@code
 * TransactionStoreOptions options =
 *         TransactionStoreOptions.builder().flushLogAtCommit(2).syncBinlog(1000).build();
 * }</pre>
 */
public final class TransactionStoreOptions {

    /** How many transactions a group may have, so that no binlog file outgrows what a log can hold. */
    static final int MAX_GROUP = 500;

    private static final int LARGEST_FILE = 1 << 30;
    private static final Duration LONGEST_INTERVAL = Duration.ofDays(1);
    private static final TransactionStoreOptions DEFAULTS = builder().build();

    // immutable
    private final CommitWay way;
    private final int flushLogAtCommit;
    private final Duration flushLogInterval;
    private final int syncBinlog;
    private final int binlogFileSize;
    private final int redoFileSize;

    private TransactionStoreOptions(Builder builder) {
        way = builder.way;
        flushLogAtCommit = builder.flushLogAtCommit;
        flushLogInterval = builder.flushLogInterval;
        syncBinlog = builder.syncBinlog;
        binlogFileSize = builder.binlogFileSize;
        redoFileSize = builder.redoFileSize;
    }

    /**
     * Returns the options of a store that was given none.
     *
     * @return what {@code builder().build()} returns
     */
    public static TransactionStoreOptions defaults() {
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
     * Returns how commits get through both logs.
     *
     * @return {@link CommitWay#GROUPED_REDO} by default
     */
    public CommitWay way() {
        return way;
    }

    /**
     * Returns what is done with the redo log before the binlog is written: 0 nothing, 1 write and sync, 2 write.
     *
     * @return 0, 1 or 2; 1 by default
     */
    public int flushLogAtCommit() {
        return flushLogAtCommit;
    }

    /**
     * Returns how old a redo record may become that is not durable, if {@link #flushLogAtCommit()} is 0 or 2.
     *
     * @return from 1 ms to 1 day; 1 s by default
     */
    public Duration flushLogInterval() {
        return flushLogInterval;
    }

    /**
     * Returns after how many groups of transactions the binlog is synced.
     *
     * @return at least 1, or 0 to leave that to the operating system; 1 by default
     */
    public int syncBinlog() {
        return syncBinlog;
    }

    /**
     * Returns the size at which a binlog file is full.
     *
     * @return bytes, from 1 to 1 GiB; 64 MiB by default
     */
    public int binlogFileSize() {
        return binlogFileSize;
    }

    /**
     * Returns the size at which a file of the redo log is full.
     *
     * @return bytes, from 1 to 1 GiB; 64 MiB by default
     */
    public int redoFileSize() {
        return redoFileSize;
    }

    CommitLogOptions binlogFiles() {
        return CommitLogOptions.builder().segmentSize(binlogFileSize).build();
    }

    CommitLogOptions redoFiles() {
        return CommitLogOptions.builder().segmentSize(redoFileSize).build();
    }

    /** The size of the largest record of a transaction, in bytes. */
    int maxRecordSize() {
        return binlogFiles().maxRecordSize();
    }

    /** Collects options; not thread-safe. */
    public static final class Builder {

        // mutable, confined to the caller
        private CommitWay way = CommitWay.GROUPED_REDO;
        private int flushLogAtCommit = 1;
        private Duration flushLogInterval = Duration.ofSeconds(1);
        private int syncBinlog = 1;
        private int binlogFileSize = 64 << 20;
        private int redoFileSize = 64 << 20;

        private Builder() {}

        /**
         * Sets {@link TransactionStoreOptions#way()}.
         *
         * @param value the way
         * @return this builder
         */
        public Builder way(CommitWay value) {
            way = requireNonNull(value, "way");
            return this;
        }

        /**
         * Sets {@link TransactionStoreOptions#flushLogAtCommit()}.
         *
         * @param value 0, 1 or 2
         * @return this builder
         */
        public Builder flushLogAtCommit(int value) {
            if (value < 0 || value > 2) {
                throw new IllegalArgumentException("flushLogAtCommit is " + value
                        + ": it must be 0 (write and sync after the interval), 1 (write and sync at each commit) or 2"
                        + " (write at each commit)");
            }
            flushLogAtCommit = value;
            return this;
        }

        /**
         * Sets {@link TransactionStoreOptions#flushLogInterval()}.
         *
         * @param interval from 1 ms to 1 day
         * @return this builder
         */
        public Builder flushLogInterval(Duration interval) {
            if (interval.compareTo(Duration.ofMillis(1)) < 0 || interval.compareTo(LONGEST_INTERVAL) > 0) {
                throw new IllegalArgumentException(
                        "flushLogInterval is " + interval + ": it must be from PT0.001S to " + LONGEST_INTERVAL);
            }
            flushLogInterval = interval;
            return this;
        }

        /**
         * Sets {@link TransactionStoreOptions#syncBinlog()}.
         *
         * @param groups at least 0
         * @return this builder
         */
        public Builder syncBinlog(int groups) {
            if (groups < 0) {
                throw new IllegalArgumentException("syncBinlog is " + groups
                        + ": it must be 0 (never) or the number of groups after which the binlog is synced");
            }
            syncBinlog = groups;
            return this;
        }

        /**
         * Sets {@link TransactionStoreOptions#binlogFileSize()}.
         *
         * @param bytes from 1 to 1 GiB
         * @return this builder
         */
        public Builder binlogFileSize(int bytes) {
            binlogFileSize = fileSize("binlogFileSize", bytes);
            return this;
        }

        /**
         * Sets {@link TransactionStoreOptions#redoFileSize()}.
         *
         * @param bytes from 1 to 1 GiB
         * @return this builder
         */
        public Builder redoFileSize(int bytes) {
            redoFileSize = fileSize("redoFileSize", bytes);
            return this;
        }

        /**
         * Copies the settings.
         *
         * @return immutable options
         */
        public TransactionStoreOptions build() {
            return new TransactionStoreOptions(this);
        }

        private static int fileSize(String setting, int bytes) {
            if (bytes < 1 || bytes > LARGEST_FILE) {
                throw new IllegalArgumentException(
                        setting + " is " + bytes + " bytes: it must be from 1 to " + LARGEST_FILE);
            }
            return bytes;
        }
    }
}
