package io.github.collapseexecutor.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.collapseexecutor.core.BlockingCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.CollapseExecutors;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.FutureCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.FutureCollapseExecutor;
import io.github.collapseexecutor.core.JoinMode;
import io.micrometer.context.ContextRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler.FirstMatchingCompositeObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.contextpropagation.ObservationThreadLocalAccessor;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.otel.bridge.OtelCurrentTraceContext;
import io.micrometer.tracing.otel.bridge.OtelTracer;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** What an in-memory exporter gets of batches, over the OpenTelemetry bridge. */
class ObservedBatchesTests {

    private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
    private final SdkTracerProvider provider = SdkTracerProvider.builder()
            .addSpanProcessor(SimpleSpanProcessor.create(exporter))
            .build();
    private final OtelTracer tracer = new OtelTracer(provider.get("test"), new OtelCurrentTraceContext(), event -> {});
    private final ObservationRegistry registry = ObservationRegistry.create();
    private final ExecutorService batches = Executors.newSingleThreadExecutor();

    ObservedBatchesTests() {
        registry.observationConfig()
                .observationHandler(new FirstMatchingCompositeObservationHandler(
                        new BatchTracingHandler(tracer), new DefaultTracingObservationHandler(tracer)));
    }

    @AfterEach
    void close() {
        batches.shutdownNow();
        provider.close();
    }

    private List<SpanData> spans(String name) {
        return exporter.getFinishedSpanItems().stream()
                .filter(span -> span.getName().equals(name))
                .toList();
    }

    private CollapseOptions oneAtATime() {
        return CollapseOptions.builder()
                .maxConcurrentBatches(1)
                .contextCarrier(new ObservedBatches(registry))
                .build();
    }

    /** Has callers ask: the first call is held until the others have gathered. Returns when all is exported. */
    private void callers(
            int others, BiFunction<Integer, Supplier<CompletableFuture<String>>, CompletableFuture<String>> as)
            throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch gathered = new CountDownLatch(1);
        FutureCollapseExecutor<String, String> executor = CollapseExecutors.asyncInOrder(
                inputs -> {
                    started.countDown();
                    assertThat(gathered.await(30, TimeUnit.SECONDS)).isTrue();
                    return inputs;
                },
                oneAtATime(),
                batches);
        List<CompletableFuture<String>> answers = new ArrayList<>();
        for (int i = 0; i <= others; i++) {
            String input = Integer.toString(i);
            answers.add(as.apply(i, () -> executor.execute(input)));
            assertThat(started.await(30, TimeUnit.SECONDS)).isTrue();
        }
        gathered.countDown();
        for (CompletableFuture<String> answer : answers) {
            assertThat(answer.get(30, TimeUnit.SECONDS)).isNotNull();
        }
        batches.shutdown();
        assertThat(batches.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    }

    /** Each caller has a span of its own until it has its answer: a child's, as within a request. */
    private void callers(int others) throws Exception {
        Observation request = Observation.start("request", registry);
        callers(others, (i, call) -> {
            Observation caller = Observation.createNotStarted("caller-" + i, registry)
                    .parentObservation(request)
                    .start();
            return caller.scoped(call).whenComplete((answer, failure) -> caller.stop());
        });
        request.stop();
    }

    private List<String> linkedBy(SpanData batch) {
        return batch.getLinks().stream()
                .map(link -> link.getSpanContext().getSpanId())
                .toList();
    }

    private String spanId(String name) {
        return spans(name).get(0).getSpanId();
    }

    @Test
    void theSpanOfABatchLinksThoseOfItsCallers() throws Exception {
        callers(3);
        List<SpanData> spans = spans("collapse batch");
        assertThat(spans).as("the first caller is alone").hasSize(1);
        assertThat(linkedBy(spans.get(0))).containsExactly(spanId("caller-1"), spanId("caller-2"), spanId("caller-3"));
        assertThat(spans.get(0).getAttributes().asMap())
                .containsOnly(
                        Map.entry(AttributeKey.stringKey("collapse.batch.size"), "3"),
                        Map.entry(AttributeKey.stringKey("collapse.name"), "none"));
        assertThat(spans.get(0).getParentSpanContext().isValid())
                .as("a batch of many is the child of none")
                .isFalse();
    }

