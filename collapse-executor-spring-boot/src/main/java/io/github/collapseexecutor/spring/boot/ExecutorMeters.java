package io.github.collapseexecutor.spring.boot;

import io.github.collapseexecutor.http.HttpCallSummary.Outcome;
import io.github.collapseexecutor.http.HttpCallSummary.Role;
import io.github.collapseexecutor.http.Reason;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** The meters of one executor, or of the adapters of one section, in one registry. Each is made when it is first needed. */
final class ExecutorMeters implements CallTally {

    static final String NAME = "name";

    private static final String OUTCOME = "outcome";
    private static final String REASON = "reason";

    private record CallTags(Role role, Outcome outcome) {}

    // immutable
    private final MeterRegistry registry;
    private final String name;
    private final DistributionSummary batchSizes;
    private final Timer waits;
    private final Counter saved;

    // mutable, thread-safe
    private final ConcurrentMap<CallTags, Timer> calls = new ConcurrentHashMap<>();
    private final ConcurrentMap<Enum<?>, Timer> batches = new ConcurrentHashMap<>();
    private final ConcurrentMap<Reason, Counter> notCollapsed = new ConcurrentHashMap<>();
    private final ConcurrentMap<Reason, Counter> notShared = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, ConcurrentMap<Enum<?>, Counter>> counters = new ConcurrentHashMap<>();

    ExecutorMeters(MeterRegistry registry, String name) {
        this.registry = registry;
        this.name = name;
        this.batchSizes = DistributionSummary.builder("collapse.batch.size")
                .description("Inputs of a batch when it starts")
                .tag(NAME, name)
                .register(registry);
        this.waits = Timer.builder("collapse.wait")
                .description("How long a batch gathers")
                .tag(NAME, name)
                .register(registry);
        this.saved = Counter.builder("collapse.saved")
                .description("Calls that were not made, because another caller's call answered them")
                .tag(NAME, name)
                .register(registry);
    }

    @Override
    public void call(Role role, Outcome outcome, long nanos) {
        cached(
                        calls,
                        new CallTags(role, outcome),
                        tags -> Timer.builder("collapse.calls")
                                .description("Calls from their arrival to their end")
                                .tag(NAME, name)
                                .tag("role", word(tags.role()))
                                .tag(OUTCOME, word(tags.outcome()))
                                .register(registry))
                .record(nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void saved(int number) {
        saved.increment(number);
    }

    void batch(Enum<?> outcome, int size, long waitNanos, long durationNanos) {
        cached(
                        batches,
                        outcome,
                        present -> Timer.builder("collapse.batches")
                                .description("Batches from their start to their end")
                                .tag(NAME, name)
                                .tag(OUTCOME, word(present))
                                .register(registry))
                .record(durationNanos, TimeUnit.NANOSECONDS);
        batchSizes.record(size);
        waits.record(waitNanos, TimeUnit.NANOSECONDS);
    }

    void notCollapsed(Reason reason) {
        cached(
                        notCollapsed,
                        reason,
                        present -> Counter.builder("collapse.not.collapsed")
                                .description("Requests that were sent as calls of their own")
                                .tag(NAME, name)
                                .tag(REASON, word(present))
                                .register(registry))
                .increment();
    }

    void notShared(Reason reason) {
        cached(
                        notShared,
                        reason,
                        present -> Counter.builder("collapse.not.shared")
                                .description("Responses that were for one request only")
                                .tag(NAME, name)
                                .tag(REASON, word(present))
                                .register(registry))
                .increment();
    }

    /** Adds to a counter, which is made when there is something to add. */
    void count(String meter, Enum<?> outcome, int number) {
        if (number == 0) {
            return;
        }
        ConcurrentMap<Enum<?>, Counter> byOutcome = cached(counters, meter, absent -> new ConcurrentHashMap<>());
        cached(
                        byOutcome,
                        outcome,
                        present -> Counter.builder(meter)
                                .tag(NAME, name)
                                .tag(OUTCOME, word(present))
                                .register(registry))
                .increment(number);
    }

    /** A plain get first: computeIfAbsent may lock even where there is something. */
    private static <K, V> V cached(ConcurrentMap<K, V> known, K key, Function<K, V> create) {
        V present = known.get(key);
        return present != null ? present : known.computeIfAbsent(key, create);
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
