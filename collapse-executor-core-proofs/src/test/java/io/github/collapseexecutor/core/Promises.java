package io.github.collapseexecutor.core;

import io.github.collapseexecutor.core.ScheduledCaller.Question;
import io.github.collapseexecutor.core.ScheduledExecution.Broken;
import io.github.collapseexecutor.core.ScheduledExecution.End;
import java.time.Duration;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.OptionalLong;
import java.util.concurrent.CancellationException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.LongStream;

/** What the engine promises, as checks at the turning points of a {@link ScheduledRun}. */
final class Promises {

    // immutable
    private final ScheduledRun run;
    private final Plan plan;
    private final CollapseOptions options;
    private final boolean fresh;

    // mutable, confined to the thread whose turn it is
    /** How long answers took to arrive, as the engine had it when nobody could go on by himself. */
    private long deliveryAtRest;

    Promises(ScheduledRun run) {
        this.run = run;
        this.plan = run.plan;
        this.options = plan.options(null);
        this.fresh = options.joinMode() == JoinMode.FRESH;
    }

    private void check(boolean holds, String promise) {
        run.scheduler.check(holds, promise);
    }

    private boolean answers(ScheduledExecution execution, ScheduledCaller caller) {
        return execution.group == caller.group && (!plan.answersByInput() || execution.answers(caller.question));
    }

    private boolean isServed(ScheduledCaller caller) {
        return run.executions.stream().anyMatch(execution -> execution.serves(caller));
    }

    private List<ScheduledExecution> running() {
        return run.executions.stream().filter(execution -> !execution.over).toList();
    }

    private static long ofGroup(int group, List<ScheduledExecution> executions) {
        return executions.stream().filter(execution -> execution.group == group).count();
    }

    // ---- when an execution starts

    void ofStart(ScheduledExecution execution) {
        List<ScheduledCaller> inputs = execution.inputs;
        check(!inputs.isEmpty(), execution + " has no input");
        check(inputs.size() <= options.maxBatchSize(), execution + " has more inputs than maxBatchSize");
        List<ScheduledExecution> counted = running().stream()
                .filter(each -> !each.nested && !hasMadeCalls(each.batch))
                .toList();
        check(
                ofGroup(execution.group, counted) <= options.maxConcurrentBatches(),
                execution + " is more than maxConcurrentBatches");
        check(
                counted.size() <= options.maxConcurrentBatchesTotal(),
                execution + " is more than maxConcurrentBatchesTotal");
        ScheduledCaller before = null;
        for (ScheduledCaller caller : inputs) {
            check(
                    caller.left == 0 || caller.left > execution.started,
                    execution + " executes the input of " + caller + ", who had left");
            check(caller.arrived < execution.started, caller + " joined " + execution + " after its start");
            check(
                    before == null || caller.joined == 0 || caller.joined > before.arrived,
                    execution + " is not in order of submission");
            before = caller;
            if (!fresh && !execution.again && !caller.nested) {
                isNotInFlightAlready(execution, caller);
            }
        }
        if (!execution.again
                && !execution.nested
                && !run.refused
                && options.maxBatchSize() == CollapseOptions.UNLIMITED
                && options.callTimeout() == null) {
            takesAllAlong(execution);
            if (options.maxConcurrentBatches() == CollapseOptions.UNLIMITED
                    && options.maxConcurrentBatchesTotal() == CollapseOptions.UNLIMITED
                    && options.maxWaitRatio() > 0) {
                letsAnswersArrive(execution);
            }
        }
    }

    /** Whether a batch may have lent its place, also before it was repeated. */
    private boolean hasMadeCalls(Batch<?, ?> batch) {
        return run.executions.stream().anyMatch(each -> each.batch == batch && !each.calls.isEmpty());
    }

    /** While a batch is in flight, the next one starts when answers have had the time to arrive. */
    private void letsAnswersArrive(ScheduledExecution execution) {
        long start = execution.batch.startedAt();
        List<ScheduledExecution> others = run.executions.stream()
                .filter(each -> each.group == execution.group
                        && each.batch != execution.batch
                        && each.batch.startedAt() - start <= 0)
                .toList();
        long delivery = run.engine.deliveries().time().nanos();
        boolean inFlight = others.stream().anyMatch(each -> each.batch.state() == Batch.State.IN_FLIGHT);
        if (!inFlight
                || delivery != deliveryAtRest
                || others.stream().anyMatch(each -> each.nested || hasMadeCalls(each.batch))) {
            return; // it was not to wait, or it is not known for what it waited
        }
        long gap = others.stream()
                .mapToLong(each -> start - each.batch.startedAt())
                .min()
                .orElseThrow();
        long shortestCall = callNanos(run.executions).min().orElse(0);
        check(gap >= Math.min(delivery, shortestCall), execution + " started before answers had arrived");
    }