    @Test
    void ofManyCallersTheFirstAreLinkedAndTheOthersCounted() throws Exception {
        callers(200);
        SpanData batch = spans("collapse batch").get(0);
        assertThat(batch.getLinks()).hasSize(128);
        assertThat(batch.getAttributes().get(AttributeKey.stringKey("collapse.callers.not.linked")))
                .isEqualTo("72");
        assertThat(linkedBy(batch)).startsWith(spanId("caller-1")).endsWith(spanId("caller-128"));
    }

    @Test
    void theSpanOfACallerLinksThatOfItsBatch() throws Exception {
        callers(3);
        String batch = spanId("collapse batch");
        assertThat(linkedBy(spans("caller-0").get(0))).isEmpty();
        for (int i = 1; i <= 3; i++) {
            assertThat(linkedBy(spans("caller-" + i).get(0))).containsExactly(batch);
        }
    }

    @Test
    void aCallerInNoObservationHasOneOfItsOwn() throws Exception {
        callers(2, (i, call) -> call.get());
        SpanData batch = spans("collapse batch").get(0);
        List<SpanData> calls = spans("collapse call");
        assertThat(calls).hasSize(3);
        List<String> called = calls.stream().map(SpanData::getSpanId).toList();
        assertThat(linkedBy(batch)).containsExactlyInAnyOrder(called.get(1), called.get(2));
        assertThat(linkedBy(calls.get(0))).isEmpty();
        assertThat(linkedBy(calls.get(1))).containsExactly(batch.getSpanId());
        assertThat(calls.get(1).getAttributes().asMap())
                .containsOnly(Map.entry(AttributeKey.stringKey("collapse.name"), "none"));
    }

    @Test
    void aCallThatFailsShowsItsFailureAndOneThatIsLeftIsStopped() throws Exception {
        FutureCollapseExecutor<String, String> executor = CollapseExecutors.futureInOrder(
                inputs -> new CompletableFuture<>(),
                CollapseOptions.builder()
                        .contextCarrier(new ObservedBatches(registry).named("users"))
                        .build());
        assertThat(executor.execute("left").cancel(true)).isTrue();
        assertThat(spans("collapse call")).singleElement().satisfies(call -> {
            assertThat(call.getStatus().getStatusCode()).isNotEqualTo(StatusCode.ERROR);
            assertThat(call.getAttributes().get(AttributeKey.stringKey("collapse.name")))
                    .isEqualTo("users");
        });
        assertThat(spans("collapse batch")).as("a batch of one caller").isEmpty();
        CompletableFuture<String> timedOut = executor.execute("timed out");
        assertThat(timedOut.completeExceptionally(new TimeoutException("in time")))
                .isTrue();
        assertThat(spans("collapse call").get(1).getStatus()).isEqualTo(StatusData.create(StatusCode.ERROR, "in time"));
    }

    /** Pairs start as soon as both are present. */
    private CollapseOptions.Builder pairs() {
        return CollapseOptions.builder()
                .maxBatchSize(2)
                .waitThreshold(2)
                .collectingWaitTime(Duration.ofMinutes(10))
                .contextCarrier(new ObservedBatches(registry));
    }

    @Test
    void aBatchIsObservedUntilTheStageOfItsFunctionCompletes() throws Exception {
        CompletableFuture<List<String>> stage = new CompletableFuture<>();
        FutureCollapseExecutor<String, String> executor =
                CollapseExecutors.futureInOrder(inputs -> stage, pairs().build());
        CompletableFuture<String> first = executor.execute("a");
        CompletableFuture<String> second = executor.execute("b");
        assertThat(spans("collapse batch")).isEmpty();
        stage.completeExceptionally(new IOException("broken"));
        assertThat(first).isCompletedExceptionally();
        assertThat(second).isCompletedExceptionally();
        assertThat(spans("collapse batch"))
                .singleElement()
                .satisfies(batch ->
                        assertThat(batch.getStatus()).isEqualTo(StatusData.create(StatusCode.ERROR, "broken")));
    }

