package io.github.collapseexecutor.core;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The calls that one execution serves, from the first that opens it to the end of the execution. */
final class Batch<I extends @Nullable Object, O extends @Nullable Object> implements BatchHandle {

    /**
     * Where a batch stands.
     *
     * <pre>
     * GATHERING -> RELEASED -> IN_FLIGHT -> ENDED
     *     |            |
     *     +------------+-----> DISSOLVED   (every caller left before the start)
     * </pre>
     *
     * A batch is joined while it is GATHERING or RELEASED, and, where the options say so, IN_FLIGHT. RELEASED says that it
     * may start and holds one of its group's places, while its leader wakes or its executor finds a thread: callers of
     * that interval still get in.
     */
    enum State {
        GATHERING,
        RELEASED,
        IN_FLIGHT,
        ENDED,
        DISSOLVED
    }

    /** The group of inputs that any batch may hold. */
    static final Object ONE_GROUP = "all";

    // immutable
    final Group<I, O> group;
    final long openedAt;

    // mutable, guarded by the group's lock
    /** Tells it from the executor's others, where a listener is told of it. */
    long id;

    State state = State.GATHERING;

    @Nullable Call<I, O> first;

    @Nullable Call<I, O> last;
    /** Callers that joined in flight; linked like the calls, but without an input of their own. */
    @Nullable Call<I, O> firstSharer;

    @Nullable Call<I, O> lastSharer;

    /** Calls that were gathered and have not left before the start; fixed by it. */
    int size;
    /** The sum of their weights; 0 where that bounds nothing. */
    long weight;
    /** The batch that the opener of this one has closed and that is to be signalled, until somebody takes it. */
    @Nullable Batch<I, O> outgrown;
    /** Callers present, sharers included. */
    int callers;

    int joined;
    long startedAt;
    /** Whoever runs the batch yields the processor before it starts it. */
    boolean yields;
    /** It has one input, and somebody yields the processor so that others may join. */
    boolean awaitsCompany;

    boolean overtaken;
    boolean ranTwice;
    boolean abandoned;
    boolean dispatched;
    /** What would look at the batch again later. */
    @Nullable Future<?> timer;

    @Nullable Batch<I, O> nextWaiting;

    @Nullable Batch<I, O> previousWaiting;

    /** The chains in which newcomers find it while they may join it in flight. */
    SharedCalls.@Nullable Link<I, O> firstLink;

    /** Calls that were made from inside this batch, in flight, and have not ended. */
    int nestedCalls;
    /** Calls of this batch that were made from inside others and have to wait for its start. */
    int nestedMembers;
    /** It must not wait for a thread that runs a batch, because such threads may be waiting for it. */
    boolean aside;

    /** The next in the list of batches in flight. */
    @Nullable Batch<I, O> nextInFlight;

    // mutable, written under the group's lock, read without it by callers that wait
    /** Whose thread runs the batch (blocking), or simply the first caller present (future). */
    volatile Call<I, O> leader;
    /** Every outcome is bound and may be read. */
    volatile boolean ended;

    // mutable; written by the thread that runs the batch before it reads {@code abandoned} under the lock, read by the
    // last caller to leave after it wrote that
    volatile @Nullable CompletionStage<?> stage;

    // mutable, confined to the thread that runs the batch
    @Nullable Throwable failure;

    private List<Call<I, O>> executed = Collections.emptyList();
    /** What its callers were to it; only where a listener is told of it. */
    List<CallSummary> calls = Collections.emptyList();

    Thread startedBy;

    // mutable; written before {@code ended}, read by those who see that
    /** When the batch ended, if there is anybody besides its leader who wants to know. */
    long endedAt;

    /** The next batch that was refused to the same thread, which delivers to both; confined to that thread. */
    @Nullable Batch<I, O> nextRefused;

    /** The first of those who are still to be delivered to; who takes it from here delivers to it. */
    private final AtomicReference<@Nullable Call<I, O>> undelivered = new AtomicReference<>();

    Batch(Group<I, O> group, Call<I, O> opener, long now) {
        this.group = group;
        this.leader = opener;
        this.startedBy = Thread.currentThread();
        this.openedAt = now;
        this.startedAt = now;
    }

