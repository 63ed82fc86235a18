package io.github.collapseexecutor.core;

import io.github.collapseexecutor.core.ScheduledExecution.End;
import io.github.collapseexecutor.core.Scheduler.Event;
import java.util.ArrayList;
import java.util.List;

/** What may happen in a {@link ScheduledRun} besides what its threads do, as often as the {@link Plan} allows. */
final class Happenings implements Scheduler.Environment {

    // immutable
    private final ScheduledRun run;
    private final Plan plan;
    private final Promises promises;

    // mutable, confined to the thread whose turn it is
    private int arrivals;
    private int leaves;
    private int failures;
    private int ticks;
    private int oddities;

    Happenings(ScheduledRun run, Promises promises) {
        this.run = run;
        this.plan = run.plan;
        this.promises = promises;
    }

    @Override
    public void atRest() {
        promises.atRest();
    }

    @Override
    public List<Event> events() {
        List<Event> events = new ArrayList<>();
        if (arrivals < plan.callers()) {
            events.add(new Event("somebody arrives", () -> {
                arrivals++;
                ScheduledCaller caller = run.newCaller(false);
                caller.thread = run.scheduler.spawn(caller.toString(), () -> run.call(caller));
            }));
        }
        for (ScheduledExecution execution : run.executions) {
            if (execution.isRunning() && !execution.inputs.isEmpty() && !execution.isBusyWithCalls()) {
                addEnds(events, execution);
            }
        }
        if (leaves < plan.leaves()) {
            for (ScheduledCaller caller : run.callers) {
                addLeave(events, caller);
            }
        }
        long untilNextDue = run.time.untilNextDue();
        if (untilNextDue != Long.MAX_VALUE) {
            events.add(new Event("time passes until something is due", () -> run.time.advance(untilNextDue)));
        }
        if (ticks < plan.ticks() && run.callers.stream().anyMatch(ScheduledCaller::isPresent)) {
            events.add(new Event("some time passes", () -> {
                ticks++;
                run.time.advance(Plan.TICK.toNanos());
            }));
        }
        if (oddities < plan.oddities()) {
            addOddities(events);
        }
        return events;
    }

    private void addEnds(List<Event> events, ScheduledExecution execution) {
        if (plan.kind() == Kind.FUTURE && execution.stage == null) {
            return;
        }
        events.add(new Event(execution + " succeeds", () -> run.end(execution, End.SUCCEEDED)));
        if (failures < plan.failures()) {
            events.add(new Event(execution + " fails", () -> {
                failures++;
                run.end(execution, End.FAILED);
            }));
        }
        if (oddities < plan.oddities() && plan.answersByInput()) {
            events.add(odd(execution + " forgets its first input", () -> run.end(execution, End.FORGETFUL)));
        }
        if (oddities < plan.oddities()) {
            for (int calls = 1; calls <= Plan.CALLS_AT_A_TIME; calls++) {
                int atATime = calls;
                events.add(odd(
                        execution + " makes " + calls + " calls of the executor at a time",
                        () -> run.callAgain(execution, atATime)));
            }
        }
    }

    private void addLeave(List<Event> events, ScheduledCaller caller) {
        if (caller.askedToLeave || caller.ended != 0 || caller.nested) {
            return;
        }
        if (plan.kind() == Kind.BLOCKING) {
            events.add(new Event(caller + " is interrupted", () -> {
                leaves++;
                run.callers.stream()
                        .filter(each -> each.thread == caller.thread && each.ended == 0)
                        .forEach(each -> each.askedToLeave = true); // also a nested one that its thread makes
                caller.thread.interrupt();
            }));
        } else if (caller.future != null && !caller.future.isDone()) {
            events.add(new Event(caller + " cancels", () -> {
                leaves++;
                caller.askedToLeave = true;
                run.scheduler.spawn("canceller", () -> run.cancel(caller));
            }));
        }
    }

    private void addOddities(List<Event> events) {
        switch (plan.kind()) {
            case BLOCKING -> {
                for (ScheduledCaller caller : run.callers) {
                    if (caller.isPresent()) {
                        events.add(odd(caller + " is woken for no reason", () -> caller.thread.unpark()));
                    }
                }
                for (ScheduledExecution execution : run.executions) {
                    if (execution.isRunning() && execution.interruptible) {
                        events.add(odd(
                                execution + " takes no notice of interruptions from now on",
                                () -> execution.interruptible = false));
                    }
                }
            }
            case ASYNC -> {
                events.add(odd("the executor will refuse a task", () -> run.refusesNext = true));
                events.add(odd("the executor will run a task on the spot", () -> run.runsNextOnTheSpot = true));
            }
            case FUTURE -> {
                // Nothing odd is left that a stage could do: it may end, or be cancelled, at any time.
            }
        }
    }

    private Event odd(String name, Runnable effect) {
        return new Event(name, () -> {
            oddities++;
            effect.run();
        });
    }
}