    @Test
    void ofABatchOfOneCallerTheCallersObservationIsTheCurrentOne_onWhicheverThreadItRuns() throws Exception {
        List<Observation> seen = new CopyOnWriteArrayList<>();
        CollapseOptions options = CollapseOptions.builder()
                .contextCarrier(new ObservedBatches(registry))
                .build();
        FutureCollapseExecutor<String, String> executor = CollapseExecutors.asyncInOrder(
                inputs -> {
                    seen.add(registry.getCurrentObservation());
                    return inputs;
                },
                options,
                batches);
        Observation caller = Observation.start("caller", registry);
        caller.scopedChecked(() ->
                assertThat(executor.execute("a").get(30, TimeUnit.SECONDS)).isEqualTo("a"));
        caller.stop();
        assertThat(executor.execute("b").get(30, TimeUnit.SECONDS)).isEqualTo("b");
        assertThat(seen.get(0)).isSameAs(caller);
        assertThat(seen.get(1).getContext())
                .as("the call's own, where its caller is in none")
                .isInstanceOf(CallContext.class);
        assertThat(batches.submit(registry::getCurrentObservation).get(30, TimeUnit.SECONDS))
                .isNull();
        assertThat(spans("collapse batch")).isEmpty();
        assertThat(spans("caller").get(0).getLinks()).isEmpty();
    }

    @Test
    void aCallerThatJoinsTheCallOfOneCallerInFlightLinksThatCaller() throws Exception {
        CompletableFuture<String> call = new CompletableFuture<>();
        FutureCallableGroupCollapseExecutor executor = new FutureCallableGroupCollapseExecutor(CollapseOptions.builder()
                .joinMode(JoinMode.IN_FLIGHT)
                .contextCarrier(new ObservedBatches(registry))
                .build());
        Observation leads = Observation.start("leads", registry);
        Observation joins = Observation.start("joins", registry);
        CompletableFuture<String> leader = leads.scoped(() -> executor.execute("a", () -> call));
        CompletableFuture<String> again = leads.scoped(() -> executor.execute("a", () -> call));
        CompletableFuture<String> joiner = joins.scoped(() -> executor.execute("a", () -> call));
        call.complete("answer");
        assertThat(List.of(leader, again, joiner))
                .allSatisfy(answer -> assertThat(answer).isCompletedWithValue("answer"));
        leads.stop();
        joins.stop();
        assertThat(spans("collapse batch")).isEmpty();
        assertThat(linkedBy(spans("joins").get(0))).containsExactly(spanId("leads"));
        assertThat(spans("leads").get(0).getLinks()).as("no link to itself").isEmpty();
    }

