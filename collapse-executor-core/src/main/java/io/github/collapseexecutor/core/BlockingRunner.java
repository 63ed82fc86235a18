package io.github.collapseexecutor.core;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Runs each batch on the thread of one of its callers, while the threads of the others wait. */
final class BlockingRunner<I extends @Nullable Object, O extends @Nullable Object, B extends @Nullable Object> {

    // immutable
    private final CollapseEngine<I, O> engine;
    private final BatchWork<I, O, B> work;
    private final @Nullable Duration callTimeout;
    private final @Nullable ContextCarrier carrier;

    BlockingRunner(
            CollapseOptions options, boolean answersByInput, BatchWork<I, O, B> work, EngineScheduler scheduler) {
        this.engine = new CollapseEngine<>(
                options, CollapseEngine.Runner.CALLER, answersByInput, scheduler, BlockingRunner::signal);
        this.work = work;
        this.callTimeout = options.callTimeout();
        this.carrier = options.contextCarrier();
    }

    CollapseEngine<I, O> engine() {
        return engine;
    }

    O execute(Object group, I input) throws Exception {
        return execute(group, new BlockingCall<>(input, engine.scheduler()), callTimeout, false);
    }

    /** Does what a caller wants otherwise than the options of all say. */
    O execute(Object group, I input, CallOptions options) throws Exception {
        BlockingCall<I, O> call = new BlockingCall<>(input, engine.scheduler(), options.cancelSignal(), null);
        engine.setJoinMode(call, options.joinMode());
        Duration own = options.timeout();
        return own == null || (callTimeout != null && callTimeout.compareTo(own) <= 0)
                ? execute(group, call, callTimeout, false)
                : execute(group, call, own, true);
    }

    /** Executes many inputs of one caller; each has its own outcome, at its own place. */
    List<InputOutcome<O>> executeEach(
            Collection<? extends I> inputs, Function<? super I, ?> groupOf, CallOptions options)
            throws InterruptedException {
        return new BlockingBulk<I, O>(this, inputs, groupOf, options, callTimeout).execute(options);
    }

    @Nullable ContextCarrier carrier() {
        return carrier;
    }

    long weightOf(I input) {
        return work.weightOf(input);
    }

    private O execute(Object group, BlockingCall<I, O> call, @Nullable Duration bound, boolean ownBound)
            throws Exception {
        requireNonNull(group, "group");
        engine.admission().acquire(group);
        Batch<?, ?> from = null;
        Throwable failure = null;
        try {
            from = engine.beginNested();
            if (carrier != null) {
                call.carryBy(carrier);
            }
            if (engine.limitsWeight()) {
                call.weigh(work.weightOf(call.value()));
            }
            SubmitResult joined = engine.submit(group, call, from);
            if (engine.admission().isClosed() && leave(call, joined != SubmitResult.STARTED)) {
                throw engine.admission().refusedByClose(group);
            }
            if (joined == SubmitResult.STARTED) {
                return run(call);
            }
            if (joined == SubmitResult.YIELDING) {
                // It does not wait, so that the interrupt status is for its callable to see.
                if (!Thread.currentThread().isInterrupted()) {
                    engine.scheduler().yieldProcessor();
                }
                if (engine.lead(call.batch(), call) == StartDelay.NONE) {
                    return run(call);
                }
            }
            return await(call, bound, ownBound);
        } catch (Throwable thrown) {
            failure = thrown;
            throw thrown;
        } finally {
            if (from != null) {
                from.endNested();
            }
            engine.admission().release();
            call.carried(carrier, engine.userCode(), failure);
        }
    }

    private O await(BlockingCall<I, O> call, @Nullable Duration bound, boolean ownBound) throws Exception {
        Batch<I, O> batch = call.batch();
        EngineScheduler scheduler = engine.scheduler();
        CallerWait wait = new CallerWait(call, bound, ownBound);
        try {
            while (!batch.isPublished()) {
                long patience = wait.patienceOrLeave();
                StartDelay delay = batch.isLedBy(call) ? engine.lead(batch, call) : StartDelay.UNTIL_SIGNAL;
                if (delay == StartDelay.NONE) {
                    return run(call);
                }
                if (delay == StartDelay.AFTER_YIELD) {
                    scheduler.yieldProcessor();
                } else if (!batch.isPublished()) {
                    scheduler.park(batch, Math.min(patience, delay.nanos()));
                }
            }
            if (!call.isVirtual()) {
                engine.arrived(batch, call);
            }
            return call.get();
        } finally {
            wait.restoreInterruption();
        }
    }

