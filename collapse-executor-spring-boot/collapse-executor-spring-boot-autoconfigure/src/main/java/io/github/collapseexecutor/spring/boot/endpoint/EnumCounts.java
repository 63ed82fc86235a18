package io.github.collapseexecutor.spring.boot.endpoint;

import static java.util.Objects.requireNonNull;

import io.github.collapseexecutor.spring.boot.config.EnumWord;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counts each constant of an enum. To count makes no object. Thread-safe. */
final class EnumCounts<E extends Enum<E>> {

    // immutable: every constant is in it; the counts are thread-safe
    private final Map<E, LongAdder> counts;

    EnumCounts(Class<E> type) {
        this.counts = new EnumMap<>(type);
        for (E constant : type.getEnumConstants()) {
            counts.put(constant, new LongAdder());
        }
    }

    void add(E constant) {
        requireNonNull(counts.get(constant)).increment();
    }

    long of(E constant) {
        return requireNonNull(counts.get(constant)).sum();
    }

    /** Returns what was counted at least once, in the order of the constants. */
    Map<String, Long> shown() {
        Map<String, Long> shown = new LinkedHashMap<>();
        counts.forEach((constant, count) -> {
            if (count.sum() > 0) {
                shown.put(EnumWord.of(constant), count.sum());
            }
        });
        return shown;
    }
}
