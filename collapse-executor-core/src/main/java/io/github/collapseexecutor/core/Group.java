package io.github.collapseexecutor.core;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The batches that one group gathers and has in flight, and the transitions between the two. Every method is called with the
 * group's lock held ({@link #lock}), which guards all that is below it; none blocks, and none runs code of the user's but the {@code
 * equals} of an input that seeks a batch in flight.
 *
 * <p>Batches that gather stand in a queue. Only its last is open; those before it are full and wait for a place among
 * {@code maxConcurrentBatches}. Only its head is released. A full batch leaves the queue at once if there is a place, so
 * the head is full only while every place is taken; each place that is given back releases the head. A call that is too heavy
 * for the open batch closes that batch, as if it were full, and opens another.
 *
 * <p>Batches in flight stand in a list by their start, without those that a later one has overtaken.
 *
 * <p>A batch that waits for calls which it made itself lends its place: to these, and to calls that other batches make. So
 * batches that wait for one another's groups, or for their own, do not wait for ever. Calls that are made from outside get
 * a place that is lent only while a nested call waits with them or behind them. No batch starts while as many as the limit are
 * in flight that do not wait for nested calls themselves. A batch whose nested calls have ended goes on at once, beside the one that has its
 * place; so does a batch that its next leader repeats, because it has started already.
 *
 * <p>Where the executor's batches are bounded over all groups, a batch takes a place of the {@link TotalLimit} together with the one of its
 * group, by the same rules.
 */
final class Group<I extends @Nullable Object, O extends @Nullable Object> extends Places {

    /** About a microsecond; none where the thread that holds the lock would need this thread's processor to go on. */
    private static final int TRIES = Runtime.getRuntime().availableProcessors() > 1 ? 256 : 0;

    @SuppressWarnings("rawtypes") // of a generic class there is only the raw class object
    private static final AtomicReferenceFieldUpdater<Group, @Nullable ReentrantLock> LOCK =
            AtomicReferenceFieldUpdater.newUpdater(Group.class, ReentrantLock.class, "lock");

    /** In the place of the lock of a group that has ended before anybody needed one. Nobody takes it. */
    private static final ReentrantLock NONE = new ReentrantLock();

    // immutable
    final UserKey key;
    private final StartRule rule;
    private final DeliveryTime delivery;
    /** Tells the runner of a batch that it may start, or earlier than it knew; with no lock held. */
    private final Consumer<? super Batch<I, O>> signal;
    /** Null unless callers may join a batch that is in flight. */
    private final @Nullable SharedCalls<I, O> shared;
    /** Null where nothing but the group has a limit. */
    private final @Nullable TotalLimit<I, O> total;

    // mutable; by CAS from null, once
    /** Null while no thread but the one that made the group has used it; then the lock for good, or {@link #NONE}. */
    private volatile @Nullable ReentrantLock lock;

    // mutable, guarded by the lock
    /** The turn among the groups that wait for a place of the executor; 0 without. */
    long turn;

    private @Nullable Batch<I, O> open;
    /** Batches that gather. */
    private final BatchQueue<I, O> waiting = new BatchQueue<>();
    /** Batches that have been released and have not started. */
    private final BatchQueue<I, O> starting = new BatchQueue<>();

    private @Nullable Batch<I, O> oldest;
    private @Nullable Batch<I, O> newest;
    private int inFlight;
    /** Callers present in any batch, and of these the ones whose batch has not started. */
    private int callers;

    private int gathering;

    /** Batches that are to be signalled as soon as the lock is released; where places are shared, those of all groups are kept together. */
    private List<Batch<I, O>> toSignal = Collections.emptyList();

    private long lastStart;
    /** The only batch was started without a look at the clock: it counts as started when the next one is opened. */
    private boolean startUnknown;
    /** How long the call took that ended last, in nanoseconds, of those with more than one caller; no bound before the first. */
    private long lastCall = Long.MAX_VALUE;
    /** Null while no batch has started with more than a few callers present. */
    private @Nullable Crowd crowd;
    /** It was said that all places have been taken for long. */
    private boolean stalled;

    /** The group has left the table: a thread that finds it looks again. */
    private boolean gone;

