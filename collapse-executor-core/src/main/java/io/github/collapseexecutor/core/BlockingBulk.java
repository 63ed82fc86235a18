package io.github.collapseexecutor.core;

import java.time.Duration;
import java.util.AbstractCollection;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Many inputs that one thread submits together to a blocking executor.
 *
 * <p>The thread submits the inputs of each group at once. Then it runs the batches that it leads, one after another, and waits for
 * those that others lead. While it runs one it leads no other ({@link BulkCaller}). All of its state is confined to that thread.
 */
final class BlockingBulk<I extends @Nullable Object, O extends @Nullable Object> {

    /** An input until it has its outcome. */
    private static final class Entry<I extends @Nullable Object, O extends @Nullable Object> {

        // immutable
        final int index;

        // mutable, confined to the thread
        BlockingCall<I, O> call;

        Entry(int index, BlockingCall<I, O> call) {
            this.index = index;
            this.call = call;
        }
    }

    /** The calls of entries; a view, because few of many may be taken. */
    private static final class CallsOf<I extends @Nullable Object, O extends @Nullable Object>
            extends AbstractCollection<BlockingCall<I, O>> {

        // immutable
        private final Collection<Entry<I, O>> entries;

        CallsOf(Collection<Entry<I, O>> entries) {
            this.entries = entries;
        }

        @Override
        public Iterator<BlockingCall<I, O>> iterator() {
            Iterator<Entry<I, O>> each = entries.iterator();
            return new Iterator<BlockingCall<I, O>>() {
                @Override
                public boolean hasNext() {
                    return each.hasNext();
                }

                @Override
                public BlockingCall<I, O> next() {
                    return each.next().call;
                }
            };
        }

        @Override
        public int size() {
            return entries.size();
        }
    }

    // immutable
    private final BlockingRunner<I, O, ?> runner;
    private final CollapseEngine<I, O> engine;
    private final BulkCaller caller = new BulkCaller();
    private final List<I> inputs;
    private final List<@Nullable Object> groups;
    private final @Nullable CompletableFuture<?> cancelSignal;
    private final @Nullable Duration bound;
    private final boolean ownBound;
    private final long deadline;

    // mutable, confined to the thread
    private final List<@Nullable InputOutcome<O>> outcomes;
    private final List<Entry<I, O>> entries = new ArrayList<>();
    /** Those whose calls stand in batches. */
    private List<Entry<I, O>> live = new ArrayList<>();
    /** Those that are to be submitted, by their groups, in order. */
    private final Map<UserKey, ArrayDeque<Entry<I, O>>> waiting = new LinkedHashMap<>();

    private @Nullable Batch<?, ?> from;
    /** The interruption that came too late is left to the caller's code. */
    private boolean interrupted;
    /** The time-out or the cancel signal has come: no call is left but those that have ended. */
    private boolean over;

    BlockingBulk(
            BlockingRunner<I, O, ?> runner,
            Collection<? extends I> inputs,
            Function<? super I, ?> groupOf,
            CallOptions options,
            @Nullable Duration callTimeout) {
        this.runner = runner;
        this.engine = runner.engine();
        this.inputs = new ArrayList<>(inputs);
        this.groups = new ArrayList<>(this.inputs.size());
        this.outcomes = new ArrayList<>(Collections.nCopies(this.inputs.size(), null));
        this.cancelSignal = options.cancelSignal();
        Duration own = options.timeout();
        this.ownBound = own != null && (callTimeout == null || own.compareTo(callTimeout) < 0);
        this.bound = ownBound ? own : callTimeout;
        this.deadline = bound == null ? 0 : engine.scheduler().nanoTime() + bound.toNanos();
        for (int index = 0; index < this.inputs.size(); index++) {
            groups.add(groupOrFailure(index, groupOf));
        }
    }

    /** The group of an input; null if it has failed, and the input has that outcome. */
    private @Nullable Object groupOrFailure(int index, Function<? super I, ?> groupOf) {
        try {
            return groupOf.apply(inputs.get(index));
        } catch (Throwable failure) {
            outcomes.set(index, InputOutcome.failed(failure));
            return null;
        }
    }

