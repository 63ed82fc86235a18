package io.github.collapseexecutor.sample.commitlog;

/**
 * How large the files and records of a log may be; immutable.
 *
 * <pre>{@code
 * CommitLogOptions options = CommitLogOptions.builder().segmentSize(16 << 20).build();
 * }</pre>
 */
public final class CommitLogOptions {

    private static final int LARGEST_SEGMENT = 1 << 30;
    private static final int LARGEST_RECORD = 64 << 20;
    /** What one group may add to a segment, so that no segment reaches 2 GiB. */
    private static final int LARGEST_GROUP = 512 << 20;

    private static final CommitLogOptions DEFAULTS = builder().build();

    // immutable
    private final int segmentSize;
    private final int maxRecordSize;

    private CommitLogOptions(Builder builder) {
        segmentSize = builder.segmentSize;
        maxRecordSize = builder.maxRecordSize;
    }

    /**
     * Returns the options of a log that was given none.
     *
     * @return what {@code builder().build()} returns
     */
    public static CommitLogOptions defaults() {
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
     * Returns the size at which a segment is full: the next group of records begins another. A group is never split, so
     * that a segment may outgrow it by the group that reaches it.
     *
     * @return bytes, from 1 to 1 GiB; 64 MiB by default
     */
    public int segmentSize() {
        return segmentSize;
    }

    /**
     * Returns the size of the largest record.
     *
     * @return bytes, from 1 to 64 MiB; 1 MiB by default
     */
    public int maxRecordSize() {
        return maxRecordSize;
    }

    /** How many records a group may have. */
    int maxGroupRecords() {
        return LARGEST_GROUP / (maxRecordSize + RecordFormat.HEADER_SIZE);
    }

    /** Collects options; not thread-safe. */
    public static final class Builder {

        // mutable, confined to the caller
        private int segmentSize = 64 << 20;
        private int maxRecordSize = 1 << 20;

        private Builder() {}

        /**
         * Sets {@link CommitLogOptions#segmentSize()}.
         *
         * @param bytes from 1 to 1 GiB
         * @return this builder
         */
        public Builder segmentSize(int bytes) {
            segmentSize = between("segmentSize", bytes, LARGEST_SEGMENT);
            return this;
        }

        /**
         * Sets {@link CommitLogOptions#maxRecordSize()}.
         *
         * @param bytes from 1 to 64 MiB
         * @return this builder
         */
        public Builder maxRecordSize(int bytes) {
            maxRecordSize = between("maxRecordSize", bytes, LARGEST_RECORD);
            return this;
        }

        /**
         * Copies the settings.
         *
         * @return immutable options
         */
        public CommitLogOptions build() {
            return new CommitLogOptions(this);
        }

        private static int between(String setting, int value, int largest) {
            if (value < 1 || value > largest) {
                throw new IllegalArgumentException(
                        setting + " is " + value + " bytes: it must be from 1 to " + largest);
            }
            return value;
        }
    }
}
