package io.github.collapseexecutor.core;

import io.github.collapseexecutor.core.RandomBackend.Answer;
import io.github.collapseexecutor.core.RandomBackend.Broken;
import io.github.collapseexecutor.core.RandomBackend.BrokenQuestion;
import io.github.collapseexecutor.core.RandomBackend.Question;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

/** An executor under random load: asks it, holds each end of a call against what that caller may get, and counts it. */
abstract class RandomSubject {

    /** Whether and how a caller leaves: interrupts itself, or cancels its future. */
    enum Leaving {
        NOT,
        AT_ONCE,
        LATER,
        /** Completes its future with an answer of its own, null; is interrupted later where there is no future. */
        BY_OWN_ANSWER
    }

    /** How many calls were made, and how many of them ended in which way. */
    static final class Tally {

        final LongAdder calls = new LongAdder();
        final LongAdder answers = new LongAdder();
        final LongAdder failures = new LongAdder();
        final LongAdder left = new LongAdder();
        final LongAdder refused = new LongAdder();

        long ends() {
            return answers.sum() + failures.sum() + left.sum() + refused.sum();
        }

        void add(Tally other) {
            calls.add(other.calls.sum());
            answers.add(other.answers.sum());
            failures.add(other.failures.sum());
            left.add(other.left.sum());
            refused.add(other.refused.sum());
        }

        @Override
        public String toString() {
            return "%s calls = %s answers + %s failures + %s left + %s refused"
                    .formatted(calls, answers, failures, left, refused);
        }
    }

    // immutable
    final CollapseOptions options;
    final CollapseEngine<?, ?> engine;
    final RandomBackend backend;
    final Tally tally = new Tally();
    private final boolean answersByInput;

    RandomSubject(CollapseOptions options, CollapseEngine<?, ?> engine, RandomBackend backend, boolean answersByInput) {
        this.options = options;
        this.engine = engine;
        this.backend = backend;
        this.answersByInput = answersByInput;
    }

    /** Asks and waits for the answer, or leaves. */
    abstract Answer ask(Question question, Leaving leaving) throws Exception;

    /** Makes one call; a violation is an end that nothing in the call, and no option, gives a reason for. */
    final void callOnce(Question question, Leaving leaving) {
        tally.calls.increment();
        long askedAt = System.nanoTime();
        try {
            end(ask(question, leaving), question, leaving, askedAt);
        } catch (Throwable failure) {
            end(failure, question, leaving);
        }
    }

    final void end(Answer answer, Question question, Leaving leaving, long askedAt) {
        if (answer == null) {
            expect(leaving == Leaving.BY_OWN_ANSWER, question, "given nothing", null);
            tally.left.increment();
            return;
        }
        boolean own = answersByInput
                ? answer.question().equals(question)
                : answer.question().group() == question.group();
        boolean fresh = options.joinMode() == JoinMode.IN_FLIGHT || answer.since() - askedAt >= 0;
        expect(own, question, "given the answer of another: " + answer, null);
        expect(fresh, question, "asked at " + askedAt + ", given what was computed before: " + answer, null);
        tally.answers.increment();
    }

    final void end(Throwable failure, Question question, Leaving leaving) {
        if (failure instanceof Broken || failure instanceof UnboundOutputException) {
            tally.failures.increment();
        } else if (failure instanceof BrokenQuestion broken) {
            expect(broken.question.equals(question), question, "given the failure of another", failure);
            tally.failures.increment();
        } else if (failure instanceof CancellationException && failure.getCause() instanceof InterruptedException) {
            tally.failures.increment(); // two leaders in turn were interrupted
        } else if (failure instanceof InterruptedException || failure instanceof CancellationException) {
            expect(leaving != Leaving.NOT, question, "sent away", failure);
            tally.left.increment();
        } else if (failure instanceof TimeoutException) {
            expect(options.callTimeout() != null, question, "timed out", failure);
            tally.left.increment();
        } else if (failure instanceof RejectedExecutionException) {
            expect(options.maxPending() != CollapseOptions.UNLIMITED, question, "refused", failure);
            tally.refused.increment();
        } else {
            expect(false, question, "given what nobody threw", failure);
        }
    }

    private void expect(boolean reason, Question question, String otherwise, Throwable failure) {
        if (!reason) {
            backend.violations.add(new AssertionError(options.name() + ": " + question + " " + otherwise, failure));
        }
    }