    Group(
            UserKey key,
            StartRule rule,
            @Nullable TotalLimit<I, O> total,
            DeliveryTime delivery,
            Consumer<? super Batch<I, O>> signal) {
        super(rule.maxConcurrentBatches);
        this.key = key;
        this.total = total;
        this.rule = rule;
        this.delivery = delivery;
        this.signal = signal;
        this.shared = rule.joinsInFlight ? new SharedCalls<>(rule) : null;
        if (total != null) {
            LOCK.lazySet(this, total.lock);
        }
    }

    /**
     * Takes the lock of the group; not a monitor, for the sake of virtual threads: {@link CollapseEngine}. It is held so shortly that to
     * try again for a moment costs less than to wait for it. A group that has gone may be without one; nothing changes in it any more.
     */
    void lock() {
        ReentrantLock own = lock;
        if (own == null) {
            own = makeLock();
        }
        if (own == NONE) {
            return;
        }
        for (int tries = TRIES; tries > 0; tries--) {
            if (own.tryLock()) {
                return;
            }
        }
        own.lock();
    }

    private ReentrantLock makeLock() {
        ReentrantLock made = new ReentrantLock();
        return LOCK.compareAndSet(this, null, made) ? made : requireNonNull(lock);
    }

    /** Releases the lock, which the calling thread has taken. */
    void unlock() {
        ReentrantLock own = requireNonNull(lock);
        if (own != NONE) {
            own.unlock();
        }
    }

    /** Whether the calling thread has the lock. */
    boolean isLockedByThisThread() {
        ReentrantLock own = lock;
        return own != null && own.isHeldByCurrentThread();
    }

    /** Whether no thread has needed the lock yet, so that the batch that the calling thread has started is the only one. */
    boolean isUnmet() {
        return lock == null;
    }

    /**
     * Takes the group out of use with its only batch, which the calling thread has started and executed, if no other thread has come;
     * then nothing else is to be ended in it. Where callers join in flight, an end does more.
     */
    boolean retireUnmet() {
        return shared == null && lock == null && LOCK.compareAndSet(this, null, NONE);
    }

    /** What the callers of the group gave as its key. */
    Object value() {
        return requireNonNull(key.value());
    }

    /** Whether the groups belong to one executor. */
    boolean isOfTheSameExecutorAs(Group<?, ?> other) {
        return rule == other.rule;
    }

    /** Whether it is a group of the executor that starts by this rule. */
    boolean isOf(StartRule executors) {
        return rule == executors;
    }

    /** A caller has come to a batch, which has not started if it is gathered, or has left it. */
    void count(int caller, boolean gathered) {
        callers += caller;
        if (gathered) {
            gathering += caller;
        }
    }

    int callerCount() {
        return callers;
    }

    int gatheringCount() {
        return gathering;
    }

    int inFlightCount() {
        return inFlight;
    }

    /** Whether callers may join a batch that is in flight. */
    boolean isJoinedInFlight() {
        return rule.joinsInFlight;
    }

    boolean isGone() {
        return gone || lock == NONE;
    }

    /** Takes the group out of use if nothing is gathered or in flight; says whether it is out of use. */
    boolean retireIfIdle() {
        if (waiting.isEmpty() && areFree()) {
            gone = true;
        }
        return isGone();
    }

    // ---- places

    @Override
    void occupy(int batches) {
        super.occupy(batches);
        if (total != null) {
            total.occupy(batches);
        }
    }

    @Override
    void countUnbegun(int batches) {
        super.countUnbegun(batches);
        if (total != null) {
            total.countUnbegun(batches);
        }
    }

    @Override
    void lend(int batches) {
        super.lend(batches);
        if (total != null) {
            total.lend(batches);
        }
    }

    @Override
    void countNestedWaiting(int calls) {
        super.countNestedWaiting(calls);
        if (total != null) {
            total.countNestedWaiting(calls);
        }
    }

    @Override
    boolean hasPlace(boolean nested) {
        return super.hasPlace(nested) && (total == null || total.hasPlace(nested));
    }

    /** Whether a batch of the group may take a place; it may have one that is lent while a nested call waits with it or behind it. */
    private boolean hasPlace() {
        return hasPlace(hasNestedWaiting());
    }

