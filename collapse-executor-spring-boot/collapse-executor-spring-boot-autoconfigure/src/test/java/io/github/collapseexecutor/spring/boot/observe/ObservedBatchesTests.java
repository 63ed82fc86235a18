package io.github.collapseexecutor.spring.boot.observe;

import static io.github.collapseexecutor.spring.boot.observe.RecordedSpans.linkedBy;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.BlockingCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.CollapseExecutors;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.FutureCollapseExecutor;
import io.github.collapseexecutor.spring.boot.CollapseExecutorAutoConfiguration;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
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

/** What an in-memory exporter gets of batches and of their callers. */
class ObservedBatchesTests {

    private final RecordedSpans spans = new RecordedSpans();
    private final ExecutorService batches = Executors.newSingleThreadExecutor();

    @AfterEach
    void close() {
        batches.shutdownNow();
        spans.close();
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
                spans.options().maxConcurrentBatches(1).build(),
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
        Observation request = Observation.start("request", spans.registry);
        callers(others, (i, call) -> {
            Observation caller = Observation.createNotStarted("caller-" + i, spans.registry)
                    .parentObservation(request)
                    .start();
            return caller.scoped(call).whenComplete((answer, failure) -> caller.stop());
        });
        request.stop();
    }

    @Test
    void theSpanOfABatchLinksThoseOfItsCallers() throws Exception {
        callers(3);
        List<SpanData> ofSeveral = spans.named("collapse batch");
        assertThat(ofSeveral).as("the first caller is alone").hasSize(1);
        assertThat(linkedBy(ofSeveral.get(0)))
                .containsExactly(spans.id("caller-1"), spans.id("caller-2"), spans.id("caller-3"));
        assertThat(ofSeveral.get(0).getAttributes().asMap())
                .containsOnly(
                        Map.entry(AttributeKey.stringKey("collapse.batch.size"), "3"),
                        Map.entry(AttributeKey.stringKey("name"), "none"));
        assertThat(ofSeveral.get(0).getParentSpanContext().isValid())
                .as("a batch of many is the child of none")
                .isFalse();
    }

    @Test
    void ofManyCallersTheFirstAreLinkedAndTheOthersCounted() throws Exception {
        callers(200);
        SpanData batch = spans.named("collapse batch").get(0);
        assertThat(batch.getLinks()).hasSize(128);
        assertThat(batch.getTotalRecordedLinks())
                .as("it is not the exporter that bounds them")
                .isEqualTo(128);
        assertThat(batch.getAttributes().get(AttributeKey.stringKey("collapse.callers.not.linked")))
                .isEqualTo("72");
        assertThat(linkedBy(batch)).startsWith(spans.id("caller-1")).endsWith(spans.id("caller-128"));
    }

    @Test
    void theSpanOfACallerLinksThatOfItsBatch() throws Exception {
        callers(3);
        String batch = spans.id("collapse batch");
        assertThat(linkedBy(spans.named("caller-0").get(0))).isEmpty();
        for (int i = 1; i <= 3; i++) {
            assertThat(linkedBy(spans.named("caller-" + i).get(0))).containsExactly(batch);
        }
    }

    @Test
    void aCallerInNoObservationHasOneOfItsOwn() throws Exception {
        callers(2, (i, call) -> call.get());
        SpanData batch = spans.named("collapse batch").get(0);
        List<SpanData> calls = spans.named("collapse call");
        assertThat(calls).hasSize(3);
        List<String> called = calls.stream().map(SpanData::getSpanId).toList();
        assertThat(linkedBy(batch)).containsExactlyInAnyOrder(called.get(1), called.get(2));
        assertThat(linkedBy(calls.get(0))).isEmpty();
        assertThat(linkedBy(calls.get(1))).containsExactly(batch.getSpanId());
        assertThat(calls.get(1).getAttributes().asMap())
                .containsOnly(Map.entry(AttributeKey.stringKey("name"), "none"));
    }

