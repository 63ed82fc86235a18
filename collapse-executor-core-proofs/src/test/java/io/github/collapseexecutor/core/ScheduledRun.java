package io.github.collapseexecutor.core;

import io.github.collapseexecutor.core.ScheduledCaller.Answer;
import io.github.collapseexecutor.core.ScheduledCaller.Question;
import io.github.collapseexecutor.core.ScheduledExecution.End;
import io.github.collapseexecutor.core.Scheduler.Actor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiConsumer;

/** One run of a {@link Plan}: the real engine and runners, on the threads and the time of a {@link Scheduler}. */
final class ScheduledRun {

    /** A group, which cannot be told from others by its hash; taking that is a place to be overtaken, as any code of a user's is. */
    private final class Key {

        @Override
        public int hashCode() {
            scheduler.pause("hashes the group");
            return 0;
        }

        @Override
        public boolean equals(Object other) {
            return this == other;
        }
    }

    private interface Target {

        void call(ScheduledCaller caller) throws Exception;
    }

    // immutable
    final Plan plan;
    final Scheduler scheduler;
    final ScheduledTime time;
    final CollapseEngine<Question, Answer> engine;
    private final Decisions decisions;
    private final Promises promises;
    private final Target target;
    private final List<Key> keys = List.of(new Key(), new Key());

    // mutable, confined to the thread whose turn it is
    final List<ScheduledCaller> callers = new ArrayList<>();
    final List<ScheduledExecution> executions = new ArrayList<>();
    boolean refusesNext;
    boolean refused;
    boolean runsNextOnTheSpot;
    private long moment;

    ScheduledRun(Plan plan, Scheduler.Threads threads, Decisions decisions) {
        this.plan = plan;
        this.decisions = decisions;
        promises = new Promises(this);
        scheduler = new Scheduler(threads, decisions, new Happenings(this, promises));
        time = new ScheduledTime(scheduler, this::holdsLock, this::joined);
        CollapseOptions options = plan.options(promises::ofSummary);
        if (plan.kind() == Kind.BLOCKING) {
            BlockingRunner<Question, Answer, ScheduledExecution> runner =
                    new BlockingRunner<>(options, plan.answersByInput(), new Work(), time);
            engine = runner.engine();
            target = caller -> ended(caller, runner.execute(keys.get(caller.group), caller.question), null);
        } else {
            boolean async = plan.kind() == Kind.ASYNC;
            FutureRunner<Question, Answer, ScheduledExecution, Answer> runner = new FutureRunner<>(
                    options,
                    plan.answersByInput(),
                    async ? StageWork.of(new Work()) : new StagedWork(),
                    CallerAnswer.direct(),
                    async ? group -> (Executor) this::dispatch : null,
                    time);
            engine = runner.engine();
            target = caller -> callFuture(runner, caller);
        }
    }

    private boolean holdsLock() {
        for (Group<?, ?> each : engine.groups()) {
            if (each.isLockedByThisThread()) {
                return true;
            }
        }
        return false;
    }

    /** Brings the run to its end and checks that everything was as promised. */
    void run() {
        try {
            scheduler.run(promises::ofTheEnd);
        } catch (AssertionError broken) {
            throw new AssertionError(
                    broken.getMessage() + "\nagain: -D" + ScheduleTests.REPLAY + "='" + plan + ": " + decisions + "'",
                    broken);
        }
    }

    private long nextMoment() {
        return ++moment;
    }

    // ---- callers

    ScheduledCaller newCaller(boolean nested) {
        ScheduledCaller caller = new ScheduledCaller(callers.size(), plan.questions(), plan.groups(), nested);
        callers.add(caller);
        return caller;
    }

    /** Makes a call on this thread. */
    void call(ScheduledCaller caller) {
        caller.thread = Actor.current();
        caller.askedToLeave |=
                caller.nested && plan.kind() == Kind.BLOCKING && Actor.current().isInterrupted();
        caller.arrived = nextMoment();
        caller.arrivedAt = time.now();
        try {
            target.call(caller);
        } catch (Throwable failure) {
            ended(caller, null, failure);
        }
    }

    private void callFuture(FutureRunner<Question, Answer, ?, Answer> runner, ScheduledCaller caller) {
        CompletableFuture<Answer> future = runner.execute(keys.get(caller.group), caller.question);
        caller.joined = nextMoment();
        caller.future = future;
        CompletableFuture<Answer> unused = future.whenComplete((answer, failure) -> {
            scheduler.pause("answers " + caller);
            ended(caller, answer, failure);
        });
    }

    void cancel(ScheduledCaller caller) {
        if (caller.future.cancel(true)) {
            caller.left = nextMoment();
        }
    }

    private void ended(ScheduledCaller caller, Answer answer, Throwable failure) {
        scheduler.check(caller.ended == 0, caller + " ended twice");
        caller.ended = nextMoment();
        caller.endedAt = time.now();
        caller.answer = answer;
        caller.failure = failure;
        caller.interruptedAfter = Thread.currentThread().isInterrupted();
        if (plan.kind() == Kind.BLOCKING) {
            caller.left = caller.ended;
        }
    }

    /** This thread is about to wait: if it is a caller's, the call is in a batch. */
    private void joined() {
        for (ScheduledCaller caller : callers) {
            if (plan.kind() == Kind.BLOCKING
                    && caller.thread == Actor.current()
                    && caller.isPresent()
                    && caller.joined == 0) {
                caller.joined = nextMoment();
            }
        }
    }

    // ---- executions

