package io.github.collapseexecutor.spring.boot.observe;

import io.github.collapseexecutor.core.ContextCarrier;
import io.github.collapseexecutor.core.Failures;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.ObservationRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Observes the execution of batches of several callers: {@code collapse.batch}, a timer and, with tracing, a span that links the spans of
 * the callers. Each caller's span links that of the batch which answered it, if the tracer is OpenTelemetry's.
 *
 * <pre>{@code
 * CollapseOptions.builder().contextCarrier(new ObservedBatches(observationRegistry).named("users")).build();
 * }</pre>
 *
 * <p>The span of a caller is that of the observation in which it calls. A caller that is in none has one of its own: {@code
 * collapse.call}, from its submission until it has its answer or leaves.
 *
 * <p>A batch of one caller has no observation of its own: that of the caller stands for it, and is the current one while the batch function
 * runs. A caller that joins such a batch in flight links the span of that caller.
 *
 * <p>A batch of several is a child of the observation that its thread is in if that is one of its callers': on a blocking executor, the
 * leader's. Otherwise it has no parent. While the batch function runs, the batch's observation is the current one. If the function returns
 * a stage, the observation stops when that completes. Thread-safe.
 */
public final class ObservedBatches implements ContextCarrier {

    private static final ObservationConvention<BatchContext> BATCH = new BatchObservationConvention();
    private static final ObservationConvention<CallContext> CALL = new CallObservationConvention();

    /** A caller: what it was observed by when it called, and the observed batch that its input was executed in. */
    private static final class Caller {

        // immutable
        private final Observation observation;

        // mutable, written by the thread that executes, read by those on which callers of the batch come to their ends
        private volatile @Nullable BatchContext batch;
        // mutable; two threads that ask at once come to the same
        private volatile @Nullable Boolean mayBeLinked;

        Caller(Observation observation) {
            this.observation = observation;
        }

        boolean isObservedByItself() {
            return observation.getContext() instanceof CallContext;
        }

        Observation.ContextView context() {
            return observation.getContextView();
        }
    }

    // immutable
    private final Supplier<ObservationRegistry> registry;
    private final @Nullable ObservationConvention<BatchContext> batchConvention;
    private final @Nullable ObservationConvention<CallContext> callConvention;
    private final @Nullable String name;

    /**
     * Creates a carrier for any number of executors.
     *
     * @param registry what observes
     */
    public ObservedBatches(ObservationRegistry registry) {
        this(registry, null, null);
    }

    /**
     * Creates a carrier for any number of executors, with names of the application's own.
     *
     * @param registry what observes
     * @param batchConvention how a batch is named, and what is told of it; null for the default
     * @param callConvention the same of a call; null for the default
     */
    public ObservedBatches(
            ObservationRegistry registry,
            @Nullable ObservationConvention<BatchContext> batchConvention,
            @Nullable ObservationConvention<CallContext> callConvention) {
        this(() -> registry, batchConvention, callConvention, null);
        Objects.requireNonNull(registry, "registry");
    }

    ObservedBatches(Supplier<ObservationRegistry> registry) {
        this(registry, null, null, null);
    }

    private ObservedBatches(
            Supplier<ObservationRegistry> registry,
            @Nullable ObservationConvention<BatchContext> batchConvention,
            @Nullable ObservationConvention<CallContext> callConvention,
            @Nullable String name) {
        this.registry = registry;
        this.batchConvention = batchConvention;
        this.callConvention = callConvention;
        this.name = name;
    }

    /**
     * Returns the same for one executor, whose batches and calls have its name as the key {@code name}.
     *
     * @param name the executor's name, of a fixed set: it becomes a tag
     * @return a carrier
     */
    public ObservedBatches named(String name) {
        return new ObservedBatches(registry, batchConvention, callConvention, Objects.requireNonNull(name, "name"));
    }

    @Override
    public @Nullable Object capture() {
        ObservationRegistry present = registry.get();
        if (present.isNoop()) {
            return null;
        }
        Observation current = present.getCurrentObservation();
        return new Caller(
                current != null ? current : Observation.start(callConvention, CALL, this::callContext, present));
    }

    private CallContext callContext() {
        return new CallContext(name);
    }

