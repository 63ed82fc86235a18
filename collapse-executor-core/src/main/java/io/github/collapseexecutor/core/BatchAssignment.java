package io.github.collapseexecutor.core;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Assigns calls to batches of their group: to one that gathers, to one in flight, or to one of their own; and starts the batches that may start by
 * that. Every method is called with the group's lock held, or for a group that no other thread can see.
 */
final class BatchAssignment<I extends @Nullable Object, O extends @Nullable Object> {

    // immutable
    private final StartRule rule;
    private final boolean callerRuns;
    private final boolean isLimited;
    private final boolean nestedRunsAlone;
    private final EngineScheduler scheduler;
    private final Reporter reporter;
    private final Congestion congestion;

    /**
     * Creates an assignment for the groups of an engine.
     *
     * @param callerRuns whether batches run on the threads of their callers
     * @param isLimited whether batches wait for places
     */
    BatchAssignment(
            StartRule rule,
            boolean callerRuns,
            boolean isLimited,
            EngineScheduler scheduler,
            Reporter reporter,
            Congestion congestion) {
        this.rule = rule;
        this.callerRuns = callerRuns;
        this.isLimited = isLimited;
        this.nestedRunsAlone = rule.onExecutor || isLimited;
        this.scheduler = scheduler;
        this.reporter = reporter;
        this.congestion = congestion;
    }

    /**
     * Puts calls into batches as if they came at the same moment.
     *
     * @param submitted takes what came of it
     */
    void assignAll(
            Group<I, O> group,
            Collection<? extends Call<I, O>> calls,
            @Nullable Batch<?, ?> from,
            BulkSubmission<I, O> submitted) {
        long now = scheduler.nanoTime();
        Batch<I, O> batch = null;
        for (Call<I, O> call : calls) {
            if (batch != null && batch.startsAtOnce() && !group.hasRoom(batch, call)) {
                break; // the next one would hold a place while this thread runs the first
            }
            reporter.submitting(call);
            submitted.taken++;
            Batch<I, O> before = batch;
            try {
                batch = gather(group, call, before, from, now);
            } catch (Throwable failure) {
                submitted.fail(call, failure);
                continue;
            }
            if (batch == null) {
                batch = before; // it shares what is in flight
                continue;
            }
            if (before != null && before != batch) {
                look(before, now, submitted); // it was too small for the weight of this one
            }
            if (!group.takesMore(batch)) {
                look(batch, now, submitted);
                boolean runsHere = callerRuns || batch.startsAtOnce();
                batch = null;
                if (runsHere) {
                    return;
                }
            }
        }
        if (batch != null) {
            look(batch, now, submitted);
        }
    }

    /** Puts one of many calls into a batch that has not started; null if it shares the outcome of one in flight. */
    private @Nullable Batch<I, O> gather(
            Group<I, O> group, Call<I, O> call, @Nullable Batch<I, O> before, @Nullable Batch<?, ?> from, long now) {
        if (rule.indexesInputs) {
            group.locate(call);
        }
        if (from != null && startsAtOnce(group, from.group)) {
            if (before != null && before.startsAtOnce() && group.hasRoom(before, call)) {
                group.join(before, call);
                return before;
            }
            Batch<I, O> atOnce = group.openAtOnce(call, now);
            reporter.opened(atOnce);
            return atOnce;
        }
        if (sharesInFlight(group, call, from != null)) {
            return null;
        }
        Batch<I, O> batch = group.joinable(call);
        if (batch == null) {
            batch = group.open(call, now);
            reporter.opened(batch);
        } else {
            group.join(batch, call);
        }
        if (from != null) {
            group.expectNested(batch, call);
        }
        return batch;
    }

    /** Sees a batch that many calls were put into on its way. */
    private void look(Batch<I, O> batch, long now, BulkSubmission<I, O> submitted) {
        if (batch.startsAtOnce()) {
            if (!callerRuns) {
                batch.dispatch();
                submitted.released.add(batch);
            }
            return;
        }
        if (batch.state() != Batch.State.GATHERING) {
            if (batch.nestedMembers() > 0 && batch.isReleased() && !batch.isAside()) {
                batch.group.putAside(batch);
                submitted.released.add(batch);
            }
            return; // it was on its way before
        }
        StartDelay wait = batch.group.startIn(batch, now);
        if (callerRuns) {
            Call<I, O> own = batch.last();
            if (wait.isOver() && own != null) {
                batch.handTo(own); // its thread is here, while the leader until now would have to wake up first
                if (!batch.group.takesMore(batch)) {
                    batch.group.release(batch); // or the next batch would be held up by it
                }
            }
        } else if (!wait.isOver()) {
            submitted.signalled.add(batch);
        } else {
            batch.group.release(batch);
            if (congestion.isPresent() && rule.collects() && batch.group.joinable() == batch) {
                batch.yieldFirst(false);
            }
            batch.dispatch();
            submitted.released.add(batch);
        }
    }