    // ---- batches

    /** The batch that an input without weight may join, or null if it must open one. */
    @Nullable Batch<I, O> joinable() {
        return open;
    }

    /** The batch that a call may join, or null if it must open one. */
    @Nullable Batch<I, O> joinable(Call<I, O> call) {
        return open == null || !hasRoom(open, call) ? null : open;
    }

    /** Opens a batch with its first call; one that is open still would outgrow its weight with that call, and is closed. */
    Batch<I, O> open(Call<I, O> call, long now) {
        learnStart(now);
        Batch<I, O> batch = new Batch<>(this, call, now);
        add(batch, call);
        releaseOutgrown();
        waiting.addLast(batch);
        open = isFull(batch) ? null : batch;
        return batch;
    }

    /** Releases the batch that is open, as a full one, if there is a place; else it waits as one. */
    private void releaseOutgrown() {
        if (open != null && open == waiting.first()) { // else it is on its way, or behind others
            releaseHead();
        }
    }

    /** Adds a call to the open batch. */
    void join(Batch<I, O> batch, Call<I, O> call) {
        add(batch, call);
        if (isFull(batch)) {
            open = null;
        }
    }

    /** Opens a batch that does not gather: the thread of its call starts it at once, whatever else waits. */
    Batch<I, O> openAtOnce(Call<I, O> call, long now) {
        learnStart(now);
        Batch<I, O> batch = new Batch<>(this, call, now);
        add(batch, call);
        batch.release(true);
        batch.startAtOnce();
        starting.addLast(batch);
        occupy(1);
        return batch;
    }

    /**
     * Opens and starts the first batch of a group that no other thread sees, without a look at the clock, which costs a lone call
     * a fifth of its time. The first call that meets it starts at once, and from then on its age counts.
     */
    void startUntimed(Call<I, O> call) {
        start(openAtOnce(call, 0), 0);
        startUnknown = true;
    }

    private void learnStart(long now) {
        if (startUnknown) {
            startUnknown = false;
            lastStart = now - rule.maxWait; // it may be old
            if (oldest != null) {
                oldest.startedAt(now);
            }
        }
    }

    /** Whether a batch is not full. */
    boolean takesMore(Batch<I, O> batch) {
        return !isFull(batch);
    }

    /** Whether a batch that is not full has room for the weight of a call. */
    boolean hasRoom(Batch<I, O> batch, Call<I, O> call) {
        return call.weight() <= rule.maxBatchWeight - batch.weight();
    }

    /**
     * Whether a call from inside a batch of another group has a place at once. It may have the place of a batch that waits for a
     * thread, which may be waiting for that call; such a batch is {@linkplain #holdBack held back} then.
     */
    boolean hasPlaceForNested() {
        return hasPlace(true);
    }

    /** A call of a batch that gathers was made from inside another batch. */
    void expectNested(Batch<I, O> batch, Call<I, O> call) {
        boolean wasLimited = !hasPlace();
        call.nested = true;
        batch.countNestedMember(1);
        countNestedWaiting(1);
        if (wasLimited) {
            releaseHeads();
        }
    }

    /** A batch in flight begins to wait for nested calls: those that wait here, or behind which others do, get its place. */
    void lend() {
        boolean wasLimited = !hasPlace();
        lend(1);
        if (total != null) {
            total.fill();
        }
        if (wasLimited) {
            releaseHeads();
        }
    }

    private void releaseHeads() {
        boolean more = true;
        while (more) {
            more = releaseHead();
        }
    }

    /** Releases the head of the queue, which is then to be signalled; false if there is none, or no place. */
    boolean releaseHead() {
        Batch<I, O> head = waiting.first();
        if (head == null || !hasPlace()) {
            return false;
        }
        release(head);
        toSignal(head);
        return true;
    }

    /** Has a batch signalled as soon as the lock is released. */
    void toSignal(Batch<I, O> batch) {
        if (total != null) {
            total.toSignal(batch);
            return;
        }
        if (toSignal.isEmpty()) {
            toSignal = new ArrayList<>();
        }
        toSignal.add(batch);
    }

