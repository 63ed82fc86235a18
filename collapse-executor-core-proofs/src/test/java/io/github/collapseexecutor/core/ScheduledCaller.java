package io.github.collapseexecutor.core;

import java.util.concurrent.CompletableFuture;

/** A caller in a {@link ScheduledRun}: when it did what, in moments of the run, and how its call ended. */
final class ScheduledCaller {

    /** What callers ask; equal if the answer is the same for every caller. */
    static final class Question {

        final ScheduledCaller caller;
        final int about;

        Question(ScheduledCaller caller, int about) {
            this.caller = caller;
            this.about = about;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Question question && about == question.about;
        }

        @Override
        public int hashCode() {
            return about;
        }
    }

    record Answer(ScheduledExecution execution, Question question) {}

    // immutable
    final int number;
    final Question question;
    final int group;
    /** The call is made from inside a batch. */
    final boolean nested;

    // mutable, confined to the thread whose turn it is
    Scheduler.Actor thread;
    CompletableFuture<Answer> future;
    long arrived;
    /** The clock at that moment. */
    long arrivedAt;
    /** It is in a batch for sure. */
    long joined;

    boolean askedToLeave;
    /** It is out of its batch for sure. */
    long left;

    long ended;
    long endedAt;
    Answer answer;
    Throwable failure;
    boolean interruptedAfter;

    ScheduledCaller(int number, int questions, int groups, boolean nested) {
        this.number = number;
        this.group = number % groups;
        this.question = new Question(this, Math.min(number, questions - 1));
        this.nested = nested;
    }

    boolean isPresent() {
        return arrived != 0 && ended == 0;
    }

    @Override
    public String toString() {
        return (nested ? "nested caller " : "caller ") + number;
    }
}
