package io.github.collapseexecutor.sample.sequence;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Callers, each a thread of its own, who begin together and take one number after the other.
 *
 * @param count how many callers
 * @param numbersEach how many numbers each of them takes
 */
record NumberCallers(int count, int numbersEach) {

    /** Returns all numbers, sorted; the first failure of a caller is thrown as it is. */
    long[] take(Callable<Long> next) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(count);
        try {
            CyclicBarrier begin = new CyclicBarrier(count);
            List<Future<long[]>> callers = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                callers.add(threads.submit(() -> {
                    long[] numbers = new long[numbersEach];
                    begin.await();
                    for (int n = 0; n < numbersEach; n++) {
                        numbers[n] = next.call();
                    }
                    return numbers;
                }));
            }
            List<long[]> all = new ArrayList<>();
            for (Future<long[]> caller : callers) {
                all.add(get(caller));
            }
            return all.stream().flatMapToLong(Arrays::stream).sorted().toArray();
        } finally {
            threads.shutdownNow();
        }
    }

    private static long[] get(Future<long[]> caller) throws Exception {
        try {
            return caller.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception failure ? failure : e;
        }
    }
}
