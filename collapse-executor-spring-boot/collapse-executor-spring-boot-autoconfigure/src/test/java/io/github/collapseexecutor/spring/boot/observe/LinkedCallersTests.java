package io.github.collapseexecutor.spring.boot.observe;

import static io.github.collapseexecutor.spring.boot.observe.RecordedSpans.linkedBy;
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
import io.micrometer.observation.contextpropagation.ObservationThreadLocalAccessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Spans of callers that join in flight, lead, run a batch for others, or call again: which one is the child of which, and links which. */
class LinkedCallersTests {

    private final RecordedSpans spans = new RecordedSpans();
    private final ExecutorService batches = Executors.newSingleThreadExecutor();

    @AfterEach
    void close() {
        batches.shutdownNow();
        spans.close();
    }

    @Test
    void aCallerThatJoinsTheCallOfOneCallerInFlightLinksThatCaller() throws Exception {
        CompletableFuture<String> call = new CompletableFuture<>();
        FutureCallableGroupCollapseExecutor executor = new FutureCallableGroupCollapseExecutor(
                spans.options().joinMode(JoinMode.IN_FLIGHT).build());
        Observation leads = Observation.start("leads", spans.registry);
        Observation joins = Observation.start("joins", spans.registry);
        CompletableFuture<String> leader = leads.scoped(() -> executor.execute("a", () -> call));
        CompletableFuture<String> again = leads.scoped(() -> executor.execute("a", () -> call));
        CompletableFuture<String> joiner = joins.scoped(() -> executor.execute("a", () -> call));
        call.complete("answer");
        assertThat(List.of(leader, again, joiner))
                .allSatisfy(answer -> assertThat(answer).isCompletedWithValue("answer"));
        leads.stop();
        joins.stop();
        assertThat(spans.named("collapse batch")).isEmpty();
        assertThat(linkedBy(spans.named("joins").get(0))).containsExactly(spans.id("leads"));
        assertThat(spans.named("leads").get(0).getLinks())
                .as("no link to itself")
                .isEmpty();
    }