    /** Whether the first call of a group starts on its own thread, with no other call to wait or to yield the processor for. */
    boolean startsLoneCallAtOnce() {
        if (!callerRuns) {
            return false;
        }
        return rule.loneDelay == StartDelay.AFTER_YIELD
                ? congestion.bringsNoCompany()
                : rule.loneDelay == StartDelay.NONE && !(congestion.isPresent() && rule.collects());
    }

    /** Makes the first call of a group that no other thread sees a batch of its own, which starts on this thread now. */
    SubmitResult startLone(Group<I, O> created, Call<I, O> call) {
        if (rule.joinsInFlight || reporter.isListenedTo()) {
            return startAtOnce(created, call);
        }
        created.startUntimed(call);
        return SubmitResult.STARTED;
    }

    /** Makes a call a batch of its own, which does not gather: it starts on this thread now. */
    SubmitResult startAtOnce(Group<I, O> group, Call<I, O> call) {
        if (rule.indexesInputs) {
            group.locate(call);
        }
        Batch<I, O> batch = group.openAtOnce(call, scheduler.nanoTime());
        reporter.opened(batch);
        if (callerRuns) {
            group.start(batch, batch.openedAt);
        } else {
            batch.dispatch();
        }
        return SubmitResult.STARTED;
    }

    /**
     * Puts a call into a batch, which starts by that if it may.
     *
     * @param from the batch from inside which the call is made, or null
     */
    SubmitResult assign(Group<I, O> group, Call<I, O> call, @Nullable Batch<?, ?> from) {
        if (from != null && startsAtOnce(group, from.group)) {
            return startAtOnce(group, call); // on this thread, because the executor may have no other that is free
        }
        if (rule.indexesInputs) {
            group.locate(call);
        }
        if (sharesInFlight(group, call, from != null)) {
            return SubmitResult.JOINED;
        }
        long now = scheduler.nanoTime();
        Batch<I, O> open = group.joinable(call);
        Batch<I, O> batch;
        if (open == null) {
            batch = group.open(call, now);
            reporter.opened(batch);
        } else {
            batch = open;
            group.join(batch, call);
        }
        if (from != null) {
            group.expectNested(batch, call);
            if (batch.isReleased() && !batch.isAside()) {
                group.putAside(batch);
                return SubmitResult
                        .RELEASED; // once more, because all threads of its executor may be waiting for this call
            }
        }
        StartDelay wait = group.startIn(batch, now);
        if (!wait.isOver()) {
            return open == null ? SubmitResult.OPENED : SubmitResult.JOINED;
        }
        group.release(batch);
        boolean yields = wait == StartDelay.AFTER_YIELD
                ? congestion.mayBringCompany()
                : congestion.isPresent() && rule.collects() && group.joinable() == batch && !group.isAhead(now);
        if (yields) {
            batch.yieldFirst(wait == StartDelay.AFTER_YIELD);
        }
        if (!callerRuns) {
            batch.dispatch();
            return SubmitResult.RELEASED;
        }
        batch.handTo(call); // it is here and runs, while the leader until now would have to wake up first
        if (yields) {
            return SubmitResult.YIELDING;
        }
        start(batch, now);
        return SubmitResult.STARTED;
    }

    /** Has a call share the outcome of one in flight, if it may and there is one. */
    private boolean sharesInFlight(Group<I, O> group, Call<I, O> call, boolean nested) {
        if (rule.joinsInFlight && !call.isFresh()) {
            Call<I, O> source = group.inFlight(call, scheduler.nanoTime(), nested);
            if (source != null) {
                source.batch().join(call, source);
                return true;
            }
        }
        return false;
    }

    /**
     * Whether a nested call becomes a batch of its own that starts at once, rather than gather with others. A call from inside a
     * batch of another executor keeps the order of its group: it gathers, and a place that is lent is enough for it.
     */
    private boolean startsAtOnce(Group<I, O> group, Group<?, ?> from) {
        if (!nestedRunsAlone || !group.isOfTheSameExecutorAs(from)) {
            return false;
        }
        return !isLimited || group == from || group.hasPlaceForNested();
    }

    /** Starts a batch. */
    void start(Batch<I, O> batch, long now) {
        if (batch.yieldedInVain()) {
            congestion.yieldedInVain();
        }
        batch.group.start(batch, now);
    }
}