    @Test
    void aCallThatFailsShowsItsFailureAndOneThatIsLeftIsStopped() throws Exception {
        FutureCollapseExecutor<String, String> executor = CollapseExecutors.futureInOrder(
                inputs -> new CompletableFuture<>(),
                CollapseOptions.builder()
                        .contextCarrier(new ObservedBatches(spans.registry).named("users"))
                        .build());
        assertThat(executor.execute("left").cancel(true)).isTrue();
        assertThat(spans.named("collapse call")).singleElement().satisfies(call -> {
            assertThat(call.getStatus().getStatusCode()).isNotEqualTo(StatusCode.ERROR);
            assertThat(call.getAttributes().get(AttributeKey.stringKey("name"))).isEqualTo("users");
        });
        assertThat(spans.named("collapse batch")).as("a batch of one caller").isEmpty();
        CompletableFuture<String> timedOut = executor.execute("timed out");
        assertThat(timedOut.completeExceptionally(new TimeoutException("in time")))
                .isTrue();
        assertThat(spans.named("collapse call").get(1).getStatus())
                .isEqualTo(StatusData.create(StatusCode.ERROR, "in time"));
    }

    @Test
    void aBatchIsObservedUntilTheStageOfItsFunctionCompletes() throws Exception {
        CompletableFuture<List<String>> stage = new CompletableFuture<>();
        FutureCollapseExecutor<String, String> executor =
                CollapseExecutors.futureInOrder(inputs -> stage, spans.pairs().build());
        CompletableFuture<String> first = executor.execute("a");
        CompletableFuture<String> second = executor.execute("b");
        assertThat(spans.named("collapse batch")).isEmpty();
        stage.completeExceptionally(new IOException("broken"));
        assertThat(first).isCompletedExceptionally();
        assertThat(second).isCompletedExceptionally();
        assertThat(spans.named("collapse batch"))
                .singleElement()
                .satisfies(batch ->
                        assertThat(batch.getStatus()).isEqualTo(StatusData.create(StatusCode.ERROR, "broken")));
    }

    @Test
    void ofABatchOfOneCallerTheCallersObservationIsTheCurrentOne_onWhicheverThreadItRuns() throws Exception {
        List<Observation> seen = new CopyOnWriteArrayList<>();
        CollapseOptions options = spans.options().build();
        FutureCollapseExecutor<String, String> executor = CollapseExecutors.asyncInOrder(
                inputs -> {
                    seen.add(spans.registry.getCurrentObservation());
                    return inputs;
                },
                options,
                batches);
        Observation caller = Observation.start("caller", spans.registry);
        caller.scopedChecked(() ->
                assertThat(executor.execute("a").get(30, TimeUnit.SECONDS)).isEqualTo("a"));
        caller.stop();
        assertThat(executor.execute("b").get(30, TimeUnit.SECONDS)).isEqualTo("b");
        assertThat(seen.get(0)).isSameAs(caller);
        assertThat(seen.get(1).getContext())
                .as("the call's own, where its caller is in none")
                .isInstanceOf(CallContext.class);
        assertThat(batches.submit(spans.registry::getCurrentObservation).get(30, TimeUnit.SECONDS))
                .isNull();
        assertThat(spans.named("collapse batch")).isEmpty();
        assertThat(spans.named("caller").get(0).getLinks()).isEmpty();
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
    void withATracerThereIsAHandlerAndWithoutTheLibraryNothingIsMissed() {
        runner().withBean("tracer", io.micrometer.tracing.Tracer.class, () -> io.micrometer.tracing.Tracer.NOOP)
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(BatchTracingHandler.class));
        runner().run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(BatchTracingHandler.class));
        runner().withClassLoader(new FilteredClassLoader("io.micrometer.tracing"))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(BatchTracingHandler.class));
    }

    private static ApplicationContextRunner runner() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        CollapseExecutorAutoConfiguration.class, CollapseTracingAutoConfiguration.class));
    }
}
