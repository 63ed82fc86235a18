package io.github.collapseexecutor.core;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Base of executors that answer many inputs with one call that does not block, while their callers hold futures.
 *
 * <pre>{@code
 * class Users extends CollapseExecutorFutureSupport<Long, User, Map<Long, User>> {
 *     protected CompletionStage<Map<Long, User>> doExecute(Collection<Input<Long>> inputs) {
 *         return client.findAll(inputs.stream().map(Input::value).collect(toSet()));
 *     }
 *
 *     protected void bindingOutput(Map<Long, User> users, List<Bundle<Long, CompletableFuture<User>>> bundles) {
 *         bundles.forEach(bundle -> bundle.bindOutput(completedFuture(users.get(bundle.getInput()))));
 *     }
 * }
 * }</pre>
 *
 * <p><b>Guarantees.</b> Those of {@link CollapseExecutorBlockingSupport}. A batch is in flight until its stage has completed
 * and {@link #bindingOutput} has returned. A caller is bound to a future of its output, so that parts of a result
 * may come later. A caller whose bundle was bound to null gets an {@link UnboundOutputException}, and so do all callers of
 * a batch whose {@link #doExecute} returned null.
 *
 * <p><b>Threads.</b> A lone caller's batch is started on its own thread, at once; one that had to wait, on the thread that
 * ended another batch, or on one that stands in for the timer; {@link #bindingOutput} is called on the thread that completes
 * the stage. Neither may block or depend on thread-locals. No thread waits. An executor that was given executors starts
 * its batches on those instead, and a batch gathers until its executor gets to it.
 *
 * <p><b>Memory consistency.</b> Actions before {@code execute} in every caller of a batch happen-before {@link #doExecute},
 * and {@link #bindingOutput} happens-before the completion of each caller's future.
 *
 * <p><b>Leaving.</b> A caller leaves by cancelling or completing its future, and affects no other; if its batch has not
 * started, its input is not executed. When the last caller of a batch in flight leaves, the stage is cancelled, if it can
 * be; a later caller starts anew.
 *
 * <p>For a plain function from keys to values see {@link CollapseExecutors}.
 *
 * @param <INPUT> what callers submit
 * @param <OUTPUT> what callers get
 * @param <BATCH_OUTPUT> what one execution gives for all inputs of a batch
 */
public abstract class CollapseExecutorFutureSupport<
                INPUT extends @Nullable Object, OUTPUT extends @Nullable Object, BATCH_OUTPUT extends @Nullable Object>
        implements FutureCollapseExecutor<INPUT, OUTPUT> {

    // immutable
    private final FutureRunner<INPUT, CompletableFuture<OUTPUT>, BATCH_OUTPUT, OUTPUT> runner;

    /** Creates an executor with {@linkplain CollapseOptions#defaults() default options}. */
    protected CollapseExecutorFutureSupport() {
        this(CollapseOptions.defaults());
    }

    /**
     * Creates an executor.
     *
     * @param options how it gathers
     */
    protected CollapseExecutorFutureSupport(CollapseOptions options) {
        this(options, SystemScheduler.INSTANCE);
    }

    /**
     * Creates an executor whose batches are started on executors, for clients whose connections belong to an event loop: a
     * batch gathers until the loop gets to it, and its call begins on the thread that is to make it.
     *
     * @param options how it gathers
     * @param executorOf gives for a group ({@link #groupOf}) the executor on which its batches are started and {@link
     *     #doExecute} is called; it is asked for every batch and must not block. A batch fails with what it throws, or
     *     the executor that it gives
     */
    protected CollapseExecutorFutureSupport(CollapseOptions options, Function<Object, ? extends Executor> executorOf) {
        this(options, requireNonNull(executorOf, "executorOf"), SystemScheduler.INSTANCE);
    }

    CollapseExecutorFutureSupport(CollapseOptions options, EngineScheduler scheduler) {
        this(options, null, scheduler);
    }

    private CollapseExecutorFutureSupport(
            CollapseOptions options,
            @Nullable Function<Object, ? extends Executor> executorOf,
            EngineScheduler scheduler) {
        runner = new FutureRunner<>(
                requireNonNull(options, "options"), true, new Work(), CallerAnswer.byFuture(), executorOf, scheduler);
    }

    CollapseEngine<?, ?> engine() {
        return runner.engine();
    }

    @Override
    public final CollapseCounts counts() {
        return runner.engine().counts();
    }

    @Override
    public final boolean close(Duration drain) {
        return runner.close(drain);
    }

    @Override
    public final CompletableFuture<OUTPUT> execute(INPUT input) {
        return runner.execute(group(input), input);
    }

    @Override
    public final CompletableFuture<OUTPUT> execute(INPUT input, CallOptions options) {
        return runner.execute(group(input), input, requireNonNull(options, "options"));
    }

    @Override
    public final List<CompletableFuture<OUTPUT>> executeEach(Collection<? extends INPUT> inputs, CallOptions options) {
        return runner.executeEach(inputs, this::group, requireNonNull(options, "options"));
    }

    @Override
    public final void forget(INPUT input) {
        runner.engine().forget(group(input), input);
    }

    private Object group(INPUT input) {
        return requireNonNull(groupOf(input), "groupOf returned null");
    }

    /**
     * Begins the call that answers a batch.
     *
     * @param inputs the inputs, one for each caller, in order of submission; at least one, unmodifiable; equal values of
     *     different callers stand in it as often as they were submitted
     * @return a stage of what {@link #bindingOutput} is to bind; a null result is passed on to it. If it fails, every caller
     *     of the batch gets its failure, as it is
     * @throws Exception what every caller of the batch is to get, as it is
     */
    protected abstract CompletionStage<BATCH_OUTPUT> doExecute(Collection<Input<INPUT>> inputs) throws Exception;

    /**
     * Gives each caller its own part of the result.
     *
     * @param output the result of the stage of {@link #doExecute}
     * @param bundles the same inputs in the same order, each to be bound once, to a future of its output
     * @throws Exception what every caller is to get that has not been bound before
     */
    protected abstract void bindingOutput(BATCH_OUTPUT output, List<Bundle<INPUT, CompletableFuture<OUTPUT>>> bundles)
            throws Exception;

    /**
     * Says which inputs may share a batch: those whose groups are equal. By default all may.
     *
     * @param input what a caller submitted
     * @return a key with {@code equals} and {@code hashCode}, not null; if this method or those throw, the caller gets that
     */
    protected Object groupOf(INPUT input) {
        return Batch.ONE_GROUP;
    }

    /**
     * Says what an input weighs, where {@link CollapseOptions#maxBatchWeight()} bounds a batch; not asked elsewhere. By
     * default every input weighs 1.
     *
     * @param input what a caller submitted
     * @return a weight, not negative, the same for equal inputs; if it is negative or this method throws, the caller gets
     *     that
     */
    protected long weightOf(INPUT input) {
        return 1;
    }

    private final class Work implements StageWork<INPUT, CompletableFuture<OUTPUT>, BATCH_OUTPUT> {

        @Override
        public CompletionStage<BATCH_OUTPUT> execute(Batch<INPUT, CompletableFuture<OUTPUT>> batch) throws Exception {
            return doExecute(batch.inputs());
        }

        @Override
        public void bind(BATCH_OUTPUT output, Batch<INPUT, CompletableFuture<OUTPUT>> batch) throws Exception {
            bindingOutput(output, batch.bundles());
        }

        @Override
        public long weightOf(INPUT input) {
            return CollapseExecutorFutureSupport.this.weightOf(input);
        }
    }
}
