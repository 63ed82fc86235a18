package io.github.collapseexecutor.core;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Base of executors that answer many inputs with one call, on the thread of one of the callers.
 *
 * <pre>{@code
 * class Users extends CollapseExecutorBlockingSupport<Long, User, Map<Long, User>> {
 *     protected Map<Long, User> doExecute(Collection<Input<Long>> inputs) {
 *         return repository.findAll(inputs.stream().map(Input::value).collect(toSet()));
 *     }
 *
 *     protected void bindingOutput(Map<Long, User> users, List<Bundle<Long, User>> bundles) {
 *         bundles.forEach(bundle -> bundle.bindOutput(users.get(bundle.getInput())));
 *     }
 * }
 * }</pre>
 *
 * <p><b>Guarantees.</b> Every call ends exactly once, whatever the two methods do: with what was bound to its own input,
 * with the failure that was bound or thrown, of the same type, with an {@link UnboundOutputException}, or by its own
 * interruption or time-out. Inputs stand in a batch in the order of their submission. With {@link JoinMode#FRESH}, the
 * default, no input joins a batch that has started.
 *
 * <p><b>Threads.</b> A lone caller's batch runs on its own thread, at once; of several callers one leads, with its
 * thread-locals, while the others wait. The two methods are called in turn for a batch, and for several batches at the same
 * time. They may call this executor again.
 *
 * <p><b>Memory consistency.</b> Actions before {@code execute} in every caller of a batch happen-before {@link #doExecute},
 * and {@link #bindingOutput} happens-before the return of {@code execute} in each of them.
 *
 * <p><b>Interruption.</b> A waiting caller that is interrupted leaves at once; if its batch has not started, its input is
 * not executed. A leader that is interrupted before the start hands the batch to the next caller. One whose interruption
 * breaks off the execution has its failure for itself, and those inputs that have no outcome are executed once more, by
 * another caller.
 *
 * <p>For a plain function from keys to values see {@link CollapseExecutors}.
 *
 * @param <INPUT> what callers submit
 * @param <OUTPUT> what callers get
 * @param <BATCH_OUTPUT> what one execution gives for all inputs of a batch
 */
public abstract class CollapseExecutorBlockingSupport<
                INPUT extends @Nullable Object, OUTPUT extends @Nullable Object, BATCH_OUTPUT extends @Nullable Object>
        implements BlockingCollapseExecutor<INPUT, OUTPUT> {

    // immutable
    private final BlockingRunner<INPUT, OUTPUT, BATCH_OUTPUT> runner;

    /** Creates an executor with {@linkplain CollapseOptions#defaults() default options}. */
    protected CollapseExecutorBlockingSupport() {
        this(CollapseOptions.defaults());
    }

    /**
     * Creates an executor.
     *
     * @param options how it gathers
     */
    protected CollapseExecutorBlockingSupport(CollapseOptions options) {
        this(options, SystemScheduler.INSTANCE);
    }

    CollapseExecutorBlockingSupport(CollapseOptions options, EngineScheduler scheduler) {
        runner = new BlockingRunner<>(requireNonNull(options, "options"), true, new Work(), scheduler);
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
    public final OUTPUT execute(INPUT input) throws Exception {
        return runner.execute(group(input), input);
    }

    @Override
    public final OUTPUT execute(INPUT input, CallOptions options) throws Exception {
        return runner.execute(group(input), input, requireNonNull(options, "options"));
    }

    @Override
    public final List<InputOutcome<OUTPUT>> executeEach(Collection<? extends INPUT> inputs, CallOptions options)
            throws InterruptedException {
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
     * @param bundles the same inputs in the same order, each to be bound once
     * @throws Exception what every caller is to get that has not been bound before
     */
    protected abstract void bindingOutput(BATCH_OUTPUT output, List<Bundle<INPUT, OUTPUT>> bundles) throws Exception;

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

    private final class Work implements BatchWork<INPUT, OUTPUT, BATCH_OUTPUT> {

        @Override
        public BATCH_OUTPUT execute(Batch<INPUT, OUTPUT> batch) throws Exception {
            return doExecute(batch.inputs());
        }

        @Override
        public void bind(BATCH_OUTPUT output, Batch<INPUT, OUTPUT> batch) throws Exception {
            bindingOutput(output, batch.bundles());
        }

        @Override
        public long weightOf(INPUT input) {
            return CollapseExecutorBlockingSupport.this.weightOf(input);
        }
    }
}
