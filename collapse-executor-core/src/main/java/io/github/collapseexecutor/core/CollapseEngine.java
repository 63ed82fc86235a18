package io.github.collapseexecutor.core;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Gathers calls into batches and decides when a batch starts, which caller leads it and when it is over; it runs nothing itself.
 *
 * <h2>Overview</h2>
 *
 * <p>A {@link Call} is one caller. Calls whose group keys are equal meet in a {@link Group}, which exists only while it
 * has callers. There they form a {@link Batch}: the first call opens it, later ones join it until it starts. A runner
 * executes it: {@link BlockingRunner} on the thread of one of its callers, {@link FutureRunner} on an executor or on
 * whichever thread comes by. Both submit to, start, end and leave batches through this class alone, so that there is one
 * implementation of gathering and one place to prove.
 *
 * <h2>Locking</h2>
 *
 * <p>The state of a group and its batches is guarded by the group's lock. It is held for a few dozen instructions, never
 * while a thread waits and never while code of the user's runs (but for {@code equals} of inputs where {@link
 * JoinMode#IN_FLIGHT} looks for an equal one), so that no lock order exists to be got wrong: a thread holds one group's lock at
 * most, and takes no other inside. Where batches are bounded over all groups, these have one lock together ({@link TotalLimit}).
 *
 * <p>It is no monitor, because of virtual threads. Before JDK 24, one that waits for a monitor keeps its carrier. Since then, a
 * platform thread of the JDK's own wakes it, and the carriers take what such a thread wakes only when nothing else is left to run. Among
 * thousands of virtual threads that is seconds later, and all callers of a batch may be waiting for the one.
 *
 * <p>The lone caller's fast path puts its batch in flight in a group that no other thread can see yet, for which it needs no
 * lock, then publishes the group by one CAS in the {@link GroupTable} (but where groups share a lock, because they share its places). If that loses to another caller, the private group is dropped
 * and the call joins the public one. A group leaves the table when its last batch has ended: {@code gone} is set under the lock
 * and the entry removed after it. A thread that still finds the entry sees {@code gone}, helps to remove it and looks again, so
 * no caller joins a group that has gone.
 *
 * <p>A group has no lock of its own before a second thread comes, which makes one. If none has come when the lone batch ends, its thread puts
 * a mark into the place of the lock, by CAS: {@link Group#retireUnmet}. So either the newcomer has the lock and the end waits for it, or the
 * group has gone and the newcomer looks again.
 *
 * <h2>The start</h2>
 *
 * <p>{@link StartRule} and {@link Group#startIn} say when. A caller that comes when the batch is due starts it, because
 * it runs already; the leader would have to wake up first, and only minds the time for the case that no caller comes. A batch that
 * <em>may</em> start but has been released to a leader that wakes up, or to an executor, is not closed before a thread
 * gets to it, and every caller of that interval still gets in: the busier the machine, the longer the interval
 * and the larger the batch. Where there are more threads than processors to run them, the thread that starts a batch makes that
 * interval by a yield.
 *
 * <h2>Ending</h2>
 *
 * <p>Outcomes are collected in the calls and become visible together. {@link #end} takes the batch out of its group
 * first, then {@linkplain Batch#publish() publishes} them; only then are callers woken. A caller that arrives after publication
 * never receives that result, and a caller that has its answer can rely on the batch having given
 * its place back.
 *
 * <p>The thread that runs the batch wakes its callers one after another. Where more threads want to run than there are processors,
 * that takes long, because the ones that it wakes take its processor: there, a caller that has been woken helps ({@link #arrived}).
 *
 * <h2>Leaving</h2>
 *
 * <p>A caller that is interrupted, cancelled or timed out takes itself out under the lock; {@link LeaveResult} says what
 * follows. That and {@link #end} are ordered by it, so that a call has exactly one end: either it left, or it is delivered
 * to.
 *
 * <h2>Calls from inside a batch</h2>
 *
 * <p>A batch function may call the executor that runs it, or another one whose batches call this one. Such a call must not
 * wait for a place that its own batch holds, nor share the outcome of a batch that cannot end before it. Where either could
 * happen, the engine marks the threads that run batches ({@link RunningBatch}); {@link Batch#nested} marks others. A call from
 * inside a batch counts there until it ends, and a batch that waits for such calls delays no start by its age. It starts at once in the group of its own batch. In another group it takes a
 * place, which a batch that waits for nested calls lends; and it shares no outcome of a batch that waits for nested calls.
 * Of several batches that would wait for each other in a circle, the last one to call finds such a batch, so that none waits
 * for ever.
 */
final class CollapseEngine<I extends @Nullable Object, O extends @Nullable Object> {

    /** The threads that run batches, which decide what a call needs in order not to wait for itself. */
    enum Runner {
        /** The thread of a caller. */
        CALLER,
        /** Any thread, by a function that does not block. */
        ANY,
        /** A thread of an executor, whose threads may all be waiting for calls that they made. */
        EXECUTOR
    }

    // immutable
    private final GroupTable<I, O> groups = new GroupTable<>();
    private final String name;
    private final StartRule rule;
    /** Null where every group has its own places alone. */
    private final @Nullable TotalLimit<I, O> total;

    private final EngineScheduler scheduler;
    private final Consumer<? super Batch<I, O>> signal;
    private final boolean callerRuns;
    private final boolean atMostOnce;
    private final BatchAssignment<I, O> assignment;
    private final Admission admission;
    private final Congestion congestion = new Congestion();
    private final Deliveries<I, O> deliveries;
    private final Contained userCode = new Contained();
    private final Reporter reporter;
    /**
     * Threads that run a batch are marked, because calls from inside one must not wait for it; if not, only those are that run one
     * for a call from inside another batch, which may be waited for further up.
     */
    private final boolean marksThreads;

    /**
     * Creates an engine.
     *
     * @param answersByInput whether each input has an answer of its own, or all of a group have the same
     * @param signal has a batch looked at that may start, or earlier than was known
     */
    CollapseEngine(
            CollapseOptions options,
            Runner runner,
            boolean answersByInput,
            EngineScheduler scheduler,
            Consumer<? super Batch<I, O>> signal) {
        this.name = options.name();
        this.rule = new StartRule(options, answersByInput, runner == Runner.EXECUTOR, scheduler.stallNanos());
        this.total = options.maxConcurrentBatchesTotal() == CollapseOptions.UNLIMITED
                ? null
                : new TotalLimit<>(options.maxConcurrentBatchesTotal());
        this.scheduler = scheduler;
        this.signal = signal;
        this.atMostOnce = options.atMostOnce();
        this.callerRuns = runner == Runner.CALLER;
        boolean isLimited = total != null || rule.maxConcurrentBatches != CollapseOptions.UNLIMITED;
        this.reporter = new Reporter(options, scheduler, userCode);
        this.admission = new Admission(options, reporter, scheduler);
        this.deliveries = new Deliveries<>(rule, scheduler, reporter, admission, callerRuns, userCode);
        // A caller's thread that runs an unmarked batch is found by the leader of that batch.
        this.marksThreads = !callerRuns || isLimited || rule.joinsInFlight;
        this.assignment = new BatchAssignment<>(rule, callerRuns, isLimited, scheduler, reporter, congestion);
    }

    String name() {
        return name;
    }

    EngineScheduler scheduler() {
        return scheduler;
    }

    /** Runs code of a user's that must harm no caller. */
    Contained userCode() {
        return userCode;
    }

    /** How many groups have callers. */
    int groupCount() {
        return groups().size();
    }

    /** The groups that have callers. */
    List<Group<I, O>> groups() {
        return groups.all();
    }

    /** Tells the listener what happens. */
    Reporter reporter() {
        return reporter;
    }

    /** Counts callers, and refuses them. */
    Admission admission() {
        return admission;
    }

    /** Counts what is in each group, one after another. */
    CollapseCounts counts() {
        return groups.counts();
    }

    /** Hands outcomes to callers. */
    Deliveries<I, O> deliveries() {
        return deliveries;
    }

    /** Closes the engine, and waits until no group is left and every batch delivered, at most for a time; says whether that is so. */
    boolean awaitEnd(Duration drain) {
        requireNonNull(drain, "drain");
        Closing closing = admission.close();
        return closing.await(() -> groups.isEmpty() && deliveries.isIdle(closing::isAwaitedBy), drain);
    }

    /**
     * Ends the batches that have not started, with a failure for their callers, and has no batch begin from now on; the caller of this
     * method delivers to them.
     */
    List<Batch<I, O>> endUnstarted(ExecutorClosedException failure) {
        admission.close().end();
        List<Group<I, O>> gone = new ArrayList<>();
        List<Batch<I, O>> ended = groups.endUnstarted(failure, scheduler::nanoTime, gone);
        ended.forEach(batch -> deliveries.begin());
        gone.forEach(this::remove);
        for (Batch<I, O> batch : ended) {
            reporter.ending(batch);
            batch.publish();
        }
        return ended;
    }

    /** Called last before a batch is executed; throws if the executor was closed meanwhile and its closing thread may have gone on. */
    void refuseIfOver() {
        if (admission.isOver()) {
            throw notRun();
        }
    }

    /** The failure of callers whose batch had not started when the engine was closed. */
    ExecutorClosedException notRun() {
        return new ExecutorClosedException("Executor \"" + name
                + "\" was closed before this call was run: give close() longer to drain, or call again elsewhere");
    }

    /**
     * Says from inside which batch the calling thread is about to call, and takes note of it there.
     *
     * <p>A batch waits for its call of another executor if that blocks the thread. If it returns a future, the batch may hand
     * its work on and not wait, as the stages of a pipeline do; then the call is like any other, unless it is made by the handle.
     *
     * @return the batch, which is to be told when {@linkplain Batch#endNested() the call has ended}, or null
     */
    @Nullable Batch<?, ?> beginNested() {
        Batch<?, ?> running = RunningBatch.get();
        if (running == null) {
            return null;
        }
        boolean waits = callerRuns || running.group.isOf(rule) || RunningBatch.isCalledByHandle(running);
        return waits && running.beginNested() ? running : null;
    }

    SubmitResult submit(Object groupValue, Call<I, O> call) {
        return submit(groupValue, call, null);
    }

    /**
     * Puts a call into a batch of its group. Nothing has happened to the call if this throws.
     *
     * @param from the batch from inside which the call is made, or null
     */
    SubmitResult submit(Object groupValue, Call<I, O> call, @Nullable Batch<?, ?> from) {
        reporter.submitting(call);
        UserKey key = new UserKey(groupValue);
        for (; ; ) {
            Group<I, O> group = groups.find(key);
            boolean meets = true;
            if (group == null) {
                Group<I, O> created = newGroup(key);
                SubmitResult joined = null;
                if (total == null) {
                    // without its lock, because no other thread sees the group before the table publishes it
                    joined = from == null && assignment.startsLoneCallAtOnce()
                            ? assignment.startLone(created, call)
                            : assignment.assign(created, call, from);
                }
                group = groups.addIfAbsent(created);
                if (group == null) {
                    if (joined != null) {
                        return joined;
                    }
                    group = created;
                    meets = false;
                }
            }
            SubmitResult joined = null;
            List<Batch<I, O>> released = Collections.emptyList();
            group.lock();
            try {
                if (!group.isGone()) {
                    if (meets) {
                        congestion.met();
                    }
                    joined = assignment.assign(group, call, from);
                    released = group.takeSignals();
                }
            } finally {
                boolean gone = group.retireIfIdle(); // also a new one to which the call could not be submitted
                group.unlock();
                if (gone) {
                    remove(group);
                }
            }
            if (joined != null) {
                group.signal(released);
                return joined;
            }
        }
    }

    /**
     * Puts calls of one group into batches as if they came at the same moment. If threads of callers run batches, no batch starts by this.
     * There, and where the calling thread runs a batch of nested calls, no call is taken after the one that fills it: the thread runs that
     * first.
     *
     * @param from the batch from inside which the calls are made, or null
     */
    BulkSubmission<I, O> submitAll(
            Object groupValue, Collection<? extends Call<I, O>> calls, @Nullable Batch<?, ?> from) {
        UserKey key = new UserKey(groupValue);
        for (; ; ) {
            Group<I, O> group = groups.find(key);
            if (group == null) {
                Group<I, O> created = newGroup(key);
                Group<I, O> before = groups.addIfAbsent(created);
                group = before == null ? created : before;
            }
            BulkSubmission<I, O> submitted = new BulkSubmission<>();
            List<Batch<I, O>> released = Collections.emptyList();
            boolean gone;
            group.lock();
            try {
                gone = group.isGone();
                if (!gone) {
                    assignment.assignAll(group, calls, from, submitted);
                    released = group.takeSignals();
                    gone = group.retireIfIdle(); // none could be submitted
                }
            } finally {
                group.unlock();
            }
            if (gone) {
                remove(group);
            }
            group.signal(released);
            if (submitted.taken > 0) {
                return submitted;
            }
        }
    }

    private Group<I, O> newGroup(UserKey key) {
        return new Group<>(key, rule, total, deliveries.time(), signal);
    }

    /**
     * Takes the join mode of a single call.
     *
     * @param mode what the call asks for, or null for what the executor does
     * @throws InvalidOptionException if it asks to join in flight where no account is kept of that
     */
    void setJoinMode(Call<I, O> call, @Nullable JoinMode mode) {
        checkJoinMode(mode);
        if (mode == JoinMode.FRESH) {
            call.askForFreshAnswer();
        }
    }

    /** Checks the join mode of a call, before it is taken: {@link #setJoinMode}. */
    void checkJoinMode(@Nullable JoinMode mode) {
        if (mode == JoinMode.IN_FLIGHT && !rule.joinsInFlight) {
            throw new InvalidOptionException(
                    "joinMode",
                    mode,
                    "the executor \"" + name
                            + "\" was made with joinMode FRESH; make it with IN_FLIGHT, and let the calls"
                            + " that need a fresh answer ask for FRESH");
        }
    }

    /**
     * Lets no later call share what is in flight.
     *
     * @param input the input, or null for calls that are not told apart by their inputs
     */
    void forget(Object groupValue, @Nullable Object input) {
        UserKey forgotten = new UserKey(input);
        Group<I, O> group = groups.find(new UserKey(requireNonNull(groupValue, "group")));
        if (group == null) {
            return;
        }
        group.lock();
        try {
            group.forgetInFlight(forgotten);
        } finally {
            group.unlock();
        }
    }

    /** Whether batches are bounded by the weight of their inputs, so that calls are weighed before they are submitted. */
    boolean limitsWeight() {
        return rule.limitsWeight();
    }

    /**
     * Starts a batch for the caller that leads it, if it may start.
     *
     * @return {@link StartDelay#NONE} if the caller runs the batch now; {@link StartDelay#AFTER_YIELD} if it yields the
     *     processor and then asks again; else how long it waits
     */
    StartDelay lead(Batch<I, O> batch, Call<I, O> call) {
        long now = scheduler.nanoTime();
        GroupStall stall = null;
        batch.group.lock();
        try {
            if (!batch.isLedBy(call)) {
                return StartDelay.UNTIL_SIGNAL;
            }
            switch (batch.state()) {
                case GATHERING:
                    stall = batch.group.stall(name, batch, now);
                    StartDelay wait = batch.group.startIn(batch, now);
                    if (!wait.isOver()) {
                        return wait;
                    }
                    batch.group.release(batch);
                    if (wait == StartDelay.AFTER_YIELD) {
                        batch.yieldFirst(true);
                        return wait;
                    }
                    assignment.start(batch, now);
                    return StartDelay.NONE;
                case RELEASED:
                    assignment.start(batch, now);
                    return StartDelay.NONE;
                case IN_FLIGHT:
                case OVERTAKEN:
                    return StartDelay.NONE; // handed over by a leader that was interrupted
                default:
                    return StartDelay.UNTIL_SIGNAL;
            }
        } finally {
            batch.group.unlock();
            reporter.stalled(stall);
        }
    }

    /**
     * Releases a batch that was signalled, if it may start, for the calling thread to dispatch it.
     *
     * @return {@link StartDelay#NONE} if the thread dispatches the batch now, which is so once; else how long the batch waits
     *     before a thread asks again
     */
    StartDelay release(Batch<I, O> batch) {
        return release(batch, false);
    }

    /** Releases a batch that only waits for a moment which nothing would tell of; a place it still waits for. */
    StartDelay releaseEarly(Batch<I, O> batch) {
        return release(batch, true);
    }

    private StartDelay release(Batch<I, O> batch, boolean early) {
        long now = scheduler.nanoTime();
        GroupStall stall = null;
        batch.group.lock();
        try {
            if (batch.state() == Batch.State.GATHERING) {
                stall = batch.group.stall(name, batch, now);
                StartDelay wait = batch.group.startIn(batch, now);
                if (!wait.isOver() && !(early && wait.isTimed())) {
                    return wait;
                }
                if (wait == StartDelay.AFTER_YIELD) {
                    batch.yieldFirst(true);
                }
                batch.group.release(batch);
            }
            if (batch.state() != Batch.State.RELEASED) {
                return StartDelay.UNTIL_SIGNAL;
            }
            batch.dispatch();
            return StartDelay.NONE;
        } finally {
            batch.group.unlock();
            reporter.stalled(stall);
        }
    }

    /**
     * Leaves a timer with a batch that gathers, to be cancelled when it starts or dissolves.
     *
     * @param again whether the moment of the start has changed since the timer before was set, so that this one takes its
     *     place; else the one before stays
     * @return a timer that is not needed, which the caller cancels, or null
     */
    @Nullable Future<?> attachTimer(Batch<I, O> batch, Future<?> timer, boolean again) {
        batch.group.lock();
        try {
            return batch.attachTimer(timer, again);
        } finally {
            batch.group.unlock();
        }
    }

    /** What the failure of a caller says whose time has passed while its batch has waited for a place for long; else empty. */
    String whyWaiting(Batch<I, O> batch) {
        long now = scheduler.nanoTime();
        batch.group.lock();
        try {
            GroupStall stall = batch.group.standsStill(name, batch, now, scheduler.stallNanos());
            return stall == null ? "" : ". " + stall.sentence();
        } finally {
            batch.group.unlock();
        }
    }

    /** Whether a batch was dispatched and has not started yet. */
    boolean isDispatched(Batch<I, O> batch) {
        batch.group.lock();
        try {
            return batch.state() == Batch.State.DISPATCHED;
        } finally {
            batch.group.unlock();
        }
    }

    /** Starts a batch that was dispatched; false if every caller left it before, or if it has to wait for a place again. */
    boolean start(Batch<I, O> batch) {
        long now = scheduler.nanoTime();
        Future<?> timer;
        batch.group.lock();
        try {
            if (batch.state() != Batch.State.DISPATCHED || batch.group.holdBack(batch)) {
                return false;
            }
            assignment.start(batch, now);
            timer = batch.timer();
        } finally {
            batch.group.unlock();
        }
        if (timer != null) {
            timer.cancel(false);
        }
        return true;
    }

    /** Marks the calling thread as one that runs a batch; the result is for {@link #restoreMark}. */
    @Nullable Batch<?, ?> mark(Batch<I, O> batch) {
        return marks(batch) ? RunningBatch.set(batch) : null;
    }

    void restoreMark(Batch<I, O> batch, @Nullable Batch<?, ?> before) {
        if (marks(batch)) {
            RunningBatch.restore(before);
        }
    }

    private boolean marks(Batch<I, O> batch) {
        return marksThreads || batch.nestedMembers() > 0;
    }

    /**
     * Ends a batch that has run: settles every outcome and makes them visible. Its callers are then to be delivered to.
     *
     * @return batches to be signalled, because they are released by this or may start earlier than they knew
     */
    List<Batch<I, O>> end(Batch<I, O> batch) {
        if (!batch.isBound()) {
            batch.bindFailureToRest(
                    new UnboundOutputException(
                            "The batch function of \"" + name
                                    + "\" returned without binding an output to every input: bind each bundle once, before it returns"));
        }
        List<Batch<I, O>> released = Collections.emptyList();
        deliveries.begin();
        boolean gone = batch.group.retireUnmet();
        if (gone) {
            endUnmet(batch);
        } else {
            batch.group.lock();
            try {
                if (reporter.isListenedTo() || batch.joined() > 1) {
                    batch.endAt(scheduler.nanoTime());
                }
                batch.group.end(batch);
                released = batch.group.takeSignals();
                gone = batch.group.retireIfIdle();
            } finally {
                batch.group.unlock();
            }
        }
        if (gone) {
            remove(batch.group);
        }
        batch.bindSharers();
        reporter.ending(batch);
        batch.publish();
        return released;
    }

    private void endUnmet(Batch<I, O> batch) {
        batch.end();
        if (reporter.isListenedTo()) {
            batch.endAt(scheduler.nanoTime());
        }
    }

    /**
     * Gives a batch in flight to another caller, because its leader's own interruption broke the execution; that happens
     * to a batch once, and never if it may be executed at most once.
     *
     * @return whether there is another caller, which is to be signalled; if not, the leader ends the batch
     */
    boolean handOver(Batch<I, O> batch, Call<I, O> leader) {
        batch.group.lock();
        try {
            if (batch.ranTwice() || atMostOnce) {
                batch.group.close(batch);
                return false;
            }
            leader.leaveInFlight();
            batch.repeat();
            batch.group.handOver(batch);
            Call<I, O> successor = batch.successorInFlight();
            if (successor == null) {
                batch.group.close(batch);
                return false;
            }
            batch.callerLeaves();
            batch.handTo(successor);
            return true;
        } finally {
            batch.group.unlock();
        }
    }

    /** Takes a caller out of its batch. */
    LeaveResult<I, O> leave(Call<I, O> call) {
        return leave(call, false);
    }

    /**
     * Takes a caller out of its batch.
     *
     * @param unexecuted whether the caller stays if its input is being executed
     */
    LeaveResult<I, O> leave(Call<I, O> call, boolean unexecuted) {
        LeaveResult<I, O> result = LeaveResult.of(call, callerRuns, unexecuted);
        if (result.groupIsGone) {
            remove(call.batch().group);
        }
        return result;
    }

    /**
     * For a follower that waited and sees that its batch has ended: takes note of how long its answer took to reach it. If that
     * is long, measured by the call, or others lately were late, the follower helps to wake the rest.
     *
     * <p>Never without need: to return and make the next call does more for the others than to help.
     */
    void arrived(Batch<I, O> batch, Call<I, O> follower) {
        long late = scheduler.nanoTime() - batch.endedAt();
        int followers = batch.joined() - 1; // none beside a lone caller whose batch was ended without a start
        if (followers > 0 && batch.isLastFollower(follower)) {
            deliveries.time().add(late, followers);
        }
        if (congestion.woken(late, batch.endedAt() - batch.startedAt())) {
            batch.deliver();
        }
    }

    /** Gives a batch that has not begun to another leader: {@link LeaveResult#ofPassedOn}. */
    LeaveResult<I, O> passOn(Batch<I, O> batch, BulkCaller leader) {
        LeaveResult<I, O> result = LeaveResult.ofPassedOn(batch, leader);
        if (result.groupIsGone) {
            remove(batch.group);
        }
        return result;
    }

    /** Whether a caller that has not left by itself has been sent back, to submit its input again. */
    boolean isSentBack(Call<I, O> call) {
        Group<I, O> group = call.batch().group;
        group.lock();
        try {
            return call.hasLeft();
        } finally {
            group.unlock();
        }
    }

    /** Whether every caller of a batch in flight has left. */
    boolean isAbandoned(Batch<I, O> batch) {
        batch.group.lock();
        try {
            return batch.isAbandoned();
        } finally {
            batch.group.unlock();
        }
    }

    private void remove(Group<I, O> group) {
        groups.remove(group);
        admission.wakeClosing();
    }
}