    private ScheduledExecution begin(Batch<Question, Answer> batch) {
        ScheduledExecution execution = new ScheduledExecution(executions, batch, nextMoment());
        executions.add(execution);
        scheduler.pause("calls the batch function");
        if (plan.answersByInput()) {
            List<ScheduledCaller> inputs = new ArrayList<>();
            batch.inputs().forEach(input -> inputs.add(input.value().caller));
            execution.inputs = inputs;
        } else {
            execution.inputs = execution.members;
        }
        promises.ofStart(execution);
        return execution;
    }

    private void bind(ScheduledExecution execution, Batch<Question, Answer> batch) {
        if (plan.answersByInput()) {
            boolean forget = execution.end == End.FORGETFUL;
            for (Bundle<Question, Answer> bundle : batch.bundles()) {
                scheduler.pause("binds");
                if (!forget) {
                    bundle.bindOutput(new Answer(execution, bundle.getInput()));
                }
                forget = false;
            }
        } else {
            batch.bindAll(new Answer(execution, batch.leader().value()));
        }
        execution.over = true;
    }

    /** Has an execution make calls: on its own thread if that is there and need not wait for one to make the next, else by its handle. */
    void callAgain(ScheduledExecution execution, int atATime) {
        execution.callsAgain = atATime;
        if (plan.kind() == Kind.ASYNC || (plan.kind() == Kind.BLOCKING && atATime == 1)) {
            return;
        }
        for (ScheduledCaller nested : callsOf(execution)) {
            nested.thread = scheduler.spawn(
                    nested.toString(),
                    () -> execution.batch.nested(() -> {
                        call(nested);
                        return null;
                    }));
        }
    }

    private List<ScheduledCaller> callsOf(ScheduledExecution execution) {
        List<ScheduledCaller> nested = new ArrayList<>();
        for (; execution.callsAgain > 0; execution.callsAgain--) {
            nested.add(newCaller(true));
        }
        execution.calls.addAll(nested);
        return nested;
    }

    /** A batch function that blocks until it is let go on. */
    private final class Work implements BatchWork<Question, Answer, ScheduledExecution> {

        @Override
        public ScheduledExecution execute(Batch<Question, Answer> batch) throws Exception {
            ScheduledExecution execution = begin(batch);
            hold(execution);
            while (execution.callsAgain > 0) {
                List<ScheduledCaller> nested = callsOf(execution);
                nested.forEach(ScheduledRun.this::call); // with futures, all are made before the first is waited for
                if (nested.stream().anyMatch(call -> call.failure instanceof InterruptedException)) {
                    Thread.currentThread().interrupt();
                }
                hold(execution);
            }
            if (execution.isRunning()) {
                execution.end = End.INTERRUPTED;
            }
            if (execution.end == End.INTERRUPTED) {
                execution.over = true;
                Thread.interrupted();
                throw new InterruptedException();
            }
            if (execution.end == End.FAILED) {
                execution.over = true;
                throw execution.failure;
            }
            return execution;
        }

        private void hold(ScheduledExecution execution) {
            Actor self = Actor.current();
            scheduler.await(
                    "goes on in " + execution,
                    () -> !execution.isRunning()
                            || execution.callsAgain > 0
                            || (execution.interruptible && self.isInterrupted()));
        }

        @Override
        public void bind(ScheduledExecution execution, Batch<Question, Answer> batch) {
            ScheduledRun.this.bind(execution, batch);
        }
    }

    /** A batch function that returns a stage, to be completed when it is let go on. */
    private final class StagedWork implements StageWork<Question, Answer, ScheduledExecution> {

        @Override
        public CompletionStage<ScheduledExecution> execute(Batch<Question, Answer> batch) {
            ScheduledExecution execution = begin(batch);
            execution.stage = new Stage(execution);
            scheduler.pause("returns the stage of " + execution);
            return execution.stage;
        }

        @Override
        public void bind(ScheduledExecution execution, Batch<Question, Answer> batch) {
            ScheduledRun.this.bind(execution, batch);
        }
    }

    private final class Stage extends CompletableFuture<ScheduledExecution> {

        private final ScheduledExecution execution;

        Stage(ScheduledExecution execution) {
            this.execution = execution;
        }

        @Override
        public CompletableFuture<ScheduledExecution> whenComplete(
                BiConsumer<? super ScheduledExecution, ? super Throwable> action) {
            scheduler.pause("asks to be told of the end");
            return super.whenComplete(action);
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            scheduler.pause("cancels " + execution);
            if (!isDone()) {
                execution.end = End.CANCELLED;
                execution.over = true;
            }
            return super.cancel(mayInterruptIfRunning);
        }
    }

    /** Lets an execution end; if it has a stage, on a thread of its own. */
    void end(ScheduledExecution execution, End end) {
        execution.end = end;
        if (execution.stage == null) {
            return;
        }
        scheduler.spawn("backend", () -> {
            execution.over |= end == End.FAILED;
            boolean ended = end == End.FAILED
                    ? execution.stage.completeExceptionally(execution.failure)
                    : execution.stage.complete(execution);
            scheduler.check(ended || execution.stage.isCancelled(), execution + " was ended by somebody else");
        });
    }

    /** What an executor does with a task. */
    private void dispatch(Runnable task) {
        if (refusesNext) {
            refusesNext = false;
            refused = true;
            throw new RejectedExecutionException("refused on purpose");
        }
        if (runsNextOnTheSpot) {
            runsNextOnTheSpot = false;
            task.run();
            return;
        }
        scheduler.spawn("executor's thread", task);
        scheduler.pause("dispatched");
    }
}