    List<InputOutcome<O>> execute(CallOptions options) throws InterruptedException {
        engine.checkJoinMode(options.joinMode());
        engine.admission().acquireAll(groups);
        from = engine.beginNested();
        try {
            for (int index = 0; index < inputs.size(); index++) {
                if (outcomes.get(index) == null) {
                    prepare(index, options);
                }
            }
            if (cancelSignal != null) {
                Thread thread = Thread.currentThread();
                EngineScheduler scheduler = engine.scheduler();
                CancelSignals.link(cancelSignal, caller, signalled -> {
                    signalled.signal();
                    scheduler.unpark(thread);
                });
            }
            new ArrayList<>(waiting.entrySet()).forEach(this::submit);
            while (!(live.isEmpty() && waiting.isEmpty())) {
                proceed();
            }
            return Collections.unmodifiableList(
                    ResultSlot.<List<InputOutcome<O>>>cast(outcomes)); // none is null any more
        } catch (Throwable failure) {
            leave(CallDeparture.Reason.INTERRUPTED, failure); // or others would wait for a leader that has gone
            throw failure;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            if (from != null) {
                from.endNested();
            }
            engine.admission().releaseAll(inputs.size());
            for (Entry<I, O> entry : entries) {
                InputOutcome<O> outcome = outcomes.get(entry.index);
                entry.call.carried(runner.carrier(), engine.userCode(), outcome == null ? null : outcome.failure());
            }
        }
    }

    private void prepare(int index, CallOptions options) {
        BlockingCall<I, O> call = new BlockingCall<>(inputs.get(index), engine.scheduler(), cancelSignal, caller);
        try {
            engine.setJoinMode(call, options.joinMode());
            if (engine.limitsWeight()) {
                call.weigh(runner.weightOf(call.value()));
            }
            UserKey group = new UserKey(groups.get(index));
            ContextCarrier carrier = runner.carrier();
            if (carrier != null) {
                call.carryBy(carrier);
            }
            Entry<I, O> entry = new Entry<>(index, call);
            entries.add(entry);
            waiting.computeIfAbsent(group, unused -> new ArrayDeque<>()).add(entry);
        } catch (Throwable failure) {
            outcomes.set(index, InputOutcome.failed(failure));
        }
    }

    /** Submits inputs of a group, at most as many as fill a batch. */
    private void submit(Map.Entry<UserKey, ArrayDeque<Entry<I, O>>> ofGroup) {
        ArrayDeque<Entry<I, O>> group = ofGroup.getValue();
        Collection<BlockingCall<I, O>> calls = new CallsOf<>(group);
        Object value = groups.get(group.element().index);
        BulkSubmission<I, O> submitted;
        if (engine.admission().isClosed()) {
            submitted = new BulkSubmission<>();
            submitted.taken = calls.size();
            calls.forEach(call -> submitted.fail(call, engine.admission().refusedByClose(value)));
        } else {
            submitted = engine.submitAll(value, calls, from);
        }
        for (int i = 0; i < submitted.taken; i++) {
            Entry<I, O> entry = group.remove();
            Throwable failure = submitted.failureOf(entry.call);
            if (failure == null && engine.admission().isClosed() && runner.leave(entry.call, true)) {
                failure = engine.admission().refusedByClose(value);
            }
            if (failure == null) {
                live.add(entry);
            } else {
                outcomes.set(entry.index, InputOutcome.failed(failure));
            }
        }
        submitted.signalled.forEach(BlockingRunner::signal);
        if (group.isEmpty()) {
            waiting.remove(ofGroup.getKey());
        }
    }

    /** Makes a step: runs a batch, or submits inputs, or else waits. */
    private void proceed() throws InterruptedException {
        caller.lookAround();
        long patience = patienceOrLeave();
        takeOutcomes();
        if (live.isEmpty() && waiting.isEmpty()) {
            return;
        }
        StartDelay next = lead();
        if (next == StartDelay.NONE) {
            return;
        }
        if (next == StartDelay.AFTER_YIELD) {
            engine.scheduler().yieldProcessor();
        } else if (!waiting.isEmpty()) {
            submit(waiting.entrySet().iterator().next());
        } else if (!caller.isSignalled()) {
            engine.scheduler().park(live.get(0).call.batch(), Math.min(patience, next.nanos()));
        }
    }

    /** Runs the first batch that this thread leads and that may start; says when another one may. */
    private StartDelay lead() throws InterruptedException {
        StartDelay soonest = StartDelay.UNTIL_SIGNAL;
        Batch<I, O> seen = null;
        for (Entry<I, O> entry : live) {
            Batch<I, O> batch = entry.call.batch();
            Call<I, O> leader = batch.leader();
            if (batch == seen || batch.isPublished() || !caller.has(leader)) {
                continue;
            }
            seen = batch;
            StartDelay delay = engine.lead(batch, leader);
            if (delay == StartDelay.NONE) {
                run(batch, leader);
            }
            if (delay == StartDelay.NONE || delay == StartDelay.AFTER_YIELD) {
                return delay;
            }
            if (delay.nanos() < soonest.nanos()) {
                soonest = delay;
            }
        }
        return soonest;
    }