    /** Takes the batches that the calling thread is to {@linkplain #signal signal} when it has released the lock. */
    List<Batch<I, O>> takeSignals() {
        if (total != null) {
            return total.takeSignals();
        }
        List<Batch<I, O>> taken = toSignal;
        toSignal = Collections.emptyList();
        return taken;
    }

    /** Signals batches, with no lock held. */
    void signal(List<Batch<I, O>> batches) {
        batches.forEach(signal);
    }

    void reclaim() {
        lend(-1);
    }

    /** Finds the calls of equal inputs. Runs the input's {@code hashCode} and {@code equals}, which may throw. */
    void locate(Call<I, O> call) {
        if (shared != null) {
            shared.locate(call);
        }
    }

    /** A call will not be executed, or not again. */
    void forget(Call<I, O> call) {
        if (shared != null) {
            shared.forget(call);
        }
    }

    /** The calls in flight of an input may not be shared any more. */
    void forgetInFlight(UserKey input) {
        if (shared != null) {
            shared.forgetInFlight(input);
        }
    }

    /** A batch in flight may not be joined any more. */
    void close(Batch<I, O> batch) {
        if (shared != null) {
            shared.closed(batch);
        }
    }

    /** A batch in flight is to be executed again, by another caller: with which inputs, is not known yet. */
    void handOver(Batch<I, O> batch) {
        if (rule.indexesInputs) {
            close(batch);
        }
        batch.regather();
    }

    /** A caller leaves a batch that has not started. */
    void withdraw(Batch<I, O> batch, Call<I, O> call) {
        batch.unlink(call);
        if (call.nested) {
            batch.countNestedMember(-1);
            countNestedWaiting(-1);
        }
        forget(call);
    }

    /** The call in flight whose outcome the given one may share, or null; see {@link SharedCalls#find}. */
    @Nullable Call<I, O> inFlight(Call<I, O> call, long now, boolean nested) {
        return shared == null ? null : shared.find(call, now, nested);
    }

    /**
     * What holds up the head of the queue.
     *
     * @param batch any batch of the group
     * @param atLeast the nanoseconds for which it has to have waited for a place while no batch has started
     * @return null if it has not
     */
    @Nullable GroupStall standsStill(String executor, Batch<I, O> batch, long now, long atLeast) {
        if (batch != waiting.first() || hasPlace() || sinceLastMove(batch, now) < atLeast) {
            return null;
        }
        TotalLimit<I, O> full = limitOfAllGroups();
        return new GroupStall(
                executor,
                this,
                full != null,
                sinceLastMove(batch, now),
                full == null ? inFlight : full.inFlight().size(),
                rule.stallNanos == Long.MAX_VALUE ? Collections.emptyList() : leaders(full));
    }

    /** The names of the threads that lead the batches in flight; these keep them where a listener is told of it. */
    private List<String> leaders(@Nullable TotalLimit<I, O> full) {
        List<String> leaders = new ArrayList<>();
        if (full != null) {
            full.inFlight().forEach(batch -> leaders.add(batch.nameOfLeader()));
        } else {
            for (Batch<I, O> batch = oldest; batch != null; batch = batch.nextInFlight) {
                leaders.add(batch.nameOfLeader());
            }
        }
        return leaders;
    }

    /** What there is to say, once, of a group that has stood still for long; null if there is nothing. */
    @Nullable GroupStall stall(String executor, Batch<I, O> batch, long now) {
        if (isStallTold()) {
            return null;
        }
        TotalLimit<I, O> full = limitOfAllGroups();
        GroupStall stall = standsStill(executor, batch, now, rule.stallNanos);
        if (stall != null && full != null) {
            full.tellStall();
        }
        stalled |= stall != null;
        return stall;
    }

    /** Whether nobody is to be told any more that the group stands still. */
    private boolean isStallTold() {
        TotalLimit<I, O> full = limitOfAllGroups();
        return rule.stallNanos == Long.MAX_VALUE || (full == null ? stalled : full.isStallTold());
    }

    /** The limit of all groups, if that is what holds up this one; else null. */
    private @Nullable TotalLimit<I, O> limitOfAllGroups() {
        return super.hasPlace(hasNestedWaiting()) ? total : null;
    }

