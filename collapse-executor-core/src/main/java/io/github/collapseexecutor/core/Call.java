package io.github.collapseexecutor.core;

import static java.util.Objects.requireNonNull;

import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One caller: its input, its place in a batch, and its outcome.
 *
 * <p>It is also the {@link Input} and the {@link Bundle} that batch functions see, so that a caller costs one object.
 */
abstract class Call<I extends @Nullable Object, O extends @Nullable Object> extends ResultSlot
        implements Input<I>, Bundle<I, O> {

    /** HERE -> WITHDRAWN (left before the start: the input is not executed) or LEFT (left a batch in flight). */
    private enum Presence {
        HERE,
        WITHDRAWN,
        LEFT
    }

    // immutable
    private final I input;

    // mutable; set once by the submitting thread, before it submits
    /** The weight of the input; 0 where no batch is bounded by its weight. */
    private long weight;

    // mutable; set once by the submitting thread, before it submits
    /** When, in nanoseconds; only where a listener is told of it. */
    long submittedAt;
    /** The caller's context, as the executor's carrier took it. */
    @Nullable Object context;
    /** The carrier is to be told when the caller has come to its end. */
    private boolean carried;
    /** The caller joins no batch in flight, whatever the executor's options say. */
    private boolean fresh;

    // mutable, guarded by the lock of the batch's group; the links are fixed once the batch has started
    @Nullable Batch<I, O> batch;

    @Nullable Call<I, O> previous;

    @Nullable Call<I, O> next;

    private Presence presence = Presence.HERE;

    /** The call was made from inside a batch and has waited for the start of its own. */
    boolean nested;

    /** The call in a batch in flight whose outcome this one shares, or null for a call with an input of its own. */
    @Nullable Call<I, O> source;

    /** The calls of equal inputs, where batches are joined in flight by input, until the call ends. */
    SharedCalls.@Nullable Chain<I, O> chain;

    Call(I input) {
        this.input = input;
    }

    /** Takes the weight that the executor gives the input, before the call is submitted. */
    final void weigh(long weight) {
        if (weight < 0) {
            throw new IllegalArgumentException(
                    "The weight of an input is " + weight + ": weightOf or weighBy must not return a negative one");
        }
        this.weight = weight;
    }

    final long weight() {
        return weight;
    }

    /** Takes the caller's context, before the call is submitted. */
    final void carryBy(ContextCarrier carrier) {
        context = carrier.capture();
        carried = true;
    }

    /** The caller has come to its end; to be called once, with no lock held. */
    final void carried(@Nullable ContextCarrier carrier, Contained userCode, @Nullable Throwable failure) {
        if (carrier != null && carried) {
            Batch<I, O> present = batch;
            List<@Nullable Object> executed = present == null ? Collections.emptyList() : present.executedContexts();
            userCode.run(() -> carrier.ended(context, executed, failure));
        }
    }

    final void askForFreshAnswer() {
        fresh = true;
    }

    final boolean isFresh() {
        return fresh;
    }

    /** Hands the outcome, which has been bound, to the caller. Runs once, with no lock held. */
    abstract void deliver();

    /** Whether the caller waits for its answer on the calling thread. */
    boolean isOfThisThread() {
        return false;
    }

    /** Whether a failure of the call that this caller leads came of this caller alone, so that another repeats the call. */
    boolean isOwn(Throwable failure) {
        return false;
    }

    /** Whether the caller's thread is free to lead a batch; for callers that do, under the group's lock. */
    boolean mayLead() {
        return true;
    }

    /** Is submitted as another one was that has been sent back. */
    final void submitAs(Call<I, O> earlier) {
        weight = earlier.weight;
        context = earlier.context;
        carried = earlier.carried;
        fresh = earlier.fresh;
    }

    /** The caller leaves before the start, with its input. Under the group's lock. */
    final void withdraw() {
        presence = Presence.WITHDRAWN;
    }

    /** The caller leaves a batch in flight. Under the group's lock. */
    final void leaveInFlight() {
        presence = Presence.LEFT;
    }

    final boolean hasLeft() {
        return presence != Presence.HERE;
    }

    final boolean hasWithdrawn() {
        return presence == Presence.WITHDRAWN;
    }

    final boolean hasLeftInFlight() {
        return presence == Presence.LEFT;
    }

    final Batch<I, O> batch() {
        return requireNonNull(batch, "batch");
    }

    @Override
    public final I value() {
        return input;
    }

    @Override
    public final I getInput() {
        return input;
    }

    @Override
    public final boolean bindOutput(O output) {
        return bind(output);
    }

    @Override
    public final boolean bindError(Throwable failure) {
        return bindFailure(failure);
    }
}
