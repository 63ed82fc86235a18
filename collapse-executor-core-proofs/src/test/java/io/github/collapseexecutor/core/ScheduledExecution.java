package io.github.collapseexecutor.core;

import io.github.collapseexecutor.core.ScheduledCaller.Answer;
import io.github.collapseexecutor.core.ScheduledCaller.Question;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** One call of the batch function in a {@link ScheduledRun}. */
final class ScheduledExecution {

    enum End {
        RUNNING,
        SUCCEEDED,
        FORGETFUL,
        FAILED,
        INTERRUPTED,
        CANCELLED
    }

    static final class Broken extends Exception {
        private static final long serialVersionUID = 1L;

        final transient ScheduledExecution execution;

        Broken(ScheduledExecution execution) {
            super("broken on purpose", null, false, false);
            this.execution = execution;
        }
    }

    // immutable
    final int number;
    final Batch<Question, Answer> batch;
    final long started;
    /** The batch was handed over by a leader that was interrupted. */
    final boolean again;
    /** Who was in the batch when it started. */
    final List<ScheduledCaller> members;

    final int group;
    /** It runs whatever the limits are, because one that takes a place waits for it. */
    final boolean nested;

    final Broken failure = new Broken(this);

    // mutable, confined to the thread whose turn it is
    List<ScheduledCaller> inputs = List.of();
    CompletableFuture<ScheduledExecution> stage;
    End end = End.RUNNING;
    /** How many calls it is asked to make at a time. */
    int callsAgain;
    /** The calls that it has made. */
    final List<ScheduledCaller> calls = new ArrayList<>();

    boolean interruptible = true;
    /** Its batch may have given its place back. */
    boolean over;

    ScheduledExecution(List<ScheduledExecution> before, Batch<Question, Answer> batch, long started) {
        this.number = before.size();
        this.batch = batch;
        this.started = started;
        this.again = batch.ranTwice();
        this.members = callersFrom(batch.first());
        this.group = batch.first().value().caller.group;
        this.nested = (members.size() == 1 && members.get(0).nested)
                || before.stream().anyMatch(each -> each.batch == batch && each.nested);
    }

    private static List<ScheduledCaller> callersFrom(Call<Question, Answer> first) {
        List<ScheduledCaller> members = new ArrayList<>();
        for (Call<Question, Answer> call = first; call != null; call = call.next) {
            if (!call.hasLeft()) {
                members.add(call.value().caller);
            }
        }
        return members;
    }

    boolean isRunning() {
        return end == End.RUNNING;
    }

    /** Whether it cannot go on before others do: it was asked to make calls, or waits for some. */
    boolean isBusyWithCalls() {
        return callsAgain > 0 || calls.stream().anyMatch(call -> call.ended == 0);
    }

    /** Whether a caller has nothing to wait for but the end of this. */
    boolean serves(ScheduledCaller caller) {
        return members.contains(caller)
                || callersFrom(batch.first()).contains(caller)
                || callersFrom(batch.firstSharer()).contains(caller);
    }

    /** Whether a question is one of its inputs, or equal to one. */
    boolean answers(Question question) {
        return inputs.stream().anyMatch(caller -> caller.question.equals(question));
    }

    @Override
    public String toString() {
        return "execution " + number + " of " + members;
    }
}
