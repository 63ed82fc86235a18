package io.github.collapseexecutor.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.BlockingCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.CollapseExecutors;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.FutureCollapseExecutor;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler.FirstMatchingCompositeObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.otel.bridge.OtelCurrentTraceContext;
import io.micrometer.tracing.otel.bridge.OtelTracer;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
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

    /** The first call is held until the others have gathered; each caller has a span of its own. */
    private void callers(int others) throws Exception {
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
            Observation caller = Observation.start("caller-" + i, registry);
            String input = Integer.toString(i);
            caller.scoped(() -> {
                answers.add(executor.execute(input));
            });
            caller.stop();
            assertThat(started.await(30, TimeUnit.SECONDS)).isTrue();
        }
        gathered.countDown();
        for (CompletableFuture<String> answer : answers) {
            assertThat(answer.get(30, TimeUnit.SECONDS)).isNotNull();
        }
        batches.shutdown();
        assertThat(batches.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
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
                .containsExactlyEntriesOf(java.util.Map.of(AttributeKey.stringKey("collapse.batch.size"), "3"));
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