    /** Differences are compared, because a clock of nanoseconds may overflow. */
    private long sinceLastMove(Batch<I, O> batch, long now) {
        TotalLimit<I, O> full = limitOfAllGroups();
        long lastMove = full == null ? lastStart : full.lastStart();
        return Math.min(now - lastMove, now - batch.openedAt);
    }

    /** When a gathering batch may start. */
    StartDelay startIn(Batch<I, O> batch, long now) {
        if (batch != waiting.first()) {
            return StartDelay.UNTIL_SIGNAL;
        }
        if (!hasPlace()) {
            if (total != null) {
                total.queue(this);
            }
            return isStallTold()
                    ? StartDelay.UNTIL_SIGNAL
                    : StartDelay.untilSignalFor(rule.stallNanos - sinceLastMove(batch, now));
        }
        if (isFull(batch)) {
            return StartDelay.NONE;
        }
        Batch<I, O> delaying = oldestThatDelays();
        if (delaying != null) {
            long answers = goesAhead(batch) ? 0 : delivery.nanos();
            return StartDelay.of(gapAfterLastStart(delaying, answers) - (now - lastStart));
        }
        if (!rule.collects() || batch.size() >= rule.waitThreshold) {
            return StartDelay.NONE;
        }
        if (rule.collectingWaitTime == 0) {
            return batch.size() == 1 ? StartDelay.AFTER_YIELD : StartDelay.NONE;
        }
        return StartDelay.of(rule.collectingWaitTime - (now - batch.openedAt));
    }

    private long gapAfterLastStart(Batch<I, O> delaying, long answers) {
        return rule.gapAfter(lastStart, delaying.startedAt(), answers, lastCall);
    }

    private boolean goesAhead(Batch<I, O> batch) {
        return crowd != null && crowd.goesAhead(batch.size(), delivery.nanosOfOne());
    }

    /** Whether a batch that starts now does so before the answers of an earlier one have had the time to arrive. */
    boolean isAhead(long now) {
        Batch<I, O> delaying = crowd == null ? null : oldestThatDelays();
        return delaying != null && now - lastStart < gapAfterLastStart(delaying, delivery.nanos());
    }

    /** The oldest batch in flight that does not wait for nested calls, of which the one that would be delayed may be made. */
    private @Nullable Batch<I, O> oldestThatDelays() {
        Batch<I, O> batch = oldest;
        while (batch != null && (batch.awaitsNested() || batch.isLedByThisThread())) {
            batch = batch.nextInFlight;
        }
        return batch;
    }

    /** Takes the head of the queue out of it and gives it a place; it is still joined until it starts. */
    void release(Batch<I, O> batch) {
        leaveWaiting(batch);
        batch.release(!rule.onExecutor || hasNestedWaiting());
        starting.addLast(batch);
        occupy(1);
        if (!batch.isAside()) {
            countUnbegun(1);
        }
    }

    /** Takes a batch out of the queue; if others wait behind it, the group goes behind the other groups. */
    private void leaveWaiting(Batch<I, O> batch) {
        boolean wasHead = batch == waiting.first();
        waiting.remove(batch);
        if (total != null && wasHead) {
            total.leave(this);
            if (!waiting.isEmpty()) {
                total.queue(this);
            }
        }
    }

    /** A batch that has been released waits for no thread that runs a batch any more. */
    void putAside(Batch<I, O> batch) {
        batch.putAside();
        countUnbegun(-1);
    }

    private void leaveReleased(Batch<I, O> batch) {
        starting.remove(batch);
        if (!batch.isAside()) {
            countUnbegun(-1);
        }
    }

    /**
     * Puts a batch that was dispatched back to the head of the queue, if nested calls, which could not wait for its thread, have
     * taken its place meanwhile; the end of one of them releases it again.
     *
     * @return whether it has been put back
     */
    boolean holdBack(Batch<I, O> batch) {
        if (batch.isAside() || hasPlaceForNested()) {
            return false;
        }
        leaveReleased(batch);
        batch.holdBack();
        occupy(-1);
        waiting.addFirst(batch);
        if (total != null) {
            total.queueFirst(this);
        }
        return true;
    }