    /** One whose callers wait in the call, so that they are interrupted where others cancel a future. */
    static final class OfThreads extends RandomSubject {

        private final BatchFunction<Question, Answer> execution;
        private final ScheduledExecutorService later;

        OfThreads(
                CollapseOptions options,
                CollapseEngine<?, ?> engine,
                RandomBackend backend,
                boolean answersByInput,
                BatchFunction<Question, Answer> execution,
                ScheduledExecutorService later) {
            super(options, engine, backend, answersByInput);
            this.execution = execution;
            this.later = later;
            backend.nested = this::callNested;
        }

        @Override
        Answer ask(Question question, Leaving leaving) throws Exception {
            if (leaving == Leaving.NOT) {
                return execution.apply(question);
            }
            if (leaving == Leaving.AT_ONCE) {
                Thread.currentThread().interrupt();
                try {
                    return execution.apply(question);
                } finally {
                    Thread.interrupted();
                }
            }
            Interruption interruption = new Interruption(Thread.currentThread());
            Future<?> due = later.schedule(interruption, delay(), TimeUnit.MICROSECONDS);
            try {
                return execution.apply(question);
            } finally {
                interruption.disarm();
                due.cancel(false);
                Thread.interrupted();
            }
        }

        /** Calls from inside a batch; an interruption of the batch's caller is meant for that caller, not for this call. */
        private void callNested(Question question) throws InterruptedException {
            tally.calls.increment();
            long askedAt = System.nanoTime();
            try {
                end(execution.apply(question), question, Leaving.NOT, askedAt);
            } catch (InterruptedException e) {
                tally.left.increment();
                throw e;
            } catch (Throwable failure) {
                end(failure, question, Leaving.NOT);
            }
        }
    }

    /** Interrupts a thread, but not after the call for which it was made. */
    private static final class Interruption implements Runnable {

        private enum State {
            ARMED,
            FIRING,
            OVER
        }

        private final Thread thread;
        private final AtomicReference<State> state = new AtomicReference<>(State.ARMED);

        Interruption(Thread thread) {
            this.thread = thread;
        }

        @Override
        public void run() {
            if (state.compareAndSet(State.ARMED, State.FIRING)) {
                thread.interrupt();
                state.set(State.OVER);
            }
        }

        void disarm() {
            if (!state.compareAndSet(State.ARMED, State.OVER)) {
                while (state.get() != State.OVER) {
                    Thread.onSpinWait();
                }
            }
        }
    }

    /** One whose callers hold futures. */
    static final class OfFutures extends RandomSubject {

        private final Function<Question, CompletableFuture<Answer>> execution;
        private final ScheduledExecutorService later;

        OfFutures(
                CollapseOptions options,
                CollapseEngine<?, ?> engine,
                RandomBackend backend,
                boolean answersByInput,
                Function<Question, CompletableFuture<Answer>> execution,
                ScheduledExecutorService later) {
            super(options, engine, backend, answersByInput);
            this.execution = execution;
            this.later = later;
            backend.nested = this::callNested;
        }

        @Override
        Answer ask(Question question, Leaving leaving) throws Exception {
            CompletableFuture<Answer> future = execution.apply(question);
            Future<?> due = null;
            switch (leaving) {
                case NOT -> {}
                case AT_ONCE -> future.cancel(true);
                case LATER -> due = later.schedule(() -> future.cancel(true), delay(), TimeUnit.MICROSECONDS);
                case BY_OWN_ANSWER -> due = later.schedule(() -> future.complete(null), delay(), TimeUnit.MICROSECONDS);
            }
            try {
                return future.get();
            } catch (ExecutionException e) {
                throw Failures.rethrow(e.getCause());
            } finally {
                if (due != null) {
                    due.cancel(false);
                }
            }
        }

        /** Calls from inside a batch, without waiting: the thread may be one that must not be blocked. */
        private void callNested(Question question) {
            tally.calls.increment();
            long askedAt = System.nanoTime();
            try {
                CompletableFuture<Answer> unused = execution.apply(question).whenComplete((answer, failure) -> {
                    if (failure == null) {
                        end(answer, question, Leaving.NOT, askedAt);
                    } else {
                        end(failure, question, Leaving.NOT);
                    }
                });
            } catch (RejectedExecutionException e) {
                end(e, question, Leaving.NOT);
            }
        }
    }

    private static long delay() {
        return ThreadLocalRandom.current().nextInt(200);
    }
}