    void append(Call<I, O> call) {
        call.batch = this;
        link(call);
        size++;
        weight += call.weight();
        callers++;
        group.count(1, true);
        joined++;
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

    void share(Call<I, O> call, Call<I, O> source) {
        call.batch = this;
        call.source = source;
        call.chain = null;
        linkSharer(call);
        callers++;
        group.count(1, false);
        joined++;
    }

    /** A caller leaves, before the start with its input. */
    void callerLeaves() {
        callers--;
        group.count(-1, state != State.IN_FLIGHT);
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

    void unlink(Call<I, O> call) {
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
    void unlinkSharer(Call<I, O> call) {
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

    /**
     * Makes up the inputs of a second execution: those of the callers that are still here. Of those who share the outcome
     * of one that has left without, the first takes its place, so that the batch does not outgrow its size.
     */
    void regather() {
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

    /**
     * Takes the inputs of an execution that is about to begin: those that were there at the start, though their callers
     * may have left since, because others may share their answers; the second time, those still needed that have none.
     */
    private List<Call<I, O>> takeInputs() {
        synchronized (group) {
            if (ranTwice) {
                regather();
            }
            List<Call<I, O>> taken = new ArrayList<>(size);
            for (Call<I, O> call = first; call != null; call = call.next) {
                if (!call.isBound()) {
                    taken.add(call);
                }
            }
            return taken;
        }
    }

    /** What was taken of the callers whose inputs the execution that begins executes. */
    List<@Nullable Object> contexts() {
        List<@Nullable Object> contexts = new ArrayList<>();
        for (Call<I, O> call : takeInputs()) {
            contexts.add(call.context);
        }
        return Collections.unmodifiableList(contexts);
    }

    /** The inputs of the execution that begins, in order of submission, as a batch function sees them: at least one. */
    Collection<Input<I>> inputs() {
        executed = takeInputs();
        return Collections.unmodifiableList(executed);
    }

    /** The inputs of the execution that has just ended, at the same places, for binding. */
    List<Bundle<I, O>> bundles() {
        return Collections.unmodifiableList(executed);
    }

    @Override
    public boolean isLone() {
        synchronized (group) {
            return !group.isJoinedInFlight() && callers == 1 && !leader.hasLeft();
        }
    }

    @Override
    public boolean isLeadersOwn(Throwable failure) {
        return leader.isOwn(failure);
    }

    @Override
    public <R extends @Nullable Object, X extends Exception> R nested(NestedCall<R, X> call) throws X {
        return RunningBatch.callByHandle(this, call);
    }

    /**
     * Takes note of a call that is made from inside this batch. While there is one, the batch lends its place to nested calls.
     *
     * @return false if the batch is not in flight, so that the call is like any other
     */
    boolean beginNested() {
        synchronized (group) {
            if (state != State.IN_FLIGHT) {
                return false;
            }
            if (nestedCalls++ == 0) {
                group.lend();
            }
            return true;
        }
    }

    /** A call that was made from inside this batch has ended. */
    void endNested() {
        synchronized (group) {
            if (--nestedCalls == 0 && state == State.IN_FLIGHT) {
                group.reclaim();
            }
        }
    }

    /** The first caller that is present and without an answer. */
    @Nullable Call<I, O> firstUnanswered() {
        Call<I, O> call = first;
        while (call != null && (call.hasLeft() || call.isBound())) {
            call = call.next;
        }
        return call;
    }

    /** Binds one output to every input. The batch must have started. */
    void bindAll(O output) {
        for (Call<I, O> call = first; call != null; call = call.next) {
            call.bind(output);
        }
    }

    /** Binds a failure to every input that has no outcome yet. The batch must have started. */
    void bindFailureToRest(Throwable cause) {
        for (Call<I, O> call = first; call != null; call = call.next) {
            call.bindFailure(cause);
        }
    }

    /**
     * Makes the outcomes, all of which have been bound, visible to whoever sees {@link #ended}. Nobody joins or leaves the
     * batch any more. Who is to be delivered to: those gathered, in order of submission, then those who shared outcomes.
     */
    void publish() {
        if (last == null) {
            first = firstSharer;
        } else {
            last.next = firstSharer;
        }
        undelivered.set(first);
        ended = true;
    }

    /**
     * Hands their outcomes to the callers that are still here and have none yet, until there is nobody left. The outcomes
     * must be visible. Any number of threads may do so at once; each caller is delivered to by one of them.
     */
    void deliver() {
        boolean more = true;
        while (more) {
            more = deliverNext();
        }
    }

    /** Hands its outcome to one caller, as {@link #deliver} does to all; false if no caller is left. */
    boolean deliverNext() {
        for (Call<I, O> call = undelivered.get(); call != null; call = undelivered.get()) {
            if (undelivered.compareAndSet(call, call.next) && !call.hasLeft()) {
                call.deliver();
                return true;
            }
        }
        return false;
    }

    /** Whether callers are left that nobody has delivered to. */
    boolean isUndelivered() {
        return undelivered.get() != null;
    }

    /** Whether no other follower of this batch, which has ended, is delivered to later. */
    boolean isLastFollower(Call<I, O> call) {
        Call<I, O> next = call.next;
        return next == null || (next == leader && next.next == null);
    }
}
