package io.github.collapseexecutor.core;

import java.util.Collections;
import java.util.List;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * A caller's leaving of its batch before it has an outcome: follow-up actions for the leaving thread, to run after it has
 * released the group's lock.
 *
 * <p>Leaving a batch that gathers withdraws the input; if the leader leaves, the next caller in order leads; if no caller
 * remains, the batch dissolves and gives back what it held. Leaving a batch in flight changes nothing for the others, but
 * that another caller has to run it if it had been handed to the caller that leaves.
 */
final class LeaveResult<I extends @Nullable Object, O extends @Nullable Object> {

    // mutable, written under the group's lock by the thread that creates it, which alone reads it later
    /** The batch has ended already, or executes the input of a caller that then is not to leave: it stays for its outcome. */
    boolean tooLate;
    /** Batches to be signalled, because their leader changed or they were released. */
    List<Batch<I, O>> signals = Collections.emptyList();
    /** A batch in flight without a caller to run it: the leaving thread ends it. */
    @Nullable Batch<I, O> orphan;
    /** A batch in flight without callers: the leaving thread cancels it. */
    @Nullable Batch<I, O> abandoned;
    /** The timer of a batch that dissolved: the leaving thread cancels it. */
    @Nullable Future<?> timer;
    /** The group had no other caller: it is to be removed. */
    boolean groupIsGone;

    private LeaveResult() {}

    /**
     * Takes a caller out of its batch, unless the batch has ended.
     *
     * @param callerRuns whether batches run on the threads of their callers, so that one that was handed to a caller is
     *     left behind by it; else a batch runs without them, and ends early if it has none
     * @param unexecuted whether the caller stays if its input is being executed
     */
    static <I extends @Nullable Object, O extends @Nullable Object> LeaveResult<I, O> of(
            Call<I, O> call, boolean callerRuns, boolean unexecuted) {
        LeaveResult<I, O> result = new LeaveResult<>();
        Batch<I, O> batch = call.batch();
        batch.group.lock();
        try {
            boolean executed = batch.isInFlight() && call.source == null;
            if (call.hasLeft() || batch.state() == Batch.State.ENDED || (unexecuted && executed)) {
                result.tooLate = true;
                return result;
            }
            batch.callerLeaves();
            if (!batch.isInFlight()) {
                result.withdraw(batch, call);
            } else {
                call.leaveInFlight();
                if (call.source != null) {
                    batch.unlinkSharer(call);
                }
                if (callerRuns) {
                    result.leaveRunByCaller(batch, call);
                } else {
                    result.leaveRunByOthers(batch);
                }
            }
            result.signals = batch.group.takeSignals();
            result.groupIsGone = batch.group.retireIfIdle();
        } finally {
            batch.group.unlock();
        }
        return result;
    }

    /**
     * Gives a batch that has not begun to another leader, because the thread of the given one is about to run another batch.
     * Where no caller is free to lead it, its callers are sent back.
     */
    static <I extends @Nullable Object, O extends @Nullable Object> LeaveResult<I, O> ofPassedOn(
            Batch<I, O> batch, BulkCaller leader) {
        LeaveResult<I, O> result = new LeaveResult<>();
        batch.group.lock();
        try {
            boolean runs = batch.isInFlight();
            if (!leader.has(batch.leader())
                    || !(runs || batch.isReleased() || batch.state() == Batch.State.GATHERING)) {
                return result;
            }
            if (runs) {
                batch.regather();
                result.leadInFlight(batch);
            } else {
                result.lead(batch);
            }
            result.signals = batch.group.takeSignals();
            result.groupIsGone = batch.group.retireIfIdle();
        } finally {
            batch.group.unlock();
        }
        return result;
    }

    private void withdraw(Batch<I, O> batch, Call<I, O> call) {
        takeOut(batch, call);
        if (batch.first() == null || batch.isLedBy(call)) {
            lead(batch);
        }
    }

    private static <I extends @Nullable Object, O extends @Nullable Object> void takeOut(
            Batch<I, O> batch, Call<I, O> call) {
        call.withdraw();
        batch.group.withdraw(batch, call);
    }

    /** Finds a leader for a batch that has not started. */
    private void lead(Batch<I, O> batch) {
        Call<I, O> successor = batch.successor();
        if (successor != null) {
            batch.handTo(successor);
            batch.group.toSignal(batch);
            return;
        }
        for (Call<I, O> call = batch.first(); call != null; call = batch.first()) { // sent back, if there are any
            batch.callerLeaves();
            takeOut(batch, call);
        }
        timer = batch.timer();
        batch.group.dissolve(batch);
    }

    private void leaveRunByCaller(Batch<I, O> batch, Call<I, O> call) {
        if (!batch.isLedBy(call)) {
            return;
        }
        // A leader that runs its batch is not here to leave: this one was handed the batch and has not begun.
        batch.regather();
        leadInFlight(batch);
    }

    /** Finds a leader for a batch that is to be run, or run again. */
    private void leadInFlight(Batch<I, O> batch) {
        Call<I, O> successor = batch.successorInFlight();
        if (successor == null) {
            batch.group.close(batch);
            orphan = batch;
        } else {
            batch.handTo(successor);
            batch.group.toSignal(batch);
        }
    }

    private void leaveRunByOthers(Batch<I, O> batch) {
        if (batch.isAbandoned()) {
            batch.group.close(batch);
            abandoned = batch;
        }
    }
}