    void start(Batch<I, O> batch, long now) {
        if (open == batch) {
            open = null;
        }
        batch.start(now);
        leaveReleased(batch);
        countNestedWaiting(-batch.nestedMembers());
        if (shared != null) {
            shared.opened(batch);
        }
        if (total != null) {
            total.started(batch, now);
        }
        if (callers > Crowd.FEW && crowd == null) {
            crowd = new Crowd(rule);
        }
        if (crowd != null) {
            crowd.count(callers);
            if (isAhead(now)) {
                batch.goAhead();
            }
        }
        lastStart = now;
        inFlight++;
        gathering -= batch.size();
        if (newest == null) {
            oldest = batch;
        } else {
            newest.nextInFlight = batch;
        }
        newest = batch;
    }

    /**
     * Ends a batch in flight.
     *
     * <p>That releases the head of the queue if it was held up by the limit alone, or if nothing is in flight any more. An
     * end releases nobody while others are in flight: the callers that it answers often come back at once, and would
     * just miss the batch that it started. If it overtook an outlier, the head has less to wait for than it knew.
     */
    void end(Batch<I, O> batch) {
        boolean counts = batch.state() != Batch.State.OVERTAKEN;
        boolean overtook = counts && batch != oldest;
        if (counts) {
            overtakeThoseBefore(batch);
        }
        if (batch.awaitsNested()) {
            reclaim();
        }
        if (shared != null) {
            shared.ended(batch);
        }
        if (total != null) {
            total.ended(batch);
        }
        inFlight--;
        if (batch.joined() > 1) {
            lastCall = batch.endedAt() - batch.startedAt();
            if (crowd != null) {
                crowd.ended(lastCall, batch.wentAhead());
            }
        }
        batch.end();
        callers -= batch.callers();
        giveBackPlace(overtook);
    }

    /** Ends the first of the batches that have not started; null if there is none. */
    @Nullable Batch<I, O> endFirstUnstarted() {
        Batch<I, O> head = waiting.first();
        Batch<I, O> batch = head == null ? starting.first() : head;
        if (batch == null) {
            return null;
        }
        if (batch.isReleased()) {
            leaveReleased(batch);
            occupy(-1);
        } else {
            leaveWaiting(batch);
        }
        if (open == batch) {
            open = null;
        }
        countNestedWaiting(-batch.nestedMembers());
        batch.end();
        callers -= batch.callers();
        gathering -= batch.size();
        return batch;
    }

    /** Takes a batch that ends out of the list, and those that it has overtaken. */
    private void overtakeThoseBefore(Batch<I, O> batch) {
        Batch<I, O> earlier = requireNonNull(oldest);
        while (earlier != batch) {
            Batch<I, O> next = requireNonNull(earlier.nextInFlight);
            earlier.overtake();
            earlier.nextInFlight = null; // or a call that hangs keeps all later ones in memory
            earlier = next;
        }
        oldest = batch.nextInFlight;
        batch.nextInFlight = null;
        if (oldest == null) {
            newest = null;
        }
    }

    /** Forgets a batch that every caller has left before its start. */
    void dissolve(Batch<I, O> batch) {
        boolean heldPlace = batch.isReleased();
        if (open == batch) {
            open = null;
        }
        if (heldPlace) {
            leaveReleased(batch);
        } else {
            leaveWaiting(batch);
        }
        countNestedWaiting(-batch.nestedMembers());
        batch.dissolve();
        if (heldPlace) {
            giveBackPlace(false);
        }
    }

    private void add(Batch<I, O> batch, Call<I, O> call) {
        if (shared != null) {
            shared.gathered(call); // first of all, because it may throw
        }
        batch.append(call);
    }

    private void giveBackPlace(boolean overtook) {
        boolean wasLimited = !hasPlace();
        occupy(-1);
        if (total != null) {
            total.fill(); // other groups may be before this one
        }
        Batch<I, O> head = waiting.first();
        if (head == null || !hasPlace()) {
            return;
        }
        if (wasLimited || oldest == null) {
            releaseHead();
        } else if (overtook) {
            toSignal(head);
        }
    }

    private boolean isFull(Batch<I, O> batch) {
        return batch.size() >= rule.maxBatchSize || batch.weight() >= rule.maxBatchWeight;
    }
}
