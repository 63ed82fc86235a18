package io.github.collapseexecutor.sequence;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;

/**
 * Many callers take numbers at the same time: each number is given once, and increases for each caller.
 *
 * <p>{@code -Dsequence.numbers=10000} is the long form.
 */
public final class NumberProof {

    /** How many callers there are. */
    public static final int CALLERS = 64;
    /** How many numbers each of them takes. */
    public static final int NUMBERS_EACH = Integer.getInteger("sequence.numbers", 200);
    /** How many they take together. */
    public static final int NUMBERS = CALLERS * NUMBERS_EACH;

    private NumberProof() {}

    /**
     * Lets all callers take their numbers, checks them and returns them in order.
     *
     * @param next takes a number
     * @return all numbers, sorted
     */
    public static long[] numbersOf(Callable<Long> next) throws Exception {
        CyclicBarrier begin = new CyclicBarrier(CALLERS);
        List<FutureTask<long[]>> callers = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            FutureTask<long[]> caller = new FutureTask<>(() -> {
                long[] numbers = new long[NUMBERS_EACH];
                begin.await();
                for (int n = 0; n < numbers.length; n++) {
                    numbers[n] = next.call();
                }
                return numbers;
            });
            callers.add(caller);
            new Thread(caller, "caller " + i).start();
        }
        List<long[]> all = new ArrayList<>();
        for (FutureTask<long[]> caller : callers) {
            long[] numbers = caller.get();
            assertThat(numbers).isSorted();
            all.add(numbers);
        }
        long[] sorted = all.stream().flatMapToLong(Arrays::stream).sorted().toArray();
        assertThat(sorted).hasSize(NUMBERS);
        assertThat(Arrays.stream(sorted).distinct().count())
                .as("numbers given once")
                .isEqualTo(NUMBERS);
        return sorted;
    }
}