    private void run(Batch<I, O> batch, Call<I, O> leader) throws InterruptedException {
        caller.becomeBusy();
        Throwable failure = null;
        try {
            passOnAllBut(batch);
            runner.run((BlockingCall<I, O>) leader);
        } catch (Throwable thrown) {
            failure = thrown;
        } finally {
            caller.becomeFree();
        }
        if (failure != null) {
            fail(leader, failure);
        }
        takeSentBack();
        if (failure instanceof InterruptedException) {
            throw (InterruptedException) failure;
        }
    }

    private void passOnAllBut(Batch<I, O> own) {
        Batch<I, O> seen = own;
        for (Entry<I, O> entry : live) {
            Batch<I, O> batch = entry.call.batch();
            if (batch != seen && batch != own && !batch.isPublished()) {
                // Also one that another thread leads now: it may be handing it to this one, which it does not know to
                // be busy.
                runner.follow(engine.passOn(batch, caller));
            }
            seen = batch;
        }
    }

    private void fail(Call<I, O> leader, Throwable failure) {
        for (Iterator<Entry<I, O>> left = live.iterator(); left.hasNext(); ) {
            Entry<I, O> entry = left.next();
            if (entry.call == leader) {
                outcomes.set(entry.index, InputOutcome.failed(failure));
                left.remove();
                return;
            }
        }
    }

    /** Takes the outcomes of the calls that have ended. */
    private void takeOutcomes() {
        List<Entry<I, O>> rest = new ArrayList<>();
        for (Entry<I, O> entry : live) {
            BlockingCall<I, O> call = entry.call;
            if (!call.batch().isPublished()) {
                rest.add(entry);
                continue;
            }
            Throwable failure = call.failure();
            outcomes.set(
                    entry.index,
                    failure == null
                            ? InputOutcome.of(ResultSlot.<O>cast(call.output()))
                            : InputOutcome.failed(failure));
        }
        live = rest;
    }

    /** Takes back the calls that were sent back while this thread ran a batch; they come before those that have never been submitted. */
    private void takeSentBack() {
        List<Entry<I, O>> rest = new ArrayList<>();
        Map<Object, ArrayDeque<Entry<I, O>>> back = new LinkedHashMap<>();
        for (Entry<I, O> entry : live) {
            if (engine.isSentBack(entry.call)) {
                Group<I, O> group = entry.call.batch().group;
                entry.call = entry.call.again();
                back.computeIfAbsent(group, unused -> new ArrayDeque<>()).addFirst(entry);
            } else {
                rest.add(entry);
            }
        }
        live = rest;
        for (ArrayDeque<Entry<I, O>> group : back.values()) {
            UserKey key = new UserKey(groups.get(group.element().index));
            ArrayDeque<Entry<I, O>> queue = waiting.computeIfAbsent(key, unused -> new ArrayDeque<>());
            group.forEach(queue::addFirst);
        }
    }

    /**
     * Leaves if there is a reason to.
     *
     * @return otherwise the nanoseconds after which the thread asks again, if nothing wakes it before
     */
    private long patienceOrLeave() throws InterruptedException {
        if (Thread.interrupted()) {
            InterruptedException failure = new InterruptedException();
            if (leave(CallDeparture.Reason.INTERRUPTED, failure)) {
                throw failure;
            }
            interrupted = true; // or the thread could not park until the outcomes are published
        } else if (!over && cancelSignal != null && cancelSignal.isDone()) {
            over = true;
            leave(
                    CallDeparture.Reason.CANCELLED,
                    new CancellationException("Cancelled while it waited for answers of \"" + engine.name() + "\""));
        } else if (!over && bound != null) {
            long left = deadline - engine.scheduler().nanoTime();
            if (left > 0) {
                return left;
            }
            over = true;
            leave(CallDeparture.Reason.TIMED_OUT, Failures.timedOut(engine.name(), bound, ownBound, ""));
        }
        return Long.MAX_VALUE;
    }

    /** Leaves all batches but those that have ended; says whether any input is without an answer by that. */
    private boolean leave(CallDeparture.Reason reason, Throwable failure) {
        boolean left = false;
        List<Entry<I, O>> rest = new ArrayList<>();
        caller.becomeBusy(); // none of the calls that leave is to lead those that leave after it
        try {
            for (Entry<I, O> entry : live) {
                if (runner.leave(entry.call, false)) {
                    engine.reporter().left(entry.call, reason);
                    outcomes.set(entry.index, InputOutcome.failed(failure));
                    left = true;
                } else {
                    rest.add(entry);
                }
            }
        } finally {
            caller.becomeFree();
        }
        live = rest;
        takeSentBack();
        for (ArrayDeque<Entry<I, O>> group : waiting.values()) {
            group.forEach(entry -> outcomes.set(entry.index, InputOutcome.failed(failure)));
            left = true;
        }
        waiting.clear();
        return left;
    }
}