    @Override
    public <T extends @Nullable Object> T around(List<@Nullable Object> contexts, Callable<T> execution)
            throws Exception {
        List<Caller> callers = callers(contexts);
        return switch (callers.size()) {
            case 0 -> execution.call();
            case 1 -> ofOne(callers.get(0), execution);
            default -> ofSeveral(callers, contexts.size(), execution);
        };
    }

    /** The caller's observation shows what one of the batch would. On a thread that is in it already, nothing is to be done. */
    private <T extends @Nullable Object> T ofOne(Caller caller, Callable<T> execution) throws Exception {
        caller.batch = null; // that of an execution before, which is repeated for this caller alone
        return registry.get().getCurrentObservation() == caller.observation
                ? execution.call()
                : within(caller.observation, execution);
    }

    private <T extends @Nullable Object> T ofSeveral(List<Caller> callers, int size, Callable<T> execution)
            throws Exception {
        BatchContext context =
                new BatchContext(name, callers.stream().map(Caller::context).toList(), size);
        Observation observation = observation(context, callers);
        callers.forEach(caller -> caller.batch = context);
        T result;
        try {
            result = within(observation.start(), execution);
        } catch (Throwable failure) {
            stop(observation, failure);
            throw failure;
        }
        if (result instanceof CompletionStage<?> stage) {
            CompletionStage<?> unused = stage.whenComplete((value, failure) -> stop(observation, failure));
        } else {
            stop(observation, null);
        }
        return result;
    }

    private static <T extends @Nullable Object> T within(Observation observation, Callable<T> execution)
            throws Exception {
        Observation.Scope scope = observation.openScope();
        try {
            return execution.call();
        } finally {
            scope.close();
        }
    }

    private static List<Caller> callers(List<@Nullable Object> contexts) {
        List<Caller> callers = new ArrayList<>(contexts.size());
        for (Object context : contexts) {
            if (context instanceof Caller caller) {
                callers.add(caller);
            }
        }
        return callers;
    }

    /** The thread may be in the observation of somebody whom the batch is not for: then it is no child of that. */
    private Observation observation(BatchContext context, List<Caller> callers) {
        ObservationRegistry present = registry.get();
        Observation current = present.getCurrentObservation();
        Observation observation = Observation.createNotStarted(batchConvention, BATCH, () -> context, present);
        if (callers.stream().noneMatch(caller -> caller.observation == current)) {
            context.setParentObservation(null);
        }
        return observation;
    }

    private static void stop(Observation observation, @Nullable Throwable failure) {
        if (failure != null) {
            observation.error(Failures.unwrapped(failure));
        }
        observation.stop();
    }

    @Override
    public void ended(@Nullable Object context, List<@Nullable Object> executed, @Nullable Throwable failure) {
        if (context instanceof Caller caller) {
            if (!executed.isEmpty() && executed.get(0) instanceof Caller first) {
                link(caller, first); // that of a caller which joined in flight, too
            }
            if (caller.isObservedByItself()) {
                stop(caller.observation, failure);
            }
        }
    }

    /** A span links neither itself nor its child. */
    private void link(Caller caller, Caller first) {
        BatchContext batch = first.batch;
        if (batch != null) {
            if (batch.getParentObservation() != caller.observation) {
                SpanLinks.add(caller.context(), batch);
            }
        } else if (first.observation != caller.observation
                && SpanLinks.arePossible(caller.context(), first.context())
                && mayBeLinked(first)) {
            SpanLinks.add(caller.context(), first.context());
        }
    }

    /**
     * Whether the registry would observe this caller's batch, asked once for all that join it: where it would not, nothing is linked. A
     * registry tells that only of an observation: {@code ObservationConfig.isObservationEnabled} is not public, up to Micrometer 1.17.
     */
    private boolean mayBeLinked(Caller first) {
        Boolean known = first.mayBeLinked;
        if (known == null) {
            BatchContext context = new BatchContext(name, List.of(first.context()), 1);
            known = !Observation.createNotStarted(batchConvention, BATCH, () -> context, registry.get())
                    .isNoop();
            first.mayBeLinked = known;
        }
        return known;
    }

    @Override
    public String toString() {
        return "ObservedBatches[" + (name == null ? "" : name) + "]";
    }
}
