package io.github.collapseexecutor.core;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs batches away from their callers, who hold futures: on an executor, or, if the work does not block, on whichever
 * thread submits, ends a batch or minds the timer.
 *
 * <p>A thread that ends a batch first sees the next one on its way, which the ended one had held up, and then delivers to
 * the callers, whose dependent actions may take their time. It does so in a loop ({@link #proceed}), not by recursion,
 * however many batches end as soon as they begin and wherever an executor runs its tasks.
 *
 * @param <I> the input
 * @param <O> what is bound to a call
 * @param <B> what the execution gives for the whole batch
 * @param <R> what the caller's future gives
 */
final class FutureRunner<
        I extends @Nullable Object,
        O extends @Nullable Object,
        B extends @Nullable Object,
        R extends @Nullable Object> {

    /** How a caller is answered with what was bound to its call. */
    interface Answer<O extends @Nullable Object, R extends @Nullable Object> {

        void give(O output, CallFuture<R> future);
    }

    /** What was bound is the answer. */
    static <O extends @Nullable Object> Answer<O, O> direct() {
        return (output, future) -> future.answer(output);
    }

    /** What was bound is a future of the answer. */
    static <R extends @Nullable Object> Answer<@Nullable CompletableFuture<R>, R> byFuture() {
        return (output, future) -> {
            if (output == null) {
                future.fail(new UnboundOutputException(
                        "The batch function bound null: it must bind a CompletableFuture of the output"));
                return;
            }
            CompletableFuture<R> unused = output.whenComplete((value, failure) -> {
                if (failure == null) {
                    future.answer(value);
                } else {
                    future.fail(Failures.unwrapped(failure));
                }
            });
        };
    }

    // immutable
    private final CollapseEngine<I, O> engine;
    private final StageWork<I, O, B> work;
    private final Answer<O, R> answer;
    private final @Nullable Duration callTimeout;
    /** Gives the executor that the batches of a group run on; null if they run on any thread. */
    private final @Nullable Function<Object, ? extends Executor> executorOf;

    // mutable, thread-safe
    /** Batches that an executor has taken and has not begun; it may never begin them. */
    private final Set<Batch<I, O>> dispatched = ConcurrentHashMap.newKeySet();

    FutureRunner(
            CollapseOptions options,
            boolean answersByInput,
            StageWork<I, O, B> work,
            Answer<O, R> answer,
            @Nullable Function<Object, ? extends Executor> executorOf,
            EngineTime time) {
        CollapseEngine.Runner runner = executorOf == null ? CollapseEngine.Runner.ANY : CollapseEngine.Runner.EXECUTOR;
        this.engine = new CollapseEngine<>(options, runner, answersByInput, time);
        this.work = work;
        this.answer = answer;
        this.callTimeout = options.callTimeout();
        this.executorOf = executorOf;
    }

    CollapseEngine<I, O> engine() {
        return engine;
    }

    void answer(O output, CallFuture<R> future) {
        answer.give(output, future);
    }

    CompletableFuture<R> execute(Object group, I input) {
        requireNonNull(group, "group");
        if (engine.isClosed()) {
            throw engine.refusal();
        }
        engine.admission().admit();
        FutureCall<I, O, R> call = new FutureCall<>(input, this);
        CollapseEngine.Joined joined;
        try {
            joined = engine.limitsWeight() ? submitWeighed(group, call) : engine.submit(group, call);
        } catch (Throwable refused) {
            call.close();
            throw refused;
        }
        if (engine.isClosed() && call.close()) {
            leave(call);
            if (joined == CollapseEngine.Joined.STARTED || joined == CollapseEngine.Joined.RELEASED) {
                proceed(null, dispatch(call.batch())); // for others that may have joined it before
            }
            throw engine.refusal();
        }
        if (callTimeout != null) {
            Duration bound = callTimeout;
            call.timeOutBy(engine.time().schedule(() -> timeOut(call.future, bound), bound.toNanos()));
        }
        switch (joined) {
            case STARTED:
                proceed(null, call.batch());
                break;
            case RELEASED:
                proceed(null, dispatch(call.batch()));
                break;
            case OPENED:
                work.opened(input);
                signal(call.batch());
                break;
            default:
                break;
        }
        return call.future;
    }

    private CollapseEngine.Joined submitWeighed(Object group, FutureCall<I, O, R> call) {
        call.weigh(work.weightOf(call.value()));
        CollapseEngine.Joined joined = engine.submit(group, call);
        Batch<I, O> outgrown = engine.takeOutgrown(call.batch());
        if (outgrown != null) {
            signal(outgrown);
        }
        return joined;
    }

    private void timeOut(CallFuture<R> future, Duration bound) {
        future.completeExceptionally(new TimeoutException(
                "No answer of " + engine.name() + " within callTimeout = " + bound.toMillis() + " ms"));
    }

    void leave(FutureCall<I, O, R> call) {
        Departure<I, O> departure = engine.leave(call);
        if (departure.timer != null) {
            departure.timer.cancel(false);
        }
        if (departure.signal != null) {
            signal(departure.signal);
        }
        if (departure.abandoned != null) {
            cancel(departure.abandoned);
        }
    }

    /** Has a look whether a batch that gathers may start now, or when. */
    private void signal(Batch<I, O> batch) {
        look(batch, false);
    }

    private void look(Batch<I, O> batch, boolean again) {
        Batch<I, O> claimed = claim(batch, again);
        if (claimed != null) {
            proceed(null, dispatch(claimed));
        }
    }

    /**
     * Claims a batch for dispatch if it may start now; if it may later, has it looked at again then.
     *
     * @param again whether it had a timer, which does not say any more when that is
     */
    private @Nullable Batch<I, O> claim(@Nullable Batch<I, O> signalled, boolean again) {
        long wait = signalled == null ? Group.ON_SIGNAL : engine.release(signalled);
        if (wait == 0) {
            return signalled;
        }
        if (signalled != null && wait != Group.ON_SIGNAL) {
            Future<?> timer = engine.time().schedule(() -> look(signalled, true), wait);
            Future<?> needless = engine.attachTimer(signalled, timer, again);
            if (needless != null) {
                needless.cancel(false);
            }
        }
        return null;
    }

    /**
     * Sends a released batch to where it runs.
     *
     * @return a batch that is to run on this very thread, or null
     */
    private @Nullable Batch<I, O> dispatch(@Nullable Batch<I, O> released) {
        Batch<I, O> batch = released;
        while (batch != null && executorOf != null) {
            DispatchedBatch task = new DispatchedBatch(batch);
            dispatched.add(batch);
            try {
                Executor executor = executorOf.apply(batch.group.key.value());
                requireNonNull(executor, "executorOf returned null: it must return the executor of the group")
                        .execute(task);
                return task.wasBroughtBack() ? batch : null;
            } catch (Throwable refused) {
                batch = refuse(batch, refused);
            }
        }
        return batch;
    }

    /** Closes the executor; says whether nothing is left of it. */
    boolean close(Duration drain) {
        if (engine.awaitEnd(drain)) {
            return true;
        }
        ExecutorClosedException failure = engine.notRun();
        for (Batch<I, O> batch : engine.endWaiting(failure)) {
            Future<?> timer = batch.timer;
            if (timer != null) {
                timer.cancel(false);
            }
            finish(batch);
        }
        for (Batch<I, O> batch : dispatched) {
            Batch<I, O> unused = refuse(batch, failure); // releases no other: none waits any more
        }
        return false;
    }

    /** Ends a batch that its executor did not take; returns one that is released by that. */
    private @Nullable Batch<I, O> refuse(Batch<I, O> batch, Throwable refused) {
        dispatched.remove(batch);
        if (!engine.start(batch)) {
            return null;
        }
        batch.failure = refused;
        batch.bindFailureToRest(refused);
        Batch<I, O> next = claim(engine.end(batch), true);
        finish(batch);
        return next;
    }

    /**
     * Runs a batch on this thread, then whatever its end releases to this thread.
     *
     * @param ended a batch that has ended and whose callers are still to be delivered to, or null
     * @param released a batch to be run here, or null
     */
    private void proceed(@Nullable Batch<I, O> ended, @Nullable Batch<I, O> released) {
        Batch<I, O> done = ended;
        Batch<I, O> batch = released;
        while (true) {
            Result<B> result = batch == null ? null : begin(batch);
            if (done != null) {
                finish(done);
            }
            if (batch == null || result == null) {
                return;
            }
            done = batch;
            batch = dispatch(settle(batch, result));
        }
    }

    /** Starts a batch and calls its function; gives the result if there is one, and it is for this thread to go on. */
    private @Nullable Result<B> begin(Batch<I, O> batch) {
        if (batch.yields) {
            engine.time().yieldProcessor();
        }
        if (executorOf != null) {
            dispatched.remove(batch);
        }
        if (!engine.start(batch)) {
            return null;
        }
        batch.startedBy = Thread.currentThread();
        Completion completion = new Completion(batch);
        boolean entered = engine.enter();
        try {
            CompletionStage<? extends B> stage = work.execute(batch);
            if (stage == null) {
                throw new UnboundOutputException("The batch function of " + engine.name()
                        + " returned null: it must return a stage of its result");
            }
            batch.stage = stage;
            if (engine.isAbandoned(batch)) {
                cancel(batch);
            }
            stage.whenComplete(completion);
        } catch (Throwable thrown) {
            completion.accept(null, thrown);
        } finally {
            engine.exit(entered);
        }
        return completion.resultOrLeave();
    }

    /** Binds what a batch came to and ends it; returns one that is released by that and claimed for dispatch. */
    private @Nullable Batch<I, O> settle(Batch<I, O> batch, Result<B> result) {
        Throwable failure = result.failure;
        if (failure == null) {
            boolean entered = engine.enter();
            try {
                work.bind(result.output, batch);
            } catch (Throwable thrown) {
                failure = thrown;
            } finally {
                engine.exit(entered);
            }
        }
        if (failure != null) {
            batch.failure = Failures.unwrapped(failure);
            batch.bindFailureToRest(batch.failure);
        }
        return claim(engine.end(batch), true);
    }

    private void finish(Batch<I, O> batch) {
        batch.deliver();
        engine.report(batch);
    }

    private static void cancel(Batch<?, ?> batch) {
        CompletionStage<?> stage = batch.stage;
        if (stage != null) { // otherwise the function has not returned it yet, and begin() looks again when it has
            Stages.cancel(stage);
        }
    }

    /** What a batch's stage ends with, and who goes on from there. */
    private final class Completion implements BiConsumer<@Nullable B, @Nullable Throwable> {

        private static final String PENDING = "pending";

        // immutable
        private final Batch<I, O> batch;

        // mutable, by CAS: null -> a Result, on which begin's thread goes on; or null -> PENDING -> a Result, on which
        // the thread goes on that completes the stage
        private final AtomicReference<@Nullable Object> state = new AtomicReference<>();

        Completion(Batch<I, O> batch) {
            this.batch = batch;
        }

        @Override
        public void accept(@Nullable B output, @Nullable Throwable failure) {
            Result<B> result = new Result<>(Outcome.<B>cast(output), failure);
            if (!state.compareAndSet(null, result) && state.compareAndSet(PENDING, result)) {
                proceed(batch, dispatch(settle(batch, result)));
            }
        }

        /** The result if there is one already; if not, the stage's thread is going to go on. */
        @Nullable Result<B> resultOrLeave() {
            if (state.compareAndSet(null, PENDING)) {
                return null;
            }
            // Only accept() sets anything else.
            @SuppressWarnings("unchecked")
            Result<B> result = (Result<B>) state.get();
            return result;
        }
    }

    private static final class Result<B extends @Nullable Object> {

        /** Not to be asked of a failure. */
        final B output;

        final @Nullable Throwable failure;

        Result(B output, @Nullable Throwable failure) {
            this.output = output;
            this.failure = failure;
        }
    }

    /** A batch in the hands of an executor. */
    private final class DispatchedBatch implements Runnable {

        // immutable
        private final Batch<I, O> batch;

        // mutable; the thread that is inside execute(): if that very thread runs the task, it must not nest
        private volatile @Nullable Thread dispatcher = Thread.currentThread();
        // mutable, confined to the dispatcher
        private boolean broughtBack;

        DispatchedBatch(Batch<I, O> batch) {
            this.batch = batch;
        }

        @Override
        public void run() {
            if (dispatcher == Thread.currentThread()) {
                broughtBack = true;
            } else {
                proceed(null, batch);
            }
        }

        boolean wasBroughtBack() {
            dispatcher = null;
            return broughtBack;
        }
    }
}
