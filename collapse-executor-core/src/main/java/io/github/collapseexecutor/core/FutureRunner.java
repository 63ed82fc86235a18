package io.github.collapseexecutor.core;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
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

    // immutable
    private final CollapseEngine<I, O> engine;
    private final StageWork<I, O, B> work;
    private final CallerAnswer<O, R> answer;
    private final @Nullable Duration callTimeout;
    private final @Nullable ContextCarrier carrier;
    /** What the thread does that completes the stage of a batch. */
    private final BiConsumer<Batch<I, O>, StageCompletion.Result<B>> goOn;
    /** Sends batches to executors; null if they run on any thread. */
    private final @Nullable Dispatcher<I, O> dispatcher;

    FutureRunner(
            CollapseOptions options,
            boolean answersByInput,
            StageWork<I, O, B> work,
            CallerAnswer<O, R> answer,
            @Nullable Function<Object, ? extends Executor> executorOf,
            EngineScheduler scheduler) {
        CollapseEngine.Runner runner = executorOf == null ? CollapseEngine.Runner.ANY : CollapseEngine.Runner.EXECUTOR;
        this.engine = new CollapseEngine<>(options, runner, answersByInput, scheduler, batch -> signal(batch));
        this.work = work;
        this.answer = answer;
        this.callTimeout = options.callTimeout();
        this.carrier = options.contextCarrier();
        this.goOn = (batch, result) -> proceed(batch, claimOf(settle(batch, result)), false);
        this.dispatcher = executorOf == null
                ? null
                : new Dispatcher<>(
                        engine, executorOf, work.mayBlock(), batch -> proceed(null, batch, true), this::fail);
    }

    CollapseEngine<I, O> engine() {
        return engine;
    }

    void answer(O output, CallerFuture<R> future) {
        answer.give(output, future);
    }

    CompletableFuture<R> execute(Object group, I input) {
        return execute(group, input, CallOptions.defaults());
    }

    /**
     * Does what a caller wants otherwise than the options of all say. A call that is not taken is refused by an exception; whatever happens to one
     * that is taken comes by its future.
     */
    CompletableFuture<R> execute(Object group, I input, CallOptions options) {
        requireNonNull(group, "group");
        engine.checkJoinMode(options.joinMode());
        CompletableFuture<?> cancelSignal = options.cancelSignal();
        boolean isCancelled = cancelSignal != null && cancelSignal.isDone();
        FutureCall<I, O, R> call = new FutureCall<>(input, this);
        engine.admission().acquire(group); // nothing fails between here and the try, which would leave the call counted
        if (isCancelled) {
            engine.admission().release();
            CompletableFuture<R> cancelled = new CompletableFuture<>();
            cancelled.cancel(false);
            return cancelled;
        }
        SubmitResult joined;
        try {
            joined = engine.submit(group, call, prepare(call, options));
        } catch (Throwable refused) {
            call.future.close(refused);
            throw refused;
        }
        if (engine.admission().isClosed() && withdraw(call, true)) {
            ExecutorClosedException refused = engine.admission().refusedByClose(group);
            call.future.close(refused);
            if (joined == SubmitResult.STARTED || joined == SubmitResult.RELEASED) {
                proceed(null, call.batch(), false); // for others that may have joined it before
            }
            throw refused;
        }
        bound(call, options);
        switch (joined) {
            case STARTED:
                proceed(null, call.batch(), true);
                break;
            case RELEASED:
                proceed(null, call.batch(), false);
                break;
            case OPENED:
                engine.userCode().run(() -> work.opened(input));
                signal(call.batch());
                break;
            default:
                break;
        }
        return call.future;
    }

    /** Executes many inputs of one caller; each has a future of its own, at its own place. */
    List<CompletableFuture<R>> executeEach(
            Collection<? extends I> inputs, Function<? super I, ?> groupOf, CallOptions options) {
        return new FutureBulk<I, O, R>(this).execute(inputs, groupOf, options);
    }

    /** Makes a call of many, or one that has failed because it could not be submitted; it has been counted in. */
    FutureCall<I, O, R> newCall(I input, CallOptions options) {
        FutureCall<I, O, R> call = new FutureCall<>(input, this);
        try {
            Batch<?, ?> unused = prepare(call, options);
        } catch (Throwable failure) {
            call.future.fail(failure);
        }
        return call;
    }

    /** Prepares a call to be submitted; returns the batch from inside which it is made, or null. */
    private @Nullable Batch<?, ?> prepare(FutureCall<I, O, R> call, CallOptions options) {
        Batch<?, ?> from = call.beginNested();
        engine.setJoinMode(call, options.joinMode());
        if (carrier != null) {
            call.carryBy(carrier);
        }
        if (engine.limitsWeight()) {
            call.weigh(work.weightOf(call.value()));
        }
        return from;
    }

    /** Has a call that stands in a batch end when its caller does not wait any longer. */
    private void bound(FutureCall<I, O, R> call, CallOptions options) {
        try {
            Duration own = options.timeout();
            if (own != null && (callTimeout == null || own.compareTo(callTimeout) < 0)) {
                bound(call, own, true);
            } else if (callTimeout != null) {
                bound(call, callTimeout, false);
            }
            CompletableFuture<?> cancelSignal = options.cancelSignal();
            if (cancelSignal != null) {
                CancelSignals.link(cancelSignal, call.future, future -> future.cancel(false));
            }
        } catch (Throwable noTimer) {
            call.future.completeExceptionally(noTimer); // it leaves; its batch goes on, for others may have joined it
        }
    }

    /** Sees calls that were submitted together on their way. */
    void follow(Object group, List<FutureCall<I, O, R>> calls, BulkSubmission<I, O> submitted, CallOptions options) {
        for (FutureCall<I, O, R> call : calls) {
            Throwable failure = submitted.failureOf(call);
            if (failure == null && engine.admission().isClosed() && withdraw(call, true)) {
                failure = engine.admission().refusedByClose(group);
            }
            if (failure == null) {
                bound(call, options);
            } else {
                call.future.fail(failure);
            }
        }
        submitted.signalled.forEach(this::signal);
        submitted.released.forEach(batch -> proceed(null, batch, batch.startsAtOnce()));
    }

    private void bound(FutureCall<I, O, R> call, Duration bound, boolean own) {
        call.timeOutBy(engine.scheduler().schedule(() -> timeOut(call, bound, own), bound.toNanos()));
    }

    private void timeOut(FutureCall<I, O, R> call, Duration bound, boolean own) {
        boolean waits = dispatcher != null && engine.isDispatched(call.batch());
        String detail = waits
                ? ": the executor was given the batch and has not begun it, because it is busy or has dropped the task"
                : engine.whyWaiting(call.batch());
        call.future.completeExceptionally(Failures.timedOut(engine.name(), bound, own, detail));
    }

    /** The caller has come to its end. */
    void ended(FutureCall<I, O, R> call, @Nullable Throwable failure) {
        call.carried(carrier, engine.userCode(), failure);
    }

    void leave(FutureCall<I, O, R> call) {
        if (withdraw(call, false) && engine.reporter().isListenedTo()) {
            engine.reporter().left(call, call.future.departure());
        }
    }

    /**
     * Takes the caller out of its batch, unless it has ended.
     *
     * @param unexecuted whether the caller stays if its input is being executed
     * @return true if the caller is out
     */
    private boolean withdraw(FutureCall<I, O, R> call, boolean unexecuted) {
        LeaveResult<I, O> result = engine.leave(call, unexecuted);
        if (result.timer != null) {
            result.timer.cancel(false);
        }
        result.signals.forEach(this::signal);
        if (result.abandoned != null) {
            cancel(result.abandoned);
        }
        return !result.tooLate;
    }

    /** Has a look whether a batch that gathers may start now, or when. */
    private void signal(Batch<I, O> batch) {
        look(batch, false);
    }

    private void look(Batch<I, O> batch, boolean again) {
        Batch<I, O> claimed = claim(batch, again);
        if (claimed != null) {
            proceed(null, claimed, false);
        }
    }

    /**
     * Claims a batch for dispatch if it may start now; if it may later, has it looked at again then.
     *
     * @param again whether it had a timer, which does not say any more when that is
     */
    private @Nullable Batch<I, O> claim(Batch<I, O> signalled, boolean again) {
        StartDelay wait = engine.release(signalled);
        if (wait == StartDelay.NONE) {
            return signalled;
        }
        if (!wait.isBounded()) {
            return null;
        }
        Future<?> timer;
        try {
            timer = engine.scheduler().schedule(() -> look(signalled, true), wait.nanos());
        } catch (Throwable noTimer) {
            engine.userCode().report(noTimer);
            return engine.releaseEarly(signalled) == StartDelay.NONE
                    ? signalled
                    : null; // or nothing might ever start it
        }
        Future<?> needless = engine.attachTimer(signalled, timer, again);
        if (needless != null) {
            needless.cancel(false);
        }
        return null;
    }

    /** Claims a batch for dispatch that the end of another one releases; null if there is none that may start now. */
    private @Nullable Batch<I, O> claimOf(List<Batch<I, O>> signalled) {
        for (int i = 1; i < signalled.size(); i++) {
            signal(signalled.get(i)); // an end gives one place back, so that there is hardly ever a second one
        }
        return signalled.isEmpty() ? null : claim(signalled.get(0), true);
    }

    /**
     * Sees a batch on its way and ended ones delivered, and so on with whatever the ends release to this thread.
     *
     * @param ended a batch that has ended and whose callers are still to be delivered to, or null
     * @param claimed a batch to be dispatched, or null
     * @param here whether that is to run on this thread, whatever the executor is
     */
    private void proceed(@Nullable Batch<I, O> ended, @Nullable Batch<I, O> claimed, boolean here) {
        Batch<I, O> done = ended;
        Batch<I, O> batch = claimed;
        boolean runsHere = here;
        while (true) {
            StageCompletion.Result<B> result = null;
            Batch<I, O> refused = null;
            Batch<I, O> lastRefused = null;
            while (batch != null) {
                try {
                    runsHere = runsHere || dispatcher == null || dispatcher.dispatch(batch);
                } catch (Throwable refusal) {
                    Batch<I, O> next = null;
                    if (refuse(batch, refusal)) {
                        next = claimOf(engine.end(batch));
                        if (lastRefused == null) {
                            refused = batch;
                        } else {
                            lastRefused.nextRefused = batch;
                        }
                        lastRefused = batch;
                    }
                    batch = next;
                    continue;
                }
                if (runsHere) {
                    deliverAll(refused); // or their callers would wait for a function that has nothing to do with them
                    refused = null;
                    result = begin(batch);
                }
                break;
            }
            // Only now, because dependents of the callers may take their time, or wait for what is on its way.
            if (done != null) {
                engine.deliveries().toFutures(done);
            }
            deliverAll(refused);
            if (batch == null || result == null) {
                return;
            }
            done = batch;
            batch = claimOf(settle(batch, result));
            runsHere = false;
        }
    }

    private void deliverAll(@Nullable Batch<I, O> firstRefused) {
        for (Batch<I, O> batch = firstRefused; batch != null; batch = batch.nextRefused) {
            engine.deliveries().toFutures(batch);
        }
    }

    private void fail(Batch<I, O> batch, Throwable failure) {
        if (refuse(batch, failure)) {
            proceed(batch, claimOf(engine.end(batch)), false);
        }
    }

    /** Closes the executor; says whether nothing is left of it. */
    boolean close(Duration drain) {
        if (engine.awaitEnd(drain)) {
            return true;
        }
        for (Batch<I, O> batch : engine.endUnstarted(engine.notRun())) {
            Future<?> timer = batch.timer();
            if (timer != null) {
                timer.cancel(false);
            }
            engine.deliveries().toFutures(batch);
        }
        return false;
    }

    /** Binds a failure to a batch that its executor did not take, which is then to be ended; false if all have left it. */
    private boolean refuse(Batch<I, O> batch, Throwable refused) {
        if (!engine.start(batch)) {
            return false;
        }
        batch.fail(refused);
        return true;
    }

    /** Starts a batch and calls its function; gives the result if there is one, and it is for this thread to go on. */
    private StageCompletion.@Nullable Result<B> begin(Batch<I, O> batch) {
        if (batch.yieldsFirst()) {
            engine.scheduler().yieldProcessor();
        }
        if (!engine.start(batch)) {
            return null;
        }
        if (dispatcher != null) {
            dispatcher.begun(batch);
        }
        batch.runHere();
        engine.reporter().started(batch);
        StageCompletion<I, O, B> completion = new StageCompletion<>(batch, goOn);
        Batch<?, ?> before = engine.mark(batch);
        try {
            engine.refuseIfOver();
            CompletionStage<? extends B> stage = carrier == null
                    ? work.execute(batch)
                    : CarriedExecution.<@Nullable CompletionStage<? extends B>>around(
                            carrier, batch.contexts(), () -> work.execute(batch), engine.name());
            if (stage == null) {
                throw new UnboundOutputException("The batch function of \"" + engine.name()
                        + "\" returned null: it must return a stage of its result");
            }
            batch.goOnIn(stage);
            if (engine.isAbandoned(batch)) {
                cancel(batch);
            }
            stage.whenComplete(completion);
        } catch (Throwable thrown) {
            completion.accept(null, thrown);
        } finally {
            engine.restoreMark(batch, before);
        }
        return completion.resultOrLeave();
    }

    /** Binds the result of a batch and ends the batch; returns those that are to be signalled. */
    private List<Batch<I, O>> settle(Batch<I, O> batch, StageCompletion.Result<B> result) {
        Throwable failure = result.failure;
        if (failure == null) {
            Batch<?, ?> before = engine.mark(batch);
            try {
                work.bind(result.output, batch);
            } catch (Throwable thrown) {
                failure = thrown;
            } finally {
                engine.restoreMark(batch, before);
            }
        }
        if (failure != null) {
            batch.fail(Failures.unwrapped(failure));
        }
        return engine.end(batch);
    }

    private void cancel(Batch<?, ?> batch) {
        CompletionStage<?> stage = batch.stage();
        if (stage != null) { // otherwise the function has not returned it yet, and begin() looks again when it has
            engine.userCode().run(() -> Stages.cancel(stage));
        }
    }
}