    @Test
    void aCallerThatJoinsABatchOfSeveralInFlightLinksTheBatch() throws Exception {
        CompletableFuture<String> call = new CompletableFuture<>();
        FutureCallableGroupCollapseExecutor executor = new FutureCallableGroupCollapseExecutor(
                spans.pairs().joinMode(JoinMode.IN_FLIGHT).build());
        List<CompletableFuture<String>> answers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            answers.add(executor.execute("a", () -> call));
        }
        call.complete("answer");
        assertThat(answers).allSatisfy(answer -> assertThat(answer).isCompletedWithValue("answer"));
        String batch = spans.id("collapse batch");
        assertThat(spans.named("collapse call"))
                .hasSize(3)
                .allSatisfy(caller -> assertThat(linkedBy(caller)).containsExactly(batch));
        assertThat(spans.named("collapse batch").get(0).getLinks()).hasSize(2);
    }

    @Test
    void aBatchThatSomebodyElsesThreadRunsIsNoChildOfThat() throws Exception {
        List<CompletableFuture<List<String>>> stages = new ArrayList<>();
        FutureCollapseExecutor<String, String> executor = CollapseExecutors.futureInOrder(
                inputs -> {
                    stages.add(new CompletableFuture<>());
                    return stages.get(stages.size() - 1);
                },
                spans.options().maxConcurrentBatches(1).build());
        CompletableFuture<String> first = executor.execute("first");
        CompletableFuture<String> second = executor.execute("second");
        CompletableFuture<String> third = executor.execute("third");
        Observation somebody = Observation.start("somebody", spans.registry);
        somebody.scoped(() -> {
            stages.get(0).complete(List.of("1"));
        });
        somebody.stop();
        stages.get(1).complete(List.of("2", "3"));
        assertThat(first).isCompletedWithValue("1");
        assertThat(second).isCompletedWithValue("2");
        assertThat(third).isCompletedWithValue("3");
        assertThat(spans.named("collapse batch"))
                .hasSize(1)
                .allSatisfy(batch ->
                        assertThat(batch.getParentSpanContext().isValid()).isFalse());
    }

    @Test
    void insideAPropagatedContextABatchIsObservedAsTheChildOfItsFirstCaller() throws Exception {
        ContextRegistry.getInstance().registerThreadLocalAccessor(new ObservationThreadLocalAccessor(spans.registry));
        CollapseOptions options = spans.pairs()
                .contextCarrier(PropagatedContext.ofFirstCaller().andThen(new ObservedBatches(spans.registry)))
                .build();
        FutureCollapseExecutor<String, String> executor =
                CollapseExecutors.asyncInOrder(inputs -> inputs, options, batches);
        Observation caller = Observation.start("caller", spans.registry);
        CompletableFuture<String> first = caller.scoped(() -> executor.execute("a"));
        assertThat(executor.execute("b").get(30, TimeUnit.SECONDS)).isEqualTo("b");
        assertThat(first.get(30, TimeUnit.SECONDS)).isEqualTo("a");
        caller.stop();
        batches.shutdown();
        assertThat(batches.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        assertThat(spans.named("collapse batch").get(0).getParentSpanId()).isEqualTo(spans.id("caller"));
    }

    @Test
    void aBatchOnItsLeadersThreadIsAChildOfTheLeadersSpanAndShowsItsFailure() throws Exception {
        BlockingCallableGroupCollapseExecutor executor =
                new BlockingCallableGroupCollapseExecutor(spans.pairs().build());
        CompletableFuture<Throwable> another = CompletableFuture.supplyAsync(() -> failureIn("one", executor), batches);
        assertThat(failureIn("other", executor)).hasMessage("broken");
        assertThat(another.get(30, TimeUnit.SECONDS)).hasMessage("broken");
        SpanData batch = spans.named("collapse batch").get(0);
        List<String> callers = List.of(spans.id("one"), spans.id("other"));
        assertThat(batch.getParentSpanId()).as("whichever led").isIn(callers);
        assertThat(linkedBy(batch)).containsExactlyInAnyOrderElementsOf(callers);
        assertThat(batch.getStatus().getStatusCode())
                .isEqualTo(StatusData.error().getStatusCode());
        SpanData leader = spans.withId(batch.getParentSpanId());
        assertThat(leader.getLinks()).as("of the batch's parent").isEmpty();
    }

    /** Calls within an observation, which is the current one again afterwards. */
    private Throwable failureIn(String caller, BlockingCallableGroupCollapseExecutor executor) {
        Observation observation = Observation.start(caller, spans.registry);
        try (Observation.Scope scope = observation.openScope()) {
            Throwable failure = catchThrowable(() -> executor.execute("a", () -> {
                throw new IllegalStateException("broken");
            }));
            assertThat(spans.registry.getCurrentObservationScope()).isSameAs(scope);
            return failure;
        } finally {
            observation.stop();
        }
    }

    @Test
    void aCallThatIsRepeatedForOneCallerAloneIsNoMoreThatOfTheBatchBefore() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        AtomicReference<Thread> leader = new AtomicReference<>();
        BlockingCallableGroupCollapseExecutor executor =
                new BlockingCallableGroupCollapseExecutor(spans.pairs().build());
        Callable<String> call = () -> {
            if (leader.compareAndSet(null, Thread.currentThread())) {
                started.countDown();
                never.await();
            }
            return "answer";
        };
        Callable<String> caller = () -> {
            Observation observation = Observation.start(Thread.currentThread().getName(), spans.registry);
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
        assertThat(spans.named("collapse batch")).hasSize(1);
        assertThat(spans.named(oneLed ? "other" : "one").get(0).getLinks())
                .as("its own call answered it")
                .isEmpty();
    }

    @Test
    void withBatchesSwitchedOffThereAreNoLinksEither() throws Exception {
        spans.registry.observationConfig().observationPredicate((name, context) -> !name.startsWith("collapse."));
        CompletableFuture<String> call = new CompletableFuture<>();
        FutureCallableGroupCollapseExecutor executor = new FutureCallableGroupCollapseExecutor(
                spans.options().joinMode(JoinMode.IN_FLIGHT).build());
        Observation leads = Observation.start("leads", spans.registry);
        Observation joins = Observation.start("joins", spans.registry);
        CompletableFuture<String> leader = leads.scoped(() -> executor.execute("a", () -> call));
        CompletableFuture<String> joiner = joins.scoped(() -> executor.execute("a", () -> call));
        CompletableFuture<String> unobserved = executor.execute("a", () -> call);
        call.complete("answer");
        assertThat(List.of(leader, joiner, unobserved))
                .allSatisfy(answer -> assertThat(answer).isCompletedWithValue("answer"));
        leads.stop();
        joins.stop();
        assertThat(spans.all())
                .hasSize(2)
                .allSatisfy(span -> assertThat(span.getLinks()).isEmpty());
    }
}