    @Test
    void aCallerThatJoinsABatchOfSeveralInFlightLinksTheBatch() throws Exception {
        CompletableFuture<String> call = new CompletableFuture<>();
        FutureCallableGroupCollapseExecutor executor = new FutureCallableGroupCollapseExecutor(
                pairs().joinMode(JoinMode.IN_FLIGHT).build());
        List<CompletableFuture<String>> answers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            answers.add(executor.execute("a", () -> call));
        }
        call.complete("answer");
        assertThat(answers).allSatisfy(answer -> assertThat(answer).isCompletedWithValue("answer"));
        String batch = spanId("collapse batch");
        assertThat(spans("collapse call"))
                .hasSize(3)
                .allSatisfy(caller -> assertThat(linkedBy(caller)).containsExactly(batch));
        assertThat(spans("collapse batch").get(0).getLinks()).hasSize(2);
    }

    @Test
    void aBatchThatSomebodyElsesThreadRunsIsNoChildOfThat() throws Exception {
        List<CompletableFuture<List<String>>> stages = new ArrayList<>();
        FutureCollapseExecutor<String, String> executor = CollapseExecutors.futureInOrder(
                inputs -> {
                    stages.add(new CompletableFuture<>());
                    return stages.get(stages.size() - 1);
                },
                oneAtATime());
        CompletableFuture<String> first = executor.execute("first");
        CompletableFuture<String> second = executor.execute("second");
        CompletableFuture<String> third = executor.execute("third");
        Observation somebody = Observation.start("somebody", registry);
        somebody.scoped(() -> {
            stages.get(0).complete(List.of("1"));
        });
        somebody.stop();
        stages.get(1).complete(List.of("2", "3"));
        assertThat(first).isCompletedWithValue("1");
        assertThat(second).isCompletedWithValue("2");
        assertThat(third).isCompletedWithValue("3");
        assertThat(spans("collapse batch"))
                .hasSize(1)
                .allSatisfy(batch ->
                        assertThat(batch.getParentSpanContext().isValid()).isFalse());
    }

    @Test
    void insideAPropagatedContextABatchIsObservedAsTheChildOfItsFirstCaller() throws Exception {
        ContextRegistry.getInstance().registerThreadLocalAccessor(new ObservationThreadLocalAccessor(registry));
        CollapseOptions options = pairs().contextCarrier(
                        PropagatedContext.ofFirstCaller().andThen(new ObservedBatches(registry)))
                .build();
        FutureCollapseExecutor<String, String> executor =
                CollapseExecutors.asyncInOrder(inputs -> inputs, options, batches);
        Observation caller = Observation.start("caller", registry);
        CompletableFuture<String> first = caller.scoped(() -> executor.execute("a"));
        assertThat(executor.execute("b").get(30, TimeUnit.SECONDS)).isEqualTo("b");
        assertThat(first.get(30, TimeUnit.SECONDS)).isEqualTo("a");
        caller.stop();
        batches.shutdown();
        assertThat(batches.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        assertThat(spans("collapse batch").get(0).getParentSpanId()).isEqualTo(spanId("caller"));
    }

    @Test
    void aRegistryThatObservesNothingCostsNothing() throws Exception {
        ObservedBatches carrier = new ObservedBatches(ObservationRegistry.NOOP);
        assertThat(carrier.capture()).isNull();
        assertThat(new BlockingCallableGroupCollapseExecutor(CollapseOptions.builder()
                                .contextCarrier(carrier)
                                .build())
                        .<String>execute("a", () -> "answer"))
                .isEqualTo("answer");
    }

    @Test
    void aBatchOnItsLeadersThreadIsAChildOfTheLeadersSpanAndShowsItsFailure() throws Exception {
        BlockingCallableGroupCollapseExecutor executor = new BlockingCallableGroupCollapseExecutor(pairs().build());
        CompletableFuture<Throwable> another = CompletableFuture.supplyAsync(() -> failureIn("one", executor), batches);
        assertThat(failureIn("other", executor)).hasMessage("broken");
        assertThat(another.get(30, TimeUnit.SECONDS)).hasMessage("broken");
        SpanData batch = spans("collapse batch").get(0);
        List<String> callers = List.of(spanId("one"), spanId("other"));
        assertThat(batch.getParentSpanId()).as("whichever led").isIn(callers);
        assertThat(linkedBy(batch)).containsExactlyInAnyOrderElementsOf(callers);
        assertThat(batch.getStatus().getStatusCode())
                .isEqualTo(StatusData.error().getStatusCode());
        SpanData leader = spanWithId(batch.getParentSpanId());
        assertThat(leader.getLinks()).as("of the batch's parent").isEmpty();
    }

    /** Calls within an observation, which is the current one again afterwards. */
    private Throwable failureIn(String caller, BlockingCallableGroupCollapseExecutor executor) {
        Observation observation = Observation.start(caller, registry);
        try (Observation.Scope scope = observation.openScope()) {
            Throwable failure = catchThrowable(() -> executor.execute("a", () -> {
                throw new IllegalStateException("broken");
            }));
            assertThat(registry.getCurrentObservationScope()).isSameAs(scope);
            return failure;
        } finally {
            observation.stop();
        }
    }

    private SpanData spanWithId(String id) {
        return exporter.getFinishedSpanItems().stream()
                .filter(span -> span.getSpanId().equals(id))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aCallThatIsRepeatedForOneCallerAloneIsNoMoreThatOfTheBatchBefore() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        AtomicReference<Thread> leader = new AtomicReference<>();
        BlockingCallableGroupCollapseExecutor executor = new BlockingCallableGroupCollapseExecutor(pairs().build());
        Callable<String> call = () -> {
            if (leader.compareAndSet(null, Thread.currentThread())) {
                started.countDown();
                never.await();
            }
            return "answer";
        };
        Callable<String> caller = () -> {
            Observation observation = Observation.start(Thread.currentThread().getName(), registry);
            try {
                return observation.scopedChecked(() -> executor.execute("a", call));
            } finally {
                observation.stop();
            }
        };
        FutureTask<String> one = new FutureTask<>(caller);
        FutureTask<String> other = new FutureTask<>(caller);
        new Thread(one, "one").start();
        new Thread(other, "other").start();
        assertThat(started.await(30, TimeUnit.SECONDS)).isTrue();
        leader.get().interrupt();
        boolean oneLed = leader.get().getName().equals("one");
        assertThat((oneLed ? other : one).get(30, TimeUnit.SECONDS)).isEqualTo("answer");
        assertThat(catchThrowable(() -> (oneLed ? one : other).get(30, TimeUnit.SECONDS)))
                .hasCauseInstanceOf(InterruptedException.class);
        assertThat(spans("collapse batch")).hasSize(1);
        assertThat(spans(oneLed ? "other" : "one").get(0).getLinks())
                .as("its own call answered it")
                .isEmpty();
    }

    @Test
    void withBatchesSwitchedOffThereAreNoLinksEither() throws Exception {
        registry.observationConfig().observationPredicate((name, context) -> !name.startsWith("collapse."));
        CompletableFuture<String> call = new CompletableFuture<>();
        FutureCallableGroupCollapseExecutor executor = new FutureCallableGroupCollapseExecutor(CollapseOptions.builder()
                .joinMode(JoinMode.IN_FLIGHT)
                .contextCarrier(new ObservedBatches(registry))
                .build());
        Observation leads = Observation.start("leads", registry);
        Observation joins = Observation.start("joins", registry);
        CompletableFuture<String> leader = leads.scoped(() -> executor.execute("a", () -> call));
        CompletableFuture<String> joiner = joins.scoped(() -> executor.execute("a", () -> call));
        CompletableFuture<String> unobserved = executor.execute("a", () -> call);
        call.complete("answer");
        assertThat(List.of(leader, joiner, unobserved))
                .allSatisfy(answer -> assertThat(answer).isCompletedWithValue("answer"));
        leads.stop();
        joins.stop();
        assertThat(exporter.getFinishedSpanItems())
                .hasSize(2)
                .allSatisfy(span -> assertThat(span.getLinks()).isEmpty());
    }

    @Test
    void withATracerThereIsAHandlerAndWithoutTheLibraryNothingIsMissed() {
        runner().withBean("tracer", io.micrometer.tracing.Tracer.class, () -> io.micrometer.tracing.Tracer.NOOP)
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(BatchTracingHandler.class));
        runner().run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(BatchTracingHandler.class));
        runner().withClassLoader(new FilteredClassLoader("io.micrometer.tracing"))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("collapseBatchTracingHandler"));
    }

    private static ApplicationContextRunner runner() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        CollapseExecutorAutoConfiguration.class, CollapseTracingAutoConfiguration.class));
    }
}
