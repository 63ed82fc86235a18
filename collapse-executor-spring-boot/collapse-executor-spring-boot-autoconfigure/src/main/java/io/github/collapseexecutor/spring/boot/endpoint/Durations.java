package io.github.collapseexecutor.spring.boot.endpoint;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * A distribution of durations, in classes of which each ends at most an eighth above its beginning. Memory is bounded: there are fewer
 * than 500 classes. A reader of two snapshots takes the difference, and has the distribution of the time between them.
 */
final class Durations {

    private static final int CLASSES_OF_A_POWER = 8;
    private static final int POWER_OF_CLASSES = 3;
    private static final double MICROS_OF_A_MILLI = 1_000;

    // mutable, thread-safe
    private final ConcurrentMap<Integer, LongAdder> counts = new ConcurrentHashMap<>();

    void add(long nanos) {
        int index = indexOf(Math.max(0, nanos) / 1_000);
        LongAdder present = counts.get(index);
        (present != null ? present : counts.computeIfAbsent(index, absent -> new LongAdder())).increment();
    }

    /** Returns p50 and p99 since the start, and the count of each class by where it ends; all in milliseconds. */
    Map<String, Object> shown() {
        SortedMap<Integer, Long> sums = new TreeMap<>();
        counts.forEach((index, count) -> sums.put(index, count.sum()));
        Map<String, Long> upTo = new LinkedHashMap<>();
        sums.forEach((index, count) -> upTo.put(Double.toString(endMillis(index)), count));
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("p50", percentile(sums, 50));
        shown.put("p99", percentile(sums, 99));
        shown.put("upTo", upTo);
        return shown;
    }

    private static double percentile(SortedMap<Integer, Long> sums, int percent) {
        long all = sums.values().stream().mapToLong(Long::longValue).sum();
        long rank = (all * percent + 99) / 100;
        long seen = 0;
        for (Map.Entry<Integer, Long> of : sums.entrySet()) {
            seen += of.getValue();
            if (seen >= rank) {
                return endMillis(of.getKey());
            }
        }
        return 0;
    }

    /** Below 8 microseconds each is a class; above, each power of two has 8. */
    private static int indexOf(long micros) {
        if (micros < CLASSES_OF_A_POWER) {
            return (int) micros;
        }
        int power = Long.SIZE - 1 - Long.numberOfLeadingZeros(micros);
        int shift = power - POWER_OF_CLASSES;
        return shift * CLASSES_OF_A_POWER + (int) (micros >>> shift);
    }

    private static double endMillis(int index) {
        if (index < CLASSES_OF_A_POWER) {
            return (index + 1) / MICROS_OF_A_MILLI;
        }
        int shift = index / CLASSES_OF_A_POWER - 1;
        long end = (long) (index - shift * CLASSES_OF_A_POWER + 1) << shift;
        return end / MICROS_OF_A_MILLI;
    }
}
