package io.github.collapseexecutor.sequence;

import static java.util.Objects.requireNonNull;

import io.github.collapseexecutor.core.Bundle;
import io.github.collapseexecutor.core.CollapseCounts;
import io.github.collapseexecutor.core.CollapseExecutor;
import io.github.collapseexecutor.core.CollapseExecutorAsyncSupport;
import io.github.collapseexecutor.core.CollapseExecutorBlockingSupport;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.Input;
import io.github.collapseexecutor.core.JoinMode;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Gives out the numbers of named sequences; callers that wait for numbers of one sequence share one round trip.
 *
 * <pre>{@code
 * Sequences sequences = Sequences.of(new DatabaseSequences(dataSource));
 * long id = sequences.next("order_id");
 * }</pre>
 *
 * <p><b>Guarantees.</b> Each number is given once, to one caller. A number is greater than every one that was given before
 * its caller asked, hence increasing for each caller. Numbers are taken for callers that wait and for nobody else: there is
 * no stock of numbers that a restart loses. A caller that leaves, a failure or a crash after the numbers were taken leaves a
 * gap, never a repetition. A lone caller's number is fetched at once.
 *
 * <p><b>Transactions.</b> A number is taken outside of the caller's transaction and is not given back by its rollback. A
 * source that needs a connection takes it from its pool while callers hold theirs: give it a pool of its own, one connection
 * for each sequence, or ask before the transaction begins.
 *
 * <p><b>Threads.</b> {@link #next} asks the source on the thread of one of the callers of a batch, {@link #nextAsync} on
 * an executor. The sources of package {@code jdbc} use a database on threads of their own. By default one batch of a sequence is in flight for each of the two, and the next one gathers meanwhile.
 *
 * <p><b>Failure.</b> An unchecked exception of the source reaches the callers of the batch as it is, a checked one as the
 * cause of a {@link SequenceException}. A source whose numbers do not increase (a counter that was set back or lost, a
 * cyclic sequence that began anew) would repeat numbers; its callers get a {@link SequenceException} instead of them. This
 * object compares with the numbers that it has seen itself: a number that only another process has seen is not noticed.
 *
 * <p><b>Life cycle.</b> {@link #close(Duration)} refuses further calls and waits for those that are present; the source is not closed. Spring closes a
 * bean so.
 *
 * <p>Instances are thread-safe and are meant to be kept, one for each source.
 */
public final class Sequences implements CollapseExecutor {

    private static final CollapseOptions DEFAULT_OPTIONS = CollapseOptions.builder()
            .name("sequences")
            .maxConcurrentBatches(1)
            .maxBatchSize(10_000)
            .build();

    // immutable
    private final Blocking blocking;
    private final Async async;
    private final @Nullable DataSource dataSource;

    private Sequences(SequenceSource source, CollapseOptions options) {
        dataSource = source.dataSource();
        CheckedSource checked = new CheckedSource(source);
        blocking = new Blocking(checked, options);
        async = new Async(checked, options);
    }

    /**
     * Returns the sequences of a source, with {@linkplain #defaultOptions() default options}.
     *
     * @param source where numbers come from
     * @return the sequences
     */
    public static Sequences of(SequenceSource source) {
        return of(source, DEFAULT_OPTIONS);
    }

    /**
     * Returns the sequences of a source.
     *
     * @param source where numbers come from
     * @param options how callers are gathered; the group of a batch is the name of the sequence
     * @return the sequences
     * @throws IllegalArgumentException if the options let callers join a batch in flight, which has asked for its numbers already
     */
    public static Sequences of(SequenceSource source, CollapseOptions options) {
        requireNonNull(source, "source");
        if (requireNonNull(options, "options").joinMode() == JoinMode.IN_FLIGHT) {
            throw new IllegalArgumentException("options.joinMode is " + JoinMode.IN_FLIGHT
                    + ": a call in flight has fixed how many numbers it takes, and has none for a caller that joins;"
                    + " it must be " + JoinMode.FRESH);
        }
        return new Sequences(source, options);
    }

    /**
     * Returns what {@link #of(SequenceSource)} gathers by: one batch of a sequence in flight at a time, of 10 000 callers at
     * most. Change single settings with {@code toBuilder()}.
     *
     * @return the options
     */
    public static CollapseOptions defaultOptions() {
        return DEFAULT_OPTIONS;
    }

    /**
     * Sets where the batches of {@link #nextAsync} run. Without it, each has a virtual thread where the JDK has them, else a
     * thread of a bounded pool of daemon threads.
     *
     * @param executor runs batches; it is not shut down by this object
     */
    public void setExecutor(Executor executor) {
        async.setExecutor(requireNonNull(executor, "executor"));
    }

    /**
     * Returns the database that numbers are taken from.
     *
     * @return what {@link SequenceSource#dataSource()} of the source returned; null if it is no database, or not known
     */
    public @Nullable DataSource dataSource() {
        return dataSource;
    }

    /**
     * Returns the next number of a sequence.
     *
     * @param name which sequence
     * @return a number that nobody else is given
     * @throws UnknownSequenceException if the source has no sequence of that name
     * @throws SequenceException if the source failed with a checked exception, gave numbers that may repeat, or did not
     *     answer within {@link CollapseOptions#callTimeout()}
     * @throws InterruptedException if the calling thread was interrupted; a number that was on its way is lost
     */
    public long next(String name) throws InterruptedException {
        requireNonNull(name, "name");
        try {
            return blocking.execute(name);
        } catch (InterruptedException | RuntimeException failure) {
            throw failure;
        } catch (TimeoutException failure) {
            throw new SequenceException("No number of sequence '" + name + "' in time", failure);
        } catch (Exception failure) {
            throw CheckedSource.failed(name, failure);
        }
    }

    /**
     * Returns a future of the next number of a sequence.
     *
     * @param name which sequence
     * @return a future of a number that nobody else is given, for this caller alone; a number of a future that was cancelled
     *     meanwhile is lost. It completes exceptionally with what {@link #next} throws, or with a {@link TimeoutException}
     */
    public CompletableFuture<Long> nextAsync(String name) {
        return async.execute(requireNonNull(name, "name"));
    }

    @Override
    public CollapseCounts counts() {
        return blocking.counts().plus(async.counts());
    }

    /**
     * Closes these sequences, first for {@link #next}, then for {@link #nextAsync}: refuses further calls with an {@link io.github.collapseexecutor.core.ExecutorClosedException}, and waits until those
     * that are present have been answered. If the deadline passes first, or the calling thread is interrupted, the calls whose batch has not
     * started fail with that exception, and no number is taken for them.
     *
     * @param drain how long to wait at most; zero or negative not at all
     * @return whether nothing was left when this returned
     */
    @Override
    public boolean close(Duration drain) {
        long start = System.nanoTime();
        boolean drained = blocking.close(drain);
        return async.close(drain.minusNanos(System.nanoTime() - start)) && drained;
    }

    private static final class Blocking extends CollapseExecutorBlockingSupport<String, Long, long[]> {

        // immutable
        private final CheckedSource source;

        Blocking(CheckedSource source, CollapseOptions options) {
            super(options);
            this.source = source;
        }

        @Override
        protected Object groupOf(String name) {
            return name;
        }

        @Override
        protected long[] doExecute(Collection<Input<String>> inputs) throws Exception {
            return source.take(inputs);
        }

        @Override
        protected void bindingOutput(long[] numbers, List<Bundle<String, Long>> bundles) {
            for (int i = 0; i < numbers.length; i++) {
                bundles.get(i).bindOutput(numbers[i]);
            }
        }
    }

    private static final class Async extends CollapseExecutorAsyncSupport<String, Long, long[]> {

        // immutable
        private final CheckedSource source;

        Async(CheckedSource source, CollapseOptions options) {
            super(options);
            this.source = source;
        }

        @Override
        protected Object groupOf(String name) {
            return name;
        }

        @Override
        protected long[] doExecute(Collection<Input<String>> inputs) throws Exception {
            return source.take(inputs);
        }

        @Override
        protected void bindingOutput(long[] numbers, List<Bundle<String, CompletableFuture<Long>>> bundles) {
            for (int i = 0; i < numbers.length; i++) {
                bundles.get(i).bindOutput(CompletableFuture.completedFuture(numbers[i]));
            }
        }
    }
}