    /** How long the calls took that have ended and had more than one caller. */
    private static LongStream callNanos(List<ScheduledExecution> executions) {
        return executions.stream()
                .filter(each -> each.batch.state() == Batch.State.ENDED && each.batch.joined() > 1)
                .mapToLong(each -> each.batch.endedAt() - each.batch.startedAt());
    }

    private void isNotInFlightAlready(ScheduledExecution execution, ScheduledCaller caller) {
        for (ScheduledExecution earlier : run.executions) {
            boolean inFlight = earlier != execution
                    && !earlier.over
                    && !earlier.again
                    && earlier.started < caller.arrived
                    && !earlier.batch.isAbandoned()
                    && isYoungEnoughToJoin(earlier);
            check(
                    !inFlight || !answers(earlier, caller),
                    execution + " was not needed: " + earlier + " was in flight when " + caller + " came");
        }
    }

    private boolean isYoungEnoughToJoin(ScheduledExecution execution) {
        Duration bound = options.maxJoinAge();
        return bound == null || run.time.now() - execution.batch.startedAt() <= bound.toNanos();
    }

    /** A caller that was gathered before the start is in this execution or was in an earlier one. */
    private void takesAllAlong(ScheduledExecution execution) {
        for (ScheduledCaller caller : run.callers) {
            boolean gathered = caller.group == execution.group
                    && caller.isPresent()
                    && caller.joined != 0
                    && caller.joined < execution.started
                    && !caller.askedToLeave;
            check(!gathered || isServed(caller), execution + " left " + caller + " behind");
        }
    }

    void ofSummary(BatchSummary summary) {
        check(summary.waitNanos() >= 0 && summary.durationNanos() >= 0, "time went backwards");
    }

    // ---- when nobody can go on by himself

    void atRest() {
        deliveryAtRest = run.engine.deliveries().time().nanos();
        long present = run.callers.stream().filter(ScheduledCaller::isPresent).count();
        List<ScheduledCaller> waiting = run.callers.stream()
                .filter(caller -> caller.isPresent() && caller.joined != 0 && !isServed(caller))
                .toList();
        if (present == 0 && running().isEmpty()) {
            check(run.engine.groupCount() == 0, "a group remains that has no callers");
        }
        long timeouts = options.callTimeout() == null ? 0 : present;
        check(run.time.timers() <= waiting.size() + timeouts, "a timer remains that is for nobody");
        if (options.callTimeout() == null) {
            waiting.stream().map(caller -> caller.group).distinct().forEach(this::somebodyThinksOfCallersThatWait);
        }
        if (plan.kind() == Kind.FUTURE) {
            nothingRunsForNobody();
        }
    }

    /** Who waits for a start waits for a place, or for a moment that somebody minds. */
    private void somebodyThinksOfCallersThatWait(int group) {
        long running = ofGroup(group, running());
        if (running >= options.maxConcurrentBatches() || running().size() >= options.maxConcurrentBatchesTotal()) {
            return;
        }
        long next = run.time.untilNextDue();
        boolean collecting = next <= options.collectingWaitTime().toNanos();
        boolean pacing = running > 0 && options.maxWaitRatio() > 0 && next <= longestGap(group);
        check(collecting || pacing, "callers wait for a start of which nobody thinks");
    }

    /** What two starts are apart at most: a part of the age of the oldest batch, or the time of one call. */
    private long longestGap(int group) {
        List<ScheduledExecution> all =
                run.executions.stream().filter(each -> each.group == group).toList();
        LongSummaryStatistics starts = all.stream()
                .mapToLong(each -> each.batch.startedAt() - run.time.now())
                .summaryStatistics();
        double lag = options.maxWaitRatio() / (1 - options.maxWaitRatio()) * (starts.getMax() - starts.getMin());
        Group<?, ?> last = all.get(all.size() - 1).batch.group;
        List<ScheduledExecution> ofTheGroup =
                all.stream().filter(each -> each.batch.group == last).toList();
        OptionalLong longestCall = callNanos(ofTheGroup).max(); // before the first, the next end is the only bound
        long gap = longestCall.isPresent() ? Math.max((long) lag, longestCall.getAsLong()) : Long.MAX_VALUE;
        return Math.min(options.maxWait().toNanos(), gap);
    }

