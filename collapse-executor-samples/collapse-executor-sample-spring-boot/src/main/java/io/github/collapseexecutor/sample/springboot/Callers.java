package io.github.collapseexecutor.sample.springboot;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Callers, each a thread of its own, who begin together and then ask for the same thing again and again, each question as
 * soon as the one before is answered.
 *
 * @param count how many callers
 * @param things how many things they ask for: caller {@code i} asks for number {@code i % things + 1}
 * @param callsEach how often each of them asks
 */
record Callers(int count, int things, int callsEach) {

    /** What a caller does. */
    @FunctionalInterface
    interface Question {

        /** Returns whether the answer is right. */
        boolean ask(long number) throws Exception;
    }

    /** What callers experienced. */
    static final class Answers {

        // immutable
        private final long[] nanos;
        private final int wrong;

        private Answers(long[] nanos, int wrong) {
            this.nanos = nanos;
            this.wrong = wrong;
        }

        private static Answers of(List<Answers> all) {
            long[] nanos = all.stream()
                    .flatMapToLong(answers -> Arrays.stream(answers.nanos))
                    .sorted()
                    .toArray();
            return new Answers(nanos, all.stream().mapToInt(Answers::wrong).sum());
        }

        int count() {
            return nanos.length;
        }

        /** Returns how many answers were not right. */
        int wrong() {
            return wrong;
        }

        /** Returns how long an answer took that so many percent of the answers did not exceed, in nanoseconds. */
        long percentile(int percent) {
            int rank = (nanos.length * percent + 99) / 100;
            return nanos[rank - 1];
        }
    }

    /** Returns when every question is answered; the first failure of a caller is thrown as it is. */
    Answers ask(Question question) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(count);
        try {
            CyclicBarrier begin = new CyclicBarrier(count);
            List<Future<Answers>> callers = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                long number = i % things + 1L;
                callers.add(threads.submit(() -> {
                    begin.await();
                    return ask(question, number);
                }));
            }
            List<Answers> all = new ArrayList<>();
            for (Future<Answers> caller : callers) {
                all.add(get(caller));
            }
            return Answers.of(all);
        } finally {
            threads.shutdownNow();
        }
    }

    private Answers ask(Question question, long number) throws Exception {
        long[] nanos = new long[callsEach];
        int wrong = 0;
        for (int i = 0; i < callsEach; i++) {
            long asked = System.nanoTime();
            boolean right = question.ask(number);
            nanos[i] = System.nanoTime() - asked;
            if (!right) {
                wrong++;
            }
        }
        return new Answers(nanos, wrong);
    }

    private static Answers get(Future<Answers> caller) throws Exception {
        try {
            return caller.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception failure ? failure : e;
        }
    }
}
