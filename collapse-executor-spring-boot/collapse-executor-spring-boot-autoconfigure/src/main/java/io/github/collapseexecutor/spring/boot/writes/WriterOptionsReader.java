package io.github.collapseexecutor.spring.boot.writes;

import static io.github.collapseexecutor.spring.boot.config.OptionsReader.setAt;

import io.github.collapseexecutor.jdbc.WriteInTransaction;
import io.github.collapseexecutor.jdbc.WriteOptions;
import io.github.collapseexecutor.spring.boot.config.CollapseExecutorProperties;
import io.github.collapseexecutor.spring.boot.config.OptionsReader;

/** Builds the options of writers from {@code collapse.executor.writers}. */
record WriterOptionsReader(CollapseExecutorProperties properties) {

    /** Batches at a time of a writer that gathers nothing: as many as a pool has connections by default. */
    private static final int ROWS_AT_A_TIME = 10;

    /** The property under which a writer has properties of its own. */
    static String propertyOf(String writer) {
        return OptionsReader.propertyOf(OptionsReader.WRITERS, writer);
    }

    /** The property that names the data source of a writer. */
    static String dataSourceOf(String writer) {
        return propertyOf(writer) + ".data-source";
    }

    /** How the writer of this name gathers, and what it does about failures; a value that is not allowed is refused. */
    WriteOptions.Builder of(String name) {
        WriteOptions.Builder options = WriteOptions.builder().name(name);
        CollapseExecutorProperties.Writer section = properties.writers().get(name);
        if (section != null) {
            read(propertyOf(name), section, options);
        }
        return properties.enabled() ? options : options.maxBatchSize(1).maxConcurrentBatches(ROWS_AT_A_TIME);
    }

    private static void read(String property, CollapseExecutorProperties.Writer section, WriteOptions.Builder options) {
        setAt(property + ".max-batch-size", section.maxBatchSize(), options::maxBatchSize);
        setAt(property + ".max-concurrent-batches", section.maxConcurrentBatches(), options::maxConcurrentBatches);
        setAt(property + ".collecting-wait-time", section.collectingWaitTime(), options::collectingWaitTime);
        setAt(property + ".max-pending", section.maxPending(), options::maxPending);
        setAt(property + ".call-timeout", section.callTimeout(), options::callTimeout);
        setAt(property + ".max-retries", section.maxRetries(), options::maxRetries);
        setAt(property + ".network-timeout", section.networkTimeout(), options::networkTimeout);
        setAt(
                property + ".in-transaction",
                section.inTransaction(),
                mode -> options.inTransaction(WriteInTransaction.valueOf(mode.name())));
        setAt(property + ".multi-row-inserts", section.multiRowInserts(), options::multiRowInserts);
        setAt(property + ".commit-in-statement", section.commitInStatement(), options::commitInStatement);
    }
}
