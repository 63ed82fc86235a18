package io.github.collapseexecutor.spring.boot;

import io.github.collapseexecutor.core.BatchSummary;
import io.github.collapseexecutor.http.HttpCallSummary.Outcome;
import io.github.collapseexecutor.http.HttpCallSummary.Role;
import io.github.collapseexecutor.http.Reason;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;

/**
 * The meters of one executor, or of the adapters of one section, in one registry. Each is made when it is first needed, and its tags
 * only then: to measure a call makes no object.
 */
final class ExecutorMeters implements CallTally {

    static final String NAME = "name";

    private static final String OUTCOME = "outcome";

    /** A counter of a writer or a source, and one of its outcomes. */
    private record Counted(String meter, Enum<?> outcome) {}

    // immutable
    private final MeterRegistry registry;
    private final String name;
    private final DistributionSummary batchSizes;
    private final Timer waits;
    private final Counter saved;

    // mutable, thread-safe
    private final MadeMeters<Role, MadeMeters<Outcome, Timer>> calls;
    private final MadeMeters<BatchSummary.Outcome, Timer> batches;
    private final MadeMeters<Reason, Counter> notCollapsed;
    private final MadeMeters<Reason, Counter> notShared;
    private final ConcurrentMap<Counted, Counter> counters = new ConcurrentHashMap<>();

    ExecutorMeters(MeterRegistry registry, String name) {
        this.registry = registry;
        this.name = name;
        this.batchSizes = DistributionSummary.builder("collapse.batch.size")
                .description("Inputs of a batch when it starts")
                .tag(NAME, name)
                .register(registry);
        this.waits = timer("collapse.wait", "How long a batch gathers").register(registry);
        this.saved = counter("collapse.saved")
                .description("Calls that were not made, because another caller's call answered them")
                .register(registry);
        this.calls = new MadeMeters<>(this::callsOf);
        this.batches = new MadeMeters<>(outcome -> timer("collapse.batches", "Batches from their start to their end")
                .tag(OUTCOME, EnumWord.of(outcome))
                .register(registry));
        this.notCollapsed = reasons("collapse.not.collapsed", "Requests that were sent as calls of their own");
        this.notShared = reasons("collapse.not.shared", "Responses that were for one request only");
    }

    private MadeMeters<Outcome, Timer> callsOf(Role role) {
        return new MadeMeters<>(outcome -> timer("collapse.calls", "Calls from their arrival to their end")
                .tag("role", EnumWord.of(role))
                .tag(OUTCOME, EnumWord.of(outcome))
                .register(registry));
    }

    private Timer.Builder timer(String meter, String description) {
        return Timer.builder(meter).description(description).tag(NAME, name);
    }

    private Counter.Builder counter(String meter) {
        return Counter.builder(meter).tag(NAME, name);
    }

    private MadeMeters<Reason, Counter> reasons(String meter, String description) {
        return new MadeMeters<>(reason -> counter(meter)
                .description(description)
                .tag("reason", EnumWord.of(reason))
                .register(registry));
    }

    @Override
    public void call(Role role, Outcome outcome, long nanos) {
        calls.of(role).of(outcome).record(nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void saved(int number) {
        saved.increment(number);
    }

    void batch(BatchSummary batch) {
        batches.of(batch.outcome()).record(batch.durationNanos(), TimeUnit.NANOSECONDS);
        batchSizes.record(batch.size());
        waits.record(batch.waitNanos(), TimeUnit.NANOSECONDS);
    }

    void notCollapsed(Reason reason) {
        notCollapsed.of(reason).increment();
    }

    void notShared(Reason reason) {
        notShared.of(reason).increment();
    }

    /** Adds to a counter, which is made when there is something to add. */
    void count(String meter, Enum<?> outcome, int number) {
        if (number > 0) {
            counters.computeIfAbsent(
                            new Counted(meter, outcome),
                            absent -> counter(meter)
                                    .tag(OUTCOME, EnumWord.of(outcome))
                                    .register(registry))
                    .increment(number);
        }
    }
}
