package io.github.collapseexecutor.core;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * The calls that a batch serves: the ones that were gathered, each with an input, and the ones that joined it in flight and
 * share an outcome. A superclass of {@link Batch} rather than a part of it, so that a lone caller makes one object fewer.
 *
 * <p>The calls are linked in order of submission, guarded by the group's lock. The links of gathered calls are fixed from the
 * start of the batch, except when a second execution is {@linkplain #regather() made up}. All links are fixed from its end.
 */
abstract class BatchCalls<I extends @Nullable Object, O extends @Nullable Object> {

    @SuppressWarnings("rawtypes") // of a generic class there is only the raw class object
    private static final AtomicReferenceFieldUpdater<BatchCalls, @Nullable Object> UNDELIVERED =
            AtomicReferenceFieldUpdater.newUpdater(BatchCalls.class, Object.class, "undelivered");

    /** In the place of the first caller that is still to be delivered to, where none is left. */
    private static final Object NOBODY = new Object();

    // immutable
    final Group<I, O> group;

    // mutable, guarded by the group's lock
    private @Nullable Call<I, O> first;
    private @Nullable Call<I, O> last;
    /** Callers that joined in flight; linked like the calls, but without an input of their own. */
    private @Nullable Call<I, O> firstSharer;

    private @Nullable Call<I, O> lastSharer;
    /** Calls that were gathered and have not left before the start; fixed by it. */
    private int size;
    /** The sum of their weights; 0 where that bounds nothing. */
    private long weight;
    /** Callers present, sharers included. */
    private int callers;
    /** Callers that came and have not left before the start. */
    private int joined;

    // mutable; written once by the thread that ends the batch, then by CAS; read without the lock by callers that wait
    /**
     * Null until the outcomes are visible; then the first caller that is still to be delivered to, or {@link #NOBODY}. The thread
     * that takes a caller delivers to it.
     */
    private volatile @Nullable Object undelivered;

    BatchCalls(Group<I, O> group) {
        this.group = group;
    }

    /** Returns the first of the gathered calls; the others follow by {@link Call#next}. */
    final @Nullable Call<I, O> first() {
        return first;
    }

    /** Returns the last of the gathered calls. */
    final @Nullable Call<I, O> last() {
        return last;
    }

    /** Returns the first of the calls that joined in flight; the others follow by {@link Call#next}. */
    final @Nullable Call<I, O> firstSharer() {
        return firstSharer;
    }

    final int size() {
        return size;
    }

    final long weight() {
        return weight;
    }

    final int callers() {
        return callers;
    }

    final int joined() {
        return joined;
    }

    /** Adds a call whose input is to be executed. */
    final void gather(Call<I, O> call) {
        link(call);
        size++;
        weight += call.weight();
        callers++;
        joined++;
        group.count(1, true);
    }

    /** Adds a call that shares the outcome of another. */
    final void share(Call<I, O> call, Call<I, O> source) {
        call.source = source;
        call.chain = null;
        linkSharer(call);
        callers++;
        joined++;
        group.count(1, false);
    }

    /**
     * Counts a caller out.
     *
     * @param gathered whether the batch has not started
     */
    final void countOut(boolean gathered) {
        callers--;
        group.count(-1, gathered);
    }

    /** Takes out a call that leaves before the start, with its input. */
    final void unlink(Call<I, O> call) {
        if (call.previous == null) {
            first = call.next;
        } else {
            call.previous.next = call.next;
        }
        if (call.next == null) {
            last = call.previous;
        } else {
            call.next.previous = call.previous;
        }
        size--;
        weight -= call.weight();
        joined--;
    }

    /** Takes out a caller that shared an outcome and has left. */
    final void unlinkSharer(Call<I, O> call) {
        if (call.previous == null) {
            firstSharer = call.next;
        } else {
            call.previous.next = call.next;
        }
        if (call.next == null) {
            lastSharer = call.previous;
        } else {
            call.next.previous = call.previous;
        }
    }

    private void link(Call<I, O> call) {
        call.previous = last;
        call.next = null;
        if (last == null) {
            first = call;
        } else {
            last.next = call;
        }
        last = call;
    }

    private void linkSharer(Call<I, O> call) {
        call.previous = lastSharer;
        call.next = null;
        if (lastSharer == null) {
            firstSharer = call;
        } else {
            lastSharer.next = call;
        }
        lastSharer = call;
    }

    /**
     * Makes up the inputs of a second execution: those of the callers that are still here. Of the callers that share the
     * outcome of one that has left without, the first takes its place, so that the batch does not outgrow its size.
     */
    final void regather() {
        Call<I, O> member = first;
        Call<I, O> sharer = firstSharer;
        first = null;
        last = null;
        firstSharer = null;
        lastSharer = null;
        while (member != null) {
            Call<I, O> next = member.next;
            if (member.hasLeft()) {
                group.forget(member);
            } else {
                link(member);
            }
            member = next;
        }
        while (sharer != null) {
            Call<I, O> next = sharer.next;
            if (!sharer.hasLeft()) {
                takePlaceOrShare(sharer);
            }
            sharer = next;
        }
    }

    private void takePlaceOrShare(Call<I, O> sharer) {
        Call<I, O> source = requireNonNull(sharer.source);
        while (source.source != null) {
            source = source.source; // the caller that has taken its place
        }
        if (source.hasLeft() && !source.isBound()) {
            source.source = sharer;
            sharer.source = null;
            link(sharer);
        } else {
            sharer.source = source;
            linkSharer(sharer);
        }
    }

    /** Returns the gathered calls without an outcome. */
    final List<Call<I, O>> unbound() {
        List<Call<I, O>> unbound = new ArrayList<>(size);
        for (Call<I, O> call = first; call != null; call = call.next) {
            if (!call.isBound()) {
                unbound.add(call);
            }
        }
        return unbound;
    }

    /** Returns the first caller that is present, without an outcome, and free to lead. */
    final @Nullable Call<I, O> successor() {
        Call<I, O> call = first;
        while (call != null && (call.hasLeft() || call.isBound() || !call.mayLead())) {
            call = call.next;
        }
        return call;
    }

    /**
     * Returns the successor of a batch in flight. If only callers that share another's outcome are free to lead, sends the others back, to submit
     * their inputs again, so that these take their places.
     */
    final @Nullable Call<I, O> successorInFlight() {
        Call<I, O> successor = successor();
        if (successor != null) {
            return successor;
        }
        for (Call<I, O> call = first; call != null; call = call.next) {
            sendBackIfBusy(call, call);
        }
        for (Call<I, O> sharer = firstSharer; sharer != null; sharer = sharer.next) {
            sendBackIfBusy(sharer, requireNonNull(sharer.source));
        }
        regather();
        Call<I, O> freed = first;
        while (freed != null && freed.isBound()) {
            freed = freed.next; // whose thread was free when it was looked at
        }
        return freed;
    }

    private void sendBackIfBusy(Call<I, O> call, Call<I, O> source) {
        if (!call.hasLeft() && !source.isBound() && !call.mayLead()) {
            call.leaveInFlight();
            countOut(false);
        }
    }

    /** Whether every gathered call has an outcome. */
    final boolean isBound() {
        for (Call<I, O> call = first; call != null; call = call.next) {
            if (!call.isBound()) {
                return false;
            }
        }
        return true;
    }

    /** Binds one output to every input. The batch must have been executed, by the calling thread, without a bundle for anybody. */
    final void bindAll(O output) {
        for (Call<I, O> call = first; call != null; call = call.next) {
            call.bindAlone(output);
        }
    }

    /** Binds a failure to every input that has no outcome yet. The batch must have started. */
    final void bindFailureToRest(Throwable cause) {
        for (Call<I, O> call = first; call != null; call = call.next) {
            call.bindFailure(cause);
        }
    }

    /** Gives the outcomes of the gathered calls, all of which are bound, to the callers that share them. */
    final void bindSharers() {
        for (Call<I, O> sharer = firstSharer; sharer != null; sharer = sharer.next) {
            sharer.bindAs(requireNonNull(sharer.source));
        }
    }

    /**
     * Makes the outcomes, all of which have been bound, visible to every thread that sees {@link #isPublished()}. No caller
     * joins or leaves the batch any more. The order of delivery: the gathered calls, in order of submission, then the others.
     */
    final void publish() {
        if (last == null) {
            first = firstSharer;
        } else {
            last.next = firstSharer;
        }
        // Without a fence: no caller is woken before the CAS by which a thread takes it.
        UNDELIVERED.lazySet(this, orNobody(first));
    }

    private static Object orNobody(@Nullable Call<?, ?> call) {
        return call == null ? NOBODY : call;
    }

    /** Whether every outcome is bound and may be read. */
    final boolean isPublished() {
        return undelivered != null;
    }

    /**
     * Hands their outcomes to the callers that are still here and have none yet, until no such caller is left. The outcomes
     * must be visible. Any number of threads may do so at once; each caller is delivered to by one of them.
     */
    final void deliver() {
        boolean more = true;
        while (more) {
            more = deliverNext();
        }
    }

    /** Hands its outcome to one caller, as {@link #deliver} does to all; false if no caller is left. */
    final boolean deliverNext() {
        for (Object head = undelivered; head != NOBODY; head = undelivered) {
            Call<I, O> call = ResultSlot.<Call<I, O>>cast(head); // the batch has been published
            if (UNDELIVERED.compareAndSet(this, call, orNobody(call.next)) && !call.hasLeft()) {
                call.deliver();
                return true;
            }
        }
        return false;
    }

    /** Whether callers are left that nobody has delivered to. */
    final boolean isUndelivered() {
        return undelivered != NOBODY;
    }
}
