package io.github.collapseexecutor.core;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** One execution and the calls that it serves, from the first call that opens the batch to the end of the execution. */
final class Batch<I extends @Nullable Object, O extends @Nullable Object> extends BatchCalls<I, O>
        implements BatchHandle {

    /**
     * Where a batch stands. The methods of {@link Batch} that change it have the names below, and run under the group's lock.
     *
     * <pre>
     * from                  to          by        when
     * (new)                 GATHERING             its first call opens it
     * GATHERING             RELEASED    release   it may start, and takes one of its group's places
     * RELEASED              DISPATCHED  dispatch  a thread takes it to where it runs; not if a caller's thread runs it
     * RELEASED, DISPATCHED  IN_FLIGHT   start     the thread that runs it has come to it
     * DISPATCHED            GATHERING   holdBack  its thread has come, and nested calls that could not wait for that have its place
     * IN_FLIGHT             OVERTAKEN   overtake  a batch that started later ended first: it delays no start any more
     * IN_FLIGHT, OVERTAKEN  ENDED       end       it has been executed
     * GATHERING, RELEASED,
     *            DISPATCHED ENDED       end       its executor was closed before it could start
     * GATHERING, RELEASED,
     *            DISPATCHED DISSOLVED   dissolve  every caller left before the start
     * </pre>
     *
     * Callers join a batch until it starts, and, where the options say so, while it is in flight. A batch that is RELEASED or
     * DISPATCHED waits for its leader to wake up or for a thread of its executor: callers of that interval still get in.
     *
     * <p>Beside the state there are:
     *
     * <pre>
     * yields     set by yieldFirst, at the release: the thread that starts the batch yields the processor first
     * aside      set by release, or by putAside before the start: the batch must not wait for a thread that runs a batch
     * atOnce     set by startAtOnce, at the release: the thread of its call is about to start it
     * wentAhead  set by goAhead, at the start: it was early
     * ranTwice   set by repeat, in flight: the interruption of its leader broke the first execution
     * published  set after the state is ENDED: the outcomes may be read
     * </pre>
     *
     * A batch in flight is abandoned when the number of its callers is 0.
     */
    enum State {
        GATHERING,
        RELEASED,
        DISPATCHED,
        IN_FLIGHT,
        OVERTAKEN,
        ENDED,
        DISSOLVED;

        private boolean mayBecome(State next) {
            switch (next) {
                case GATHERING:
                    return this == DISPATCHED;
                case RELEASED:
                    return this == GATHERING;
                case DISPATCHED:
                    return this == RELEASED;
                case IN_FLIGHT:
                    return this == RELEASED || this == DISPATCHED;
                case OVERTAKEN:
                    return this == IN_FLIGHT;
                case ENDED:
                    return this != ENDED && this != DISSOLVED;
                case DISSOLVED:
                    return this == GATHERING || this == RELEASED || this == DISPATCHED;
                default:
                    return false;
            }
        }
    }

    /** Why the thread that starts a batch yields the processor first, if it does. */
    private enum Yield {
        NO,
        /** More threads want to run than there are processors. */
        FOR_PROCESSORS,
        /** The batch has one input, and others may join it. */
        FOR_COMPANY
    }

    /** The group of inputs that any batch may hold. */
    static final Object ONE_GROUP = "all";

    // immutable
    final long openedAt;

    // mutable, guarded by the group's lock
    private State state = State.GATHERING;
    private Yield yields = Yield.NO;
    private boolean aside;
    private boolean atOnce;
    private boolean ranTwice;
    private boolean wentAhead;
    private long startedAt;
    /** The task that would look at the batch again later. */
    private @Nullable Future<?> timer;
    /** Calls that were made from inside this batch, in flight, and have not ended. */
    private int nestedCalls;
    /** Calls of this batch that were made from inside others and have to wait for its start. */
    private int nestedMembers;
    /** Null where no listener is told of the batch. */
    private @Nullable BatchRecord record;

    // mutable, guarded by the group's lock; links that others keep: the group in its queues and in its list of batches
    // in flight, SharedCalls in the chains in which newcomers find the batch while they may join it in flight
    @Nullable Batch<I, O> nextInQueue;

    @Nullable Batch<I, O> previousInQueue;

    @Nullable Batch<I, O> nextInFlight;

    SharedCalls.@Nullable Link<I, O> firstLink;

    // immutable
    /** The caller that opened the batch and leads it, until another one does. */
    private final Call<I, O> opener;

    // mutable, written under the group's lock, read without it by callers that wait
    /** The later leader; null while the opener leads, so that a lone caller need not write a volatile field. */
    private volatile @Nullable Call<I, O> successor;

    // mutable; written by the thread that runs the batch before it counts the callers under the lock, read by the last
    // caller to leave after it was counted out
    private volatile @Nullable CompletionStage<?> stage;

    // mutable; written by the thread that runs the batch, read by callers that come to their end
    private volatile @Nullable List<@Nullable Object> executedContexts;

    // mutable, confined to the thread that runs the batch
    private List<Call<I, O>> executed = Collections.emptyList();

    // mutable; written before the batch is published, read after
    /** When the batch ended, if a follower or a listener wants to know. */
    private long endedAt;

    /** The next batch that was refused to the same thread, which delivers to both; confined to that thread. */
    @Nullable Batch<I, O> nextRefused;

    Batch(Group<I, O> group, Call<I, O> opener, long now) {
        super(group);
        this.opener = opener;
        this.openedAt = now;
        this.startedAt = now;
    }

    // ---- its state; under the group's lock

    private void become(State next) {
        assert state.mayBecome(next) : state + " -> " + next;
        state = next;
    }

    /**
     * Lets the batch start.
     *
     * @param aside whether it must not wait for a thread that runs a batch, because such threads may be waiting for it
     */
    void release(boolean aside) {
        become(State.RELEASED);
        this.aside = aside;
    }

    /** Lets the thread of the call that opened the batch start it, whatever else waits. */
    void startAtOnce() {
        atOnce = true;
    }

    /** The batch, which has been released, must not wait for a thread that runs a batch any more. */
    void putAside() {
        aside = true;
        if (state == State.RELEASED) {
            dispatch();
        }
    }

    /**
     * Has the thread that starts the batch yield the processor first.
     *
     * @param forCompany whether the batch is lone and the yield may bring it company; else because processors are short
     */
    void yieldFirst(boolean forCompany) {
        yields = forCompany ? Yield.FOR_COMPANY : Yield.FOR_PROCESSORS;
    }

    void dispatch() {
        become(State.DISPATCHED);
    }

    void holdBack() {
        become(State.GATHERING);
    }

    void start(long now) {
        become(State.IN_FLIGHT);
        startedAt = now;
    }

    /** It started before the answers of an earlier batch have had the time to arrive. */
    void goAhead() {
        wentAhead = true;
    }

    boolean wentAhead() {
        return wentAhead;
    }

    void overtake() {
        become(State.OVERTAKEN);
    }

    void end() {
        become(State.ENDED);
    }

    void dissolve() {
        become(State.DISSOLVED);
    }

    State state() {
        return state;
    }

    /** Whether it may start, has a place, and has not started. */
    boolean isReleased() {
        return state == State.RELEASED || state == State.DISPATCHED;
    }

    boolean isInFlight() {
        return state == State.IN_FLIGHT || state == State.OVERTAKEN;
    }

    boolean yieldsFirst() {
        return yields != Yield.NO;
    }

    /** Whether the yield before its start brought it no company. */
    boolean yieldedInVain() {
        return yields == Yield.FOR_COMPANY && size() == 1;
    }

    boolean startsAtOnce() {
        return atOnce;
    }

    boolean isAside() {
        return aside;
    }

    long startedAt() {
        return startedAt;
    }

    /** Takes note of a start that was not timed. */
    void startedAt(long now) {
        startedAt = now;
    }

    // ---- its callers; under the group's lock

    /** Adds a call whose input is to be executed. */
    void append(Call<I, O> call) {
        call.batch = this;
        gather(call);
    }

    /** Adds a call that comes while the batch is in flight. */
    void join(Call<I, O> call, Call<I, O> source) {
        call.batch = this;
        share(call, source);
    }

    /** A caller leaves, before the start with its input. */
    void callerLeaves() {
        countOut(!isInFlight());
    }

    /** Whether no other follower of this batch, which has ended, is delivered to later. */
    boolean isLastFollower(Call<I, O> call) {
        Call<I, O> next = call.next;
        return next == null || (isLedBy(next) && next.next == null);
    }

    /** Makes a caller that is present the leader. */
    void handTo(Call<I, O> caller) {
        if (!isLedBy(caller)) {
            successor = caller;
        }
    }

    /**
     * Returns the caller whose thread runs the batch (blocking), or simply the first caller present (future). Needs no lock.
     */
    Call<I, O> leader() {
        Call<I, O> later = successor;
        return later == null ? opener : later;
    }

    /** Needs no lock. */
    boolean isLedBy(Call<?, ?> call) {
        return leader() == call;
    }

    /** Whether the calling thread is that of the leader, so that it runs the batch or is to. */
    boolean isLedByThisThread() {
        return leader().isOfThisThread();
    }

    /** Whether every caller has left the batch, which is in flight or was when the last one left. */
    boolean isAbandoned() {
        return callers() == 0;
    }

    /** Has the batch executed again. */
    void repeat() {
        ranTwice = true;
    }

    boolean ranTwice() {
        return ranTwice;
    }

    /**
     * Takes a timer, to be cancelled when the batch starts or dissolves, if it gathers.
     *
     * @param again whether the moment of the start has changed since the timer before was set, so that this one takes its
     *     place; else the one before stays
     * @return a timer that is not needed, or null
     */
    @Nullable Future<?> attachTimer(Future<?> added, boolean again) {
        Future<?> before = timer;
        if (state != State.GATHERING || (before != null && !again)) {
            return added;
        }
        timer = added;
        return before;
    }

    @Nullable Future<?> timer() {
        return timer;
    }

    // ---- calls from inside batches

    /**
     * Takes note of a call that is made from inside this batch. While there is one, the batch lends its place to nested calls.
     *
     * @return false if the batch is not in flight, so that the call is like any other
     */
    boolean beginNested() {
        List<Batch<I, O>> released;
        group.lock();
        try {
            if (!isInFlight() || group.isGone()) {
                return false;
            }
            if (nestedCalls++ == 0) {
                group.lend();
            }
            released = group.takeSignals();
        } finally {
            group.unlock();
        }
        group.signal(released);
        return true;
    }

    /** A call that was made from inside this batch has ended. */
    void endNested() {
        group.lock();
        try {
            if (--nestedCalls == 0 && isInFlight()) {
                group.reclaim();
            }
        } finally {
            group.unlock();
        }
    }

    /** Whether calls that were made from inside this batch have not ended. Under the group's lock. */
    boolean awaitsNested() {
        return nestedCalls > 0;
    }

    /** A call of this batch was made from inside another, or has left. Under the group's lock. */
    void countNestedMember(int calls) {
        nestedMembers += calls;
    }

    int nestedMembers() {
        return nestedMembers;
    }

    // ---- its execution

    /** The calling thread is about to execute the batch. */
    void runHere() {
        if (record != null) {
            record.runHere();
        }
    }

    /** The contexts of the callers whose inputs the execution that begins executes. */
    List<@Nullable Object> contexts() {
        List<@Nullable Object> contexts = new ArrayList<>();
        for (Call<I, O> call : takeInputs()) {
            contexts.add(call.context);
        }
        List<@Nullable Object> all = Collections.unmodifiableList(contexts);
        executedContexts = all;
        return all;
    }

    /** What {@link #contexts} returned last; empty if nothing was executed. */
    List<@Nullable Object> executedContexts() {
        List<@Nullable Object> executed = executedContexts;
        return executed == null ? Collections.emptyList() : executed;
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

    /**
     * Takes the inputs of an execution that is about to begin: those that were there at the start, though their callers
     * may have left since, because others may share their answers; the second time, those still needed that have none.
     */
    private List<Call<I, O>> takeInputs() {
        if (group.isUnmet()) {
            return unbound();
        }
        group.lock();
        try {
            if (ranTwice) {
                regather();
            }
            return unbound();
        } finally {
            group.unlock();
        }
    }

    /** The execution goes on in a stage. */
    void goOnIn(CompletionStage<?> stage) {
        this.stage = stage;
    }

    /** The stage in which the execution goes on; null before the batch function has returned it. */
    @Nullable CompletionStage<?> stage() {
        return stage;
    }

    /** The execution has failed: every input without an outcome gets the failure. */
    void fail(Throwable cause) {
        fail(cause, cause);
    }

    /** The execution has failed, of which the callers are to be told something else. */
    void fail(Throwable cause, Throwable toldCallers) {
        if (record != null) {
            record.failed(cause);
        }
        bindFailureToRest(toldCallers);
    }

    // ---- what is told of it

    void keep(BatchRecord record) {
        this.record = record;
    }

    /** What a listener is told of it; only where there is a listener. */
    BatchRecord record() {
        return requireNonNull(record, "record");
    }

    /** The name of the thread that leads it, where there is a listener. */
    String nameOfLeader() {
        return BatchSummary.nameOf(record().startedBy());
    }

    /** The batch ends now, before it is published. */
    void endAt(long now) {
        endedAt = now;
    }

    /** The batch, which has not started, ends now. */
    void endUnstartedAt(long now) {
        startedAt = now;
        endedAt = now;
    }

    long endedAt() {
        return endedAt;
    }

    // ---- as its function sees it

    @Override
    public boolean isLone() {
        if (group.isUnmet()) {
            return !group.isJoinedInFlight();
        }
        group.lock();
        try {
            return !group.isJoinedInFlight() && callers() == 1 && !leader().hasLeft();
        } finally {
            group.unlock();
        }
    }

    @Override
    public boolean isLeadersOwn(Throwable failure) {
        return leader().isOwn(failure);
    }

    @Override
    public <R extends @Nullable Object, X extends Exception> R nested(NestedCall<R, X> call) throws X {
        return RunningBatch.callByHandle(this, call);
    }
}
