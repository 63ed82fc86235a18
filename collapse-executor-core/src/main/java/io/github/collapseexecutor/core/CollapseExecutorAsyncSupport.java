package io.github.collapseexecutor.core;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Base of executors that answer many inputs with one call, on an executor, while their callers hold futures.
 *
 * <pre>{@code
 * class Users extends CollapseExecutorAsyncSupport<Long, User, Map<Long, User>> {
 *     protected Map<Long, User> doExecute(Collection<Input<Long>> inputs) {
 *         return repository.findAll(inputs.stream().map(Input::value).collect(toSet()));
 *     }
 *
 *     protected void bindingOutput(Map<Long, User> users, List<Bundle<Long, CompletableFuture<User>>> bundles) {
 *         bundles.forEach(bundle -> bundle.bindOutput(completedFuture(users.get(bundle.getInput()))));
 *     }
 * }
 * }</pre>
 *
 * <p><b>Guarantees.</b> Those of {@link CollapseExecutorBlockingSupport}. A caller is bound to a future of its
 * output, so that parts of a result may come later; the batch has ended when {@link #bindingOutput} returns. A caller
 * whose bundle was bound to null gets an {@link UnboundOutputException}.
 *
 * <p><b>Threads.</b> The two methods are called on a thread of the executor, with no caller's thread-locals, and for several
 * batches at the same time. A batch gathers until such a thread gets to it. If they call this executor again, the nested
 * batch runs on their own thread before the nested {@code execute} returns, so that a bounded executor cannot wait for
 * itself; one that has to wait for a place in another group runs on the default executor. A batch that has not begun a second after its dispatch is dispatched again, and later once more, so that it
 * survives an executor which drops tasks without a word. An executor that was shut down, or refuses a batch with an
 * exception, fails its callers.
 *
 * <p><b>Memory consistency.</b> Actions before {@code execute} in every caller of a batch happen-before {@link #doExecute},
 * and {@link #bindingOutput} happens-before the completion of each caller's future.
 *
 * <p><b>Leaving.</b> A caller leaves by cancelling or completing its future, and affects no other; if its batch has not
 * started, its input is not executed.
 *
 * <p>For a plain function from keys to values see {@link CollapseExecutors}.
 *
 * @param <INPUT> what callers submit
 * @param <OUTPUT> what callers get
 * @param <BATCH_OUTPUT> what one execution gives for all inputs of a batch
 */
public abstract class CollapseExecutorAsyncSupport<
                INPUT extends @Nullable Object, OUTPUT extends @Nullable Object, BATCH_OUTPUT extends @Nullable Object>
        implements FutureCollapseExecutor<INPUT, OUTPUT> {

    // immutable
    private final FutureRunner<INPUT, CompletableFuture<OUTPUT>, BATCH_OUTPUT, OUTPUT> runner;
    private final SettableExecutor executor = new SettableExecutor();

    /** Creates an executor with {@linkplain CollapseOptions#defaults() default options}. */
    protected CollapseExecutorAsyncSupport() {
        this(CollapseOptions.defaults());
    }

    /**
     * Creates an executor.
     *
     * @param options how it gathers
     */
    protected CollapseExecutorAsyncSupport(CollapseOptions options) {
        this(options, SystemScheduler.INSTANCE);
    }

    CollapseExecutorAsyncSupport(CollapseOptions options, EngineScheduler scheduler) {
        runner = new FutureRunner<>(
                requireNonNull(options, "options"),
                true,
                StageWork.of(new Work()),
                CallerAnswer.byFuture(),
                group -> executor.get(),
                scheduler);
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

    /**
     * Sets where batches run. Without it, each has a virtual thread where the JDK has them, else a thread of a pool of daemon
     * threads, as {@link AsyncCallableGroupCollapseExecutor#setExecutor} says.
     *
     * @param executor runs batches; it is not shut down by this object
     */
    public final void setExecutor(Executor executor) {
        this.executor.set(executor);
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
     * Makes the call that answers a batch.
     *
     * @param inputs the inputs, one for each caller, in order of submission; at least one, unmodifiable; equal values of
     *     different callers stand in it as often as they were submitted
     * @return what {@link #bindingOutput} is to bind; null is passed on to it
     * @throws Exception what every caller of the batch is to get, as it is
     */
    protected abstract BATCH_OUTPUT doExecute(Collection<Input<INPUT>> inputs) throws Exception;

    /**
     * Gives each caller its own part of the result.
     *
     * @param output what {@link #doExecute} returned
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

    private final class Work implements BatchWork<INPUT, CompletableFuture<OUTPUT>, BATCH_OUTPUT> {

        @Override
        public BATCH_OUTPUT execute(Batch<INPUT, CompletableFuture<OUTPUT>> batch) throws Exception {
            return doExecute(batch.inputs());
        }

        @Override
        public void bind(BATCH_OUTPUT output, Batch<INPUT, CompletableFuture<OUTPUT>> batch) throws Exception {
            bindingOutput(output, batch.bundles());
        }

        @Override
        public long weightOf(INPUT input) {
            return CollapseExecutorAsyncSupport.this.weightOf(input);
        }
    }
}
