package io.github.collapseexecutor.sample.cluster;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * What the callers of one instance, or of all, experienced.
 *
 * @param answers how many answers they got
 * @param failed how many calls failed
 * @param old how many answers were older than their question
 * @param p50 microseconds that half of the answers did not exceed
 * @param p99 microseconds that 99 of 100 answers did not exceed
 */
record LoadResult(long answers, long failed, long old, long p50, long p99) {

    /** Returns the sums, and the latencies of the slowest instance. */
    static LoadResult ofAll(List<LoadResult> results) {
        return new LoadResult(
                results.stream().mapToLong(LoadResult::answers).sum(),
                results.stream().mapToLong(LoadResult::failed).sum(),
                results.stream().mapToLong(LoadResult::old).sum(),
                results.stream().mapToLong(LoadResult::p50).max().orElseThrow(),
                results.stream().mapToLong(LoadResult::p99).max().orElseThrow());
    }

    /** Returns it as a line, for another process. */
    String line() {
        return LongStream.of(answers, failed, old, p50, p99)
                .mapToObj(Long::toString)
                .collect(Collectors.joining(" "));
    }

    /** Reads a {@link #line}. */
    static LoadResult of(String line) {
        long[] numbers =
                Arrays.stream(line.split(" ", -1)).mapToLong(Long::parseLong).toArray();
        return new LoadResult(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]);
    }
}