    /** Runs a batch that has started, on the thread of its leader. */
    O run(BlockingCall<I, O> leader) throws Exception {
        Batch<I, O> batch = leader.batch();
        batch.runHere();
        engine.reporter().started(batch);
        Throwable failure = null;
        Batch<?, ?> before = engine.mark(batch);
        try {
            engine.refuseIfOver();
            B output = carrier == null
                    ? work.execute(batch)
                    : CarriedExecution.around(carrier, batch.contexts(), () -> work.execute(batch), engine.name());
            work.bind(output, batch);
        } catch (Throwable thrown) {
            failure = thrown;
        } finally {
            engine.restoreMark(batch, before);
        }
        if (failure == null) {
            end(batch);
            return leader.get();
        }
        if (!leader.isOwn(failure)) {
            batch.fail(failure);
            end(batch);
            return leader.get();
        }
        if (engine.handOver(batch, leader)) {
            engine.reporter()
                    .left(
                            leader,
                            leader.isCancelled() ? CallDeparture.Reason.CANCELLED : CallDeparture.Reason.INTERRUPTED);
            signal(batch);
        } else {
            batch.fail(failure, Failures.forOthers(failure));
            end(batch);
        }
        throw Failures.rethrow(failure);
    }

    private void end(Batch<I, O> batch) {
        engine.end(batch).forEach(BlockingRunner::signal);
        engine.deliveries().toFollowers(batch);
    }

    /**
     * Takes the caller out of its batch, unless it has ended.
     *
     * @param unexecuted whether the caller stays if its input is being executed
     * @return true if the caller is out
     */
    boolean leave(BlockingCall<I, O> call, boolean unexecuted) {
        LeaveResult<I, O> result = engine.leave(call, unexecuted);
        follow(result);
        return !result.tooLate;
    }

    /** Does what is left to do after a caller has left its batch, or handed it on. */
    void follow(LeaveResult<I, O> result) {
        result.signals.forEach(BlockingRunner::signal);
        if (result.orphan != null) {
            end(result.orphan);
        }
    }

    /** Closes the executor; says whether nothing is left of it. */
    boolean close(Duration drain) {
        if (engine.awaitEnd(drain)) {
            return true;
        }
        for (Batch<I, O> batch : engine.endUnstarted(engine.notRun())) {
            signal(batch);
            engine.deliveries().toThreads(batch);
        }
        return false;
    }

    static void signal(Batch<?, ?> batch) {
        // A blocking runner's calls are blocking calls.
        ((BlockingCall<?, ?>) batch.leader()).wake();
    }

    /** The wait of a caller for its batch, and the reasons for which the caller leaves before the batch has ended. */
    private final class CallerWait {

        // immutable
        private final BlockingCall<I, O> call;
        private final @Nullable Duration bound;
        private final boolean ownBound;
        private final long deadline;

        // mutable, confined to the caller's thread
        /** The caller wanted to leave when the batch had ended: it stays for its outcome. */
        private boolean tooLate;
        /** The interruption that came too late is left to the caller's code. */
        private boolean interrupted;

        CallerWait(BlockingCall<I, O> call, @Nullable Duration bound, boolean ownBound) {
            this.call = call;
            this.bound = bound;
            this.ownBound = ownBound;
            this.deadline = bound == null ? 0 : engine.scheduler().nanoTime() + bound.toNanos();
            if (call.cancelSignal != null) {
                CancelSignals.link(call.cancelSignal, call, BlockingCall::wake);
            }
        }

        /**
         * Leaves if there is a reason to.
         *
         * @return otherwise the nanoseconds after which the caller asks again, if nothing wakes it before
         * @throws Exception what the caller gets, which has left
         */
        long patienceOrLeave() throws Exception {
            if (tooLate) {
                interrupted |= Thread.interrupted(); // or the thread could not park until the outcome is published
                return Long.MAX_VALUE;
            }
            if (Thread.interrupted()) {
                if (leaves(CallDeparture.Reason.INTERRUPTED)) {
                    throw new InterruptedException();
                }
                interrupted = true;
            } else if (call.isCancelled()) {
                if (leaves(CallDeparture.Reason.CANCELLED)) {
                    throw new CancellationException(
                            "Cancelled while it waited for an answer of \"" + engine.name() + "\"");
                }
            } else if (bound != null) {
                long left = deadline - engine.scheduler().nanoTime();
                if (left > 0) {
                    return left;
                }
                String detail = engine.whyWaiting(call.batch());
                if (leaves(CallDeparture.Reason.TIMED_OUT)) {
                    throw Failures.timedOut(engine.name(), bound, ownBound, detail);
                }
            }
            return Long.MAX_VALUE;
        }

        private boolean leaves(CallDeparture.Reason reason) {
            tooLate = !leave(call, false);
            if (!tooLate) {
                engine.reporter().left(call, reason);
            }
            return !tooLate;
        }

        void restoreInterruption() {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
