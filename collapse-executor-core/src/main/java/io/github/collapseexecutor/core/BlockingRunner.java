package io.github.collapseexecutor.core;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Runs each batch on the thread of one of its callers, while the threads of the others wait. */
final class BlockingRunner<I extends @Nullable Object, O extends @Nullable Object, B extends @Nullable Object> {

    private static final String CALL_TIMEOUT = "callTimeout";

    // immutable
    private final CollapseEngine<I, O> engine;
    private final BatchWork<I, O, B> work;
    private final @Nullable Duration callTimeout;

    BlockingRunner(CollapseOptions options, boolean answersByInput, BatchWork<I, O, B> work, EngineTime time) {
        this.engine = new CollapseEngine<>(options, CollapseEngine.Runner.CALLER, answersByInput, time);
        this.work = work;
        this.callTimeout = options.callTimeout();
    }

    CollapseEngine<I, O> engine() {
        return engine;
    }

    O execute(Object group, I input) throws Exception {
        return execute(group, input, callTimeout, CALL_TIMEOUT, null);
    }

    /**
     * Waits no longer than a bound of this caller's own, if it is the lesser, and no longer than until it is called off.
     *
     * @param calledOff calls this caller off when it is done; null if nobody does
     */
    O execute(Object group, I input, Duration timeout, @Nullable CompletableFuture<?> calledOff) throws Exception {
        return callTimeout != null && callTimeout.compareTo(timeout) <= 0
                ? execute(group, input, callTimeout, CALL_TIMEOUT, calledOff)
                : execute(group, input, timeout, "timeout", calledOff);
    }

    private O execute(
            Object group, I input, @Nullable Duration bound, String boundName, @Nullable CompletableFuture<?> calledOff)
            throws Exception {
        requireNonNull(group, "group");
        if (engine.isClosed()) {
            throw engine.refusal();
        }
        engine.admission().admit();
        try {
            BlockingCall<I, O> call = new BlockingCall<>(input, engine.time(), calledOff);
            CollapseEngine.Joined joined =
                    engine.limitsWeight() ? submitWeighed(group, call) : engine.submit(group, call);
            if (engine.isClosed() && leave(call)) {
                throw engine.refusal();
            }
            if (joined == CollapseEngine.Joined.STARTED) {
                return run(call);
            }
            if (joined == CollapseEngine.Joined.YIELDING) {
                engine.time().yieldProcessor();
            }
            return await(call, bound, boundName);
        } finally {
            engine.admission().dismiss();
        }
    }

    private CollapseEngine.Joined submitWeighed(Object group, BlockingCall<I, O> call) {
        call.weigh(work.weightOf(call.value()));
        CollapseEngine.Joined joined = engine.submit(group, call);
        Batch<I, O> outgrown = engine.takeOutgrown(call.batch());
        if (outgrown != null) {
            signal(outgrown);
        }
        return joined;
    }

    private O await(BlockingCall<I, O> call, @Nullable Duration bound, String boundName) throws Exception {
        if (call.calledOff != null) {
            CompletableFuture<?> unused = call.calledOff.whenComplete((value, failure) -> call.wake());
        }
        Batch<I, O> batch = call.batch();
        EngineTime time = engine.time();
        long deadline = bound == null ? 0 : time.nanoTime() + bound.toNanos();
        boolean mayLeave = true;
        boolean interrupted = false;
        try {
            while (!batch.ended) {
                long wait = Group.ON_SIGNAL;
                if (mayLeave && Thread.interrupted()) {
                    if (leave(call)) {
                        throw new InterruptedException();
                    }
                    interrupted = true;
                    mayLeave = false;
                } else if (mayLeave && call.isCalledOff()) {
                    if (leave(call)) {
                        throw new CancellationException("Called off while it waited for an answer of " + engine.name());
                    }
                    mayLeave = false;
                } else if (mayLeave && bound != null) {
                    wait = deadline - time.nanoTime();
                    if (wait <= 0) {
                        if (leave(call)) {
                            throw timedOut(bound, boundName);
                        }
                        mayLeave = false;
                        wait = Group.ON_SIGNAL;
                    }
                }
                if (batch.leader == call) {
                    long startIn = engine.lead(batch, call);
                    if (startIn == 0) {
                        return run(call);
                    }
                    if (startIn == Group.AFTER_YIELD) {
                        time.yieldProcessor();
                        continue;
                    }
                    wait = Math.min(wait, startIn);
                }
                if (!batch.ended) {
                    time.park(batch, wait);
                }
            }
            if (!call.isVirtual()) {
                engine.arrived(batch);
            }
            return call.get();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private TimeoutException timedOut(Duration bound, String boundName) {
        String message = "No answer of " + engine.name() + " within " + boundName + " = " + bound.toMillis() + " ms";
        return boundName.equals(CALL_TIMEOUT) ? new TimeoutException(message) : new CallerTimeoutException(message);
    }

    private O run(BlockingCall<I, O> leader) throws Exception {
        Batch<I, O> batch = leader.batch();
        batch.startedBy = Thread.currentThread();
        Throwable failure = null;
        boolean entered = engine.enter();
        try {
            work.bind(work.execute(batch), batch);
        } catch (Throwable thrown) {
            failure = thrown;
        } finally {
            engine.exit(entered);
        }
        if (failure == null) {
            end(batch);
            return leader.get();
        }
        batch.failure = failure;
        if (!leader.isOwn(failure)) {
            batch.bindFailureToRest(failure);
            end(batch);
            return leader.get();
        }
        if (engine.handOver(batch, leader)) {
            batch.failure = null;
            signal(batch);
        } else {
            batch.bindFailureToRest(Failures.forOthers(failure));
            end(batch);
        }
        throw Failures.rethrow(failure);
    }

    private void end(Batch<I, O> batch) {
        Batch<I, O> next = engine.end(batch);
        if (next != null) {
            signal(next);
        }
        batch.deliver();
        engine.report(batch);
    }

    /** Takes the caller out of its batch, unless it has ended; true if the caller is out. */
    private boolean leave(BlockingCall<I, O> call) {
        Departure<I, O> departure = engine.leave(call);
        if (departure.signal != null) {
            signal(departure.signal);
        }
        if (departure.orphan != null) {
            end(departure.orphan);
        }
        return !departure.tooLate;
    }

    /** Closes the executor; says whether nothing is left of it. */
    boolean close(Duration drain) {
        if (engine.awaitEnd(drain)) {
            return true;
        }
        for (Batch<I, O> batch : engine.endWaiting(engine.notRun())) {
            signal(batch);
            batch.deliver();
            engine.report(batch);
        }
        return false;
    }

    private static void signal(Batch<?, ?> batch) {
        // A blocking runner's calls are blocking calls.
        ((BlockingCall<?, ?>) batch.leader).wake();
    }
}
