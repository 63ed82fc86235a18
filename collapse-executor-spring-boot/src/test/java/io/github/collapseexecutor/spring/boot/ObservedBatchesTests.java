package io.github.collapseexecutor.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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
        assertThat(spans).hasSize(2);
        assertThat(linkedBy(spans.get(0))).containsExactly(spanId("caller-0"));
        assertThat(linkedBy(spans.get(1))).containsExactly(spanId("caller-1"), spanId("caller-2"), spanId("caller-3"));
        assertThat(spans.get(1).getAttributes().asMap())
                .containsOnly(
                        Map.entry(AttributeKey.stringKey("collapse.batch.size"), "3"),
                        Map.entry(AttributeKey.stringKey("collapse.name"), "none"));
        assertThat(spans.get(1).getParentSpanContext().isValid())
                .as("a batch of many is the child of none")
                .isFalse();
    }

    @Test
    void ofManyCallersTheFirstAreLinkedAndTheOthersCounted() throws Exception {
        callers(200);
        SpanData batch = spans("collapse batch").get(1);
        assertThat(batch.getLinks()).hasSize(128);
        assertThat(batch.getAttributes().get(AttributeKey.stringKey("collapse.callers.not.linked")))
                .isEqualTo("72");
        assertThat(linkedBy(batch)).startsWith(spanId("caller-1")).endsWith(spanId("caller-128"));
    }

    @Test
    void theSpanOfACallerLinksThatOfItsBatch() throws Exception {
        callers(3);
        List<SpanData> batches = spans("collapse batch");
        assertThat(linkedBy(spans("caller-0").get(0)))
                .containsExactly(batches.get(0).getSpanId());
        for (int i = 1; i <= 3; i++) {
            assertThat(linkedBy(spans("caller-" + i).get(0)))
                    .containsExactly(batches.get(1).getSpanId());
        }
    }

    @Test
    void aCallerInNoObservationHasOneOfItsOwn() throws Exception {
        callers(2, (i, call) -> call.get());
        List<SpanData> batches = spans("collapse batch");
        List<SpanData> calls = spans("collapse call");
        assertThat(calls).hasSize(3);
        List<String> called = calls.stream().map(SpanData::getSpanId).toList();
        assertThat(linkedBy(batches.get(0))).containsExactly(called.get(0));
        assertThat(linkedBy(batches.get(1))).containsExactlyInAnyOrder(called.get(1), called.get(2));
        assertThat(linkedBy(calls.get(1))).containsExactly(batches.get(1).getSpanId());
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
        assertThat(spans("collapse batch"))
                .as("a batch that all have left is cancelled")
                .hasSize(1);
        CompletableFuture<String> timedOut = executor.execute("timed out");
        assertThat(timedOut.completeExceptionally(new TimeoutException("in time")))
                .isTrue();
        assertThat(spans("collapse call").get(1).getStatus()).isEqualTo(StatusData.create(StatusCode.ERROR, "in time"));
    }

    @Test
    void aBatchIsObservedUntilTheStageOfItsFunctionCompletes() throws Exception {
        CompletableFuture<List<String>> stage = new CompletableFuture<>();
        FutureCollapseExecutor<String, String> executor = CollapseExecutors.futureInOrder(
                inputs -> stage,
                CollapseOptions.builder()
                        .contextCarrier(new ObservedBatches(registry))
                        .build());
        CompletableFuture<String> answer = executor.execute("a");
        assertThat(spans("collapse batch")).isEmpty();
        stage.completeExceptionally(new IOException("broken"));
        assertThat(answer).isCompletedExceptionally();
        assertThat(spans("collapse batch"))
                .singleElement()
                .satisfies(batch ->
                        assertThat(batch.getStatus()).isEqualTo(StatusData.create(StatusCode.ERROR, "broken")));
    }

    @Test
    void aCallerThatJoinsACallInFlightLinksIt() throws Exception {
        CompletableFuture<String> call = new CompletableFuture<>();
        FutureCallableGroupCollapseExecutor executor = new FutureCallableGroupCollapseExecutor(CollapseOptions.builder()
                .joinMode(JoinMode.IN_FLIGHT)
                .contextCarrier(new ObservedBatches(registry))
                .build());
        CompletableFuture<String> leader = executor.execute("a", () -> call);
        CompletableFuture<String> joiner = executor.execute("a", () -> call);
        call.complete("answer");
        assertThat(leader).isCompletedWithValue("answer");
        assertThat(joiner).isCompletedWithValue("answer");
        String batch = spans("collapse batch").get(0).getSpanId();
        assertThat(spans("collapse call"))
                .hasSize(2)
                .allSatisfy(caller -> assertThat(linkedBy(caller)).containsExactly(batch));
        assertThat(spans("collapse batch").get(0).getLinks()).hasSize(1);
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
        Observation somebody = Observation.start("somebody", registry);
        somebody.scoped(() -> {
            stages.get(0).complete(List.of("1"));
        });
        somebody.stop();
        stages.get(1).complete(List.of("2"));
        assertThat(first).isCompletedWithValue("1");
        assertThat(second).isCompletedWithValue("2");
        assertThat(spans("collapse batch"))
                .hasSize(2)
                .allSatisfy(batch ->
                        assertThat(batch.getParentSpanContext().isValid()).isFalse());
    }

    @Test
    void insideAPropagatedContextABatchIsObservedAsTheChildOfItsFirstCaller() throws Exception {
        ContextRegistry.getInstance().registerThreadLocalAccessor(new ObservationThreadLocalAccessor(registry));
        CollapseOptions options = CollapseOptions.builder()
                .contextCarrier(PropagatedContext.ofFirstCaller().andThen(new ObservedBatches(registry)))
                .build();
        FutureCollapseExecutor<String, String> executor =
                CollapseExecutors.asyncInOrder(inputs -> inputs, options, batches);
        Observation caller = Observation.start("caller", registry);
        caller.scopedChecked(() ->
                assertThat(executor.execute("a").get(30, TimeUnit.SECONDS)).isEqualTo("a"));
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
    void aBatchOnItsLeadersThreadIsAChildOfTheLeadersSpanAndShowsItsFailure() {
        BlockingCallableGroupCollapseExecutor executor = new BlockingCallableGroupCollapseExecutor(oneAtATime());
        Observation leader = Observation.start("leader", registry);
        leader.scoped(() -> {
            assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> executor.execute("a", () -> {
                        throw new IllegalStateException("broken");
                    })))
                    .hasMessage("broken");
            assertThat(registry.getCurrentObservation()).isSameAs(leader);
        });
        leader.stop();
        SpanData batch = spans("collapse batch").get(0);
        assertThat(batch.getParentSpanId()).isEqualTo(spanId("leader"));
        assertThat(batch.getStatus().getStatusCode())
                .isEqualTo(StatusData.error().getStatusCode());
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
