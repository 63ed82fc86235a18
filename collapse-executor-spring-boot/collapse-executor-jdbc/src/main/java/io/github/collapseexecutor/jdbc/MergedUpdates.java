package io.github.collapseexecutor.jdbc;

import static java.util.Objects.requireNonNull;

import io.github.collapseexecutor.core.CollapseCounts;
import io.github.collapseexecutor.core.CollapseExecutor;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;

/**
 * Merges the updates that concurrent callers make to the same row into one statement, and tells each whether its own part
 * was taken.
 *
 * <pre>{@code
 * MergedUpdates<Long, Integer> stock = new MergedUpdates<>(dataSource, deduction); // see MergedUpdate
 *
 * boolean deducted = stock.execute(goodsId, 1);
 * }</pre>
 *
 * <p><b>Guarantees.</b> A call that returns true has its part committed, once; one that returns false or throws has changed
 * nothing, with one exception: an {@link OutcomeUnknownException} says that nobody knows. If not all parts fit,
 * those that do are taken in order of submission: of a stock of 7, ten callers who want 1 each leave with seven. That order
 * holds as long as one batch is in flight at a time, which is the default. No part is taken because of what was read: the update's own condition decides, so that other writers to the row do no harm.
 *
 * <p><b>When.</b> One batch at a time by default, over all rows: a statement for each row, one commit for all, while the next
 * batch gathers. Threads, transactions and memory consistency are those of {@link GroupCommit}.
 *
 * @param <KEY> says which row, with {@code equals} and {@code hashCode}
 * @param <PART> what a caller wants of it
 */
public final class MergedUpdates<KEY, PART> implements CollapseExecutor {

    // immutable
    private final MergedUpdate<KEY, PART> update;
    private final WriteExecutor<MergingWriter.Part<KEY, PART>, Boolean> executor;

    /**
     * Creates a writer with {@linkplain WriteOptions#defaults() default options}.
     *
     * @param dataSource gives connections to the target, best from a pool
     * @param update how parts become one statement
     */
    public MergedUpdates(DataSource dataSource, MergedUpdate<KEY, PART> update) {
        this(dataSource, update, WriteOptions.defaults());
    }

    /**
     * Creates a writer.
     *
     * @param dataSource gives connections to the target, best from a pool
     * @param update how parts become one statement
     * @param options how it gathers and what it does about failures; a batch holds so many parts
     */
    public MergedUpdates(DataSource dataSource, MergedUpdate<KEY, PART> update, WriteOptions options) {
        this.update = requireNonNull(update, "update");
        MergingWriter<KEY, PART> writer = new MergingWriter<>(new BatchWriter(options), update);
        executor = new WriteExecutor<>(
                options,
                CallerTransaction.of(MergedUpdates.class.getClassLoader()),
                new GatheredWrites<>(options, dataSource, writer::write));
    }

    /**
     * Has a part taken and waits until it is durable.
     *
     * @param key which row
     * @param part what is wanted of it
     * @return true if the row has changed by this part; false if the update's condition did not hold, or there is no such
     *     row
     * @throws SQLException why the part was not taken; what the update's functions throw comes as it is
     * @throws java.sql.SQLTimeoutException if {@code callTimeout} passed before the part's turn came; nothing has changed
     * @throws OutcomeUnknownException if the part may or may not have been taken
     * @throws InterruptedException if the calling thread was interrupted before the part's turn came; nothing has changed
     * @throws IllegalStateException if the calling thread is in a transaction
     * @throws java.util.concurrent.RejectedExecutionException if {@code maxPending} callers are waiting already
     */
    public boolean execute(KEY key, PART part) throws SQLException, InterruptedException {
        return executor.execute(update, part(key, part));
    }

    /**
     * Hands in a part and returns.
     *
     * @param key which row
     * @param part what is wanted of it
     * @return completes when the part is durable or refused, or with what {@link #execute} throws. A caller that cancels it does
     *     not learn whether the part was taken. In a transaction, with {@link WriteInTransaction#AFTER_COMMIT}, it is cancelled
     *     if that does not commit
     * @throws IllegalStateException if the calling thread is in a transaction and writes are not deferred
     * @throws java.util.concurrent.RejectedExecutionException if {@code maxPending} callers are waiting already
     */
    public CompletableFuture<Boolean> submit(KEY key, PART part) {
        return executor.submit(update, part(key, part));
    }

    /**
     * Counts what is in this writer: callers that wait for their outcome, and batches that are being written. A call that waits for the
     * end of its caller's transaction does not count yet.
     *
     * @return the counts; at one moment
     */
    @Override
    public CollapseCounts counts() {
        return executor.counts();
    }

    /**
     * Closes this writer, as {@link GroupCommit#close(Duration)} says.
     *
     * @param drain how long to wait at most; zero or negative not at all
     * @return whether nothing was left when this returned
     */
    @Override
    public boolean close(Duration drain) {
        return executor.close(requireNonNull(drain, "drain"));
    }

    private static <KEY, PART> MergingWriter.Part<KEY, PART> part(KEY key, PART part) {
        return new MergingWriter.Part<>(requireNonNull(key, "key"), requireNonNull(part, "part"));
    }
}