    private void nothingRunsForNobody() {
        for (ScheduledExecution execution : run.executions) {
            boolean wanted = run.callers.stream().anyMatch(caller -> caller.isPresent() && execution.serves(caller));
            check(!execution.isRunning() || wanted, "nobody waits for " + execution + ", but it was not cancelled");
        }
    }

    // ---- when all is over

    void ofTheEnd() {
        check(run.callers.size() >= plan.callers(), "somebody did not come");
        for (ScheduledCaller caller : run.callers) {
            check(caller.ended != 0, caller + " was not answered");
            if (caller.failure == null) {
                check(caller.answer != null, caller + " was given nothing");
                ofAnswer(caller);
            } else {
                ofFailure(caller);
            }
            if (plan.kind() == Kind.BLOCKING && !caller.nested) {
                boolean toldSo = caller.failure instanceof InterruptedException;
                check(
                        caller.interruptedAfter == (caller.askedToLeave && !toldSo),
                        "the interruption of " + caller + " got lost, or was made up");
            }
        }
        check(run.engine.groupCount() == 0, "a group remains");
        for (ScheduledExecution execution : run.executions) {
            check(execution.batch.nextInFlight == null, execution + " keeps a later one in memory");
        }
        try {
            for (int i = 0; i < options.maxPending(); i++) {
                run.engine.admission().acquire("group");
            }
        } catch (RejectedExecutionException e) {
            check(false, "somebody who has left or was answered still counts as pending");
        }
    }

    private void ofAnswer(ScheduledCaller caller) {
        ScheduledExecution execution = caller.answer.execution();
        check(execution.end == End.SUCCEEDED || execution.end == End.FORGETFUL, execution + " gave no answer");
        if (plan.answersByInput()) {
            Question asked = caller.answer.question();
            check(asked.equals(caller.question), caller + " was given the answer to another's question");
        }
        isOfItsOwn(caller, execution);
    }

    private void isOfItsOwn(ScheduledCaller caller, ScheduledExecution execution) {
        if (fresh) {
            check(execution.started > caller.arrived, execution + " had started before " + caller + " came");
            check(execution.inputs.contains(caller), caller + " was not in " + execution);
            return;
        }
        for (ScheduledCaller other : run.callers) {
            boolean given = (other.answer != null && other.answer.execution() == execution)
                    || (other.failure instanceof Broken broken && broken.execution == execution);
            check(!given || other.ended > caller.arrived, execution + " had been answered before " + caller + " came");
        }
    }

    private void ofFailure(ScheduledCaller caller) {
        Throwable failure = caller.failure;
        if (failure instanceof Broken broken) {
            check(broken.execution.end == End.FAILED, broken.execution + " did not fail");
            isOfItsOwn(caller, broken.execution);
        } else if (failure instanceof TimeoutException) {
            check(
                    options.callTimeout() != null
                            && caller.endedAt - caller.arrivedAt
                                    >= options.callTimeout().toNanos(),
                    caller + " was timed out too early");
        } else if (failure instanceof InterruptedException) {
            boolean interrupted = caller.askedToLeave || caller.nested;
            check(interrupted && plan.kind() == Kind.BLOCKING, caller + " was not interrupted");
        } else if (failure instanceof CancellationException) {
            boolean cancelled = caller.askedToLeave && plan.kind() != Kind.BLOCKING;
            check(cancelled || wasBrokenTwice(caller), caller + " was not cancelled");
        } else if (failure instanceof UnboundOutputException) {
            check(
                    run.executions.stream()
                            .anyMatch(execution -> execution.end == End.FORGETFUL && answers(execution, caller)),
                    caller + " was told that its output was forgotten");
        } else {
            check(failure instanceof RejectedExecutionException && run.refused, caller + " was given " + failure);
        }
    }

    private boolean wasBrokenTwice(ScheduledCaller caller) {
        return run.executions.stream()
                .anyMatch(
                        execution -> execution.again && execution.end == End.INTERRUPTED && answers(execution, caller));
    }
}
