package io.github.collapseexecutor.spring.boot.observe;

import io.github.collapseexecutor.core.BatchSummary;
import io.github.collapseexecutor.http.HttpCallSummary.Outcome;
import io.github.collapseexecutor.http.HttpCallSummary.Role;
import io.github.collapseexecutor.http.Reason;
import io.github.collapseexecutor.spring.boot.config.EnumWord;
import io.github.collapseexecutor.spring.boot.registry.CallTally;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The meters of one executor, or of the adapters of one section, in one registry. Each is made when it is first needed, and its tags
 * only then: to measure a call makes no object.
 */
final class ExecutorMeters implements CallTally {

    static final String NAME = "name";

    private static final String OUTCOME = "outcome";

    /** A counter of a writer or a source, and one of its outcomes. */
    private record Counted(String meter, String outcome) {}

    /** The meters without further tags of what gathers calls. A writer, or a source of numbers, that is only counted has none. */
    private record OfGathering(DistributionSummary batchSizes, Timer waits, Counter saved) {}

    // immutable
    private final MeterRegistry registry;
    private final String name;

    // mutable, thread-safe; two threads that make it at the same time get the same meters of the registry
    private volatile @Nullable OfGathering ofGathering;
    private final MadeMeters<Role, MadeMeters<Outcome, Timer>> calls;
    private final MadeMeters<BatchSummary.Outcome, Timer> batches;
    private final MadeMeters<Reason, Counter> notCollapsed;
    private final MadeMeters<Reason, Counter> notShared;
    private final ConcurrentMap<Counted, Counter> counters = new ConcurrentHashMap<>();

    ExecutorMeters(MeterRegistry registry, String name) {
        this.registry = registry;
        this.name = name;
        this.calls = new MadeMeters<>(this::callsOf);
        this.batches = new MadeMeters<>(outcome -> timer("collapse.batches", "Batches from their start to their end")
                .tag(OUTCOME, EnumWord.of(outcome))
                .register(registry));
        this.notCollapsed = reasons("collapse.not.collapsed", "Requests that were sent as calls of their own");
        this.notShared = reasons("collapse.not.shared", "Responses that were for one request only");
    }

    private OfGathering ofGathering() {
        OfGathering present = ofGathering;
        if (present == null) {
            present = new OfGathering(
                    DistributionSummary.builder("collapse.batch.size")
                            .description("Inputs of a batch when it starts")
                            .tag(NAME, name)
                            .register(registry),
                    timer("collapse.wait", "How long a batch gathers").register(registry),
                    counter("collapse.saved")
                            .description("Calls that were not made, because another caller's call answered them")
                            .register(registry));
            ofGathering = present;
        }
        return present;
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
        OfGathering unused = ofGathering(); // so that a count of calls that were saved is there, at 0
        calls.of(role).of(outcome).record(nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void saved(int number) {
        ofGathering().saved().increment(number);
    }

    @Override
    public void batch(BatchSummary batch) {
        batches.of(batch.outcome()).record(batch.durationNanos(), TimeUnit.NANOSECONDS);
        OfGathering gathering = ofGathering();
        gathering.batchSizes().record(batch.size());
        gathering.waits().record(batch.waitNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void notCollapsed(Reason reason) {
        notCollapsed.of(reason).increment();
    }

    @Override
    public void notShared(Reason reason) {
        notShared.of(reason).increment();
    }

    /** Adds to a counter, which is made when there is something to add. */
    void count(String meter, String outcome, int number) {
        if (number > 0) {
            counters.computeIfAbsent(
                            new Counted(meter, outcome),
                            absent -> counter(meter).tag(OUTCOME, outcome).register(registry))
                    .increment(number);
        }
    }
}
