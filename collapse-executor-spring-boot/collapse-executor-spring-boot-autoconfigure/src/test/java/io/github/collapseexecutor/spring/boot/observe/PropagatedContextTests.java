package io.github.collapseexecutor.spring.boot.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.collapseexecutor.core.BlockingCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.CollapseExecutors;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.ContextCarrier;
import io.github.collapseexecutor.core.FutureCollapseExecutor;
import io.github.collapseexecutor.spring.boot.CollapseExecutorAutoConfiguration;
import io.github.collapseexecutor.spring.boot.registry.HttpSections;
import io.micrometer.context.ContextRegistry;
import io.micrometer.context.ThreadLocalAccessor;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.contextpropagation.ObservationThreadLocalAccessor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** C13 with the context-propagation library: what belongs to one caller never shows in another's batch. */
class PropagatedContextTests {

    private static final String KEY = "test.user";
    private static final int CALLERS = 1_000;
    private static final int THREADS = 8;

    private final ThreadLocal<@Nullable String> user = new ThreadLocal<>();
    private final ObservationRegistry observations = ObservationRegistry.create();
    private final ExecutorService batches = Executors.newFixedThreadPool(4);
    private final ExecutorService callers = Executors.newFixedThreadPool(THREADS);

    @BeforeEach
    void register() {
        observations.observationConfig().observationHandler(context -> true);
        ContextRegistry.getInstance()
                .registerThreadLocalAccessor(KEY, user::get, user::set, user::remove)
                .registerThreadLocalAccessor(new ObservationThreadLocalAccessor(observations));
    }

    @AfterEach
    void unregister() {
        ContextRegistry.getInstance().removeThreadLocalAccessor(KEY);
        batches.shutdownNow();
        callers.shutdownNow();
    }

    /** What a batch sees: the user, and the name of the observation. */
    private String seen() {
        Observation observation = observations.getCurrentObservation();
        return user.get() + " "
                + (observation == null ? null : observation.getContext().getName());
    }

    /** Each caller asks as a user of its own, in an observation of its own; returns what their batches saw. */
    private List<String> seenByBatchesOf(ContextCarrier carrier) throws Exception {
        List<String> seen = Collections.synchronizedList(new ArrayList<>());
        FutureCollapseExecutor<String, String> executor = CollapseExecutors.asyncInOrder(
                inputs -> {
                    seen.add(inputs.get(0) + " first of " + seen());
                    user.set("left behind by a batch");
                    return inputs;
                },
                CollapseOptions.builder()
                        .maxConcurrentBatches(2)
                        .contextCarrier(carrier)
                        .build(),
                batches);
        List<Future<?>> ends = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            String name = "user-" + i;
            ends.add(callers.submit(() -> ask(executor, name)));
        }
        for (Future<?> end : ends) {
            end.get(60, TimeUnit.SECONDS);
        }
        List<Future<String>> after = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            after.add(batches.submit(this::seen));
        }
        for (Future<String> thread : after) {
            assertThat(thread.get(30, TimeUnit.SECONDS))
                    .as("nothing is left behind")
                    .isEqualTo("null null");
        }
        return seen;
    }

    private Object ask(FutureCollapseExecutor<String, String> executor, String name) throws Exception {
        user.set(name);
        Observation observation = Observation.start(name, observations);
        try {
            observation.scopedChecked(() -> {
                CompletableFuture<String> answer = executor.execute(name);
                assertThat(seen()).as("a caller keeps its own").isEqualTo(name + " " + name);
                assertThat(answer.get(30, TimeUnit.SECONDS)).isEqualTo(name);
                assertThat(seen()).as("a caller keeps its own").isEqualTo(name + " " + name);
            });
        } finally {
            observation.stop();
            user.remove();
        }
        return name;
    }

    @Test
    void aBatchSeesTheContextOfNobody() throws Exception {
        assertThat(seenByBatchesOf(PropagatedContext.none()))
                .isNotEmpty()
                .allSatisfy(seen -> assertThat(seen).endsWith(" first of null null"));
    }

    @Test
    void aBatchSeesTheContextOfItsFirstCallerIfThatIsChosen() throws Exception {
        assertThat(seenByBatchesOf(PropagatedContext.ofFirstCaller()))
                .isNotEmpty()
                .allSatisfy(seen -> {
                    String first = seen.substring(0, seen.indexOf(' '));
                    assertThat(seen).isEqualTo(first + " first of " + first + " " + first);
                });
    }

    @Test
    void aBlockingLeaderHasItsOwnContextBackAfterItsBatch() throws Exception {
        BlockingCallableGroupCollapseExecutor executor =
                new BlockingCallableGroupCollapseExecutor(CollapseOptions.builder()
                        .contextCarrier(PropagatedContext.none())
                        .build());
        user.set("leader");
        try {
            assertThat(executor.execute("a", this::seen)).isEqualTo("null null");
            assertThat(user.get()).isEqualTo("leader");
        } finally {
            user.remove();
        }
    }

    /** Something registered whose value is always there, and that tells when it is restored, or fails then. */
    private record Told(String key, List<String> restored, boolean fails) implements ThreadLocalAccessor<String> {

        @Override
        public String getValue() {
            return key;
        }

        @Override
        public void setValue(String value) {}

        @Override
        public void setValue() {}

        @Override
        public void restore(String before) {
            restored.add(before);
            if (fails) {
                throw new IllegalStateException(key);
            }
        }
    }

    /** Returns what comes of an execution between three that are registered, the last two of which fail if they are to. */
    private static @Nullable Throwable failureOf(Callable<String> execution, List<String> restored, boolean fail) {
        List<Told> registered = List.of(
                new Told("first", restored, false),
                new Told("second", restored, fail),
                new Told("third", restored, fail));
        ContextRegistry registry = ContextRegistry.getInstance();
        registered.forEach(registry::registerThreadLocalAccessor);
        try {
            return catchThrowable(() -> PropagatedContext.none().around(Collections.singletonList(null), execution));
        } finally {
            registered.forEach(told -> registry.removeThreadLocalAccessor(told.key()));
        }
    }

    @Test
    void theLastThatWasClearedIsTheFirstThatComesBack() {
        List<String> restored = new ArrayList<>();
        assertThat(failureOf(() -> "answer", restored, false)).isNull();
        assertThat(restored).containsExactly("third", "second", "first");
    }

    @Test
    void whereOneDoesNotComeBackTheOthersDo() {
        List<String> restored = new ArrayList<>();
        assertThat(failureOf(() -> "answer", restored, true))
                .hasMessage("third")
                .satisfies(failure -> assertThat(failure.getSuppressed())
                        .extracting(Throwable::getMessage)
                        .containsExactly("second"));
        assertThat(restored).containsExactly("third", "second", "first");
    }

    @Test
    void aFailureOfTheBatchIsTheOneThatIsThrown() {
        List<String> restored = new ArrayList<>();
        IOException broken = new IOException("broken");
        assertThat(failureOf(
                        () -> {
                            throw broken;
                        },
                        restored,
                        true))
                .isSameAs(broken)
                .satisfies(failure -> assertThat(failure.getSuppressed())
                        .extracting(Throwable::getMessage)
                        .containsExactly("third", "second"));
        assertThat(restored).containsExactly("third", "second", "first");
    }

    @Test
    void aCarrierThatIsABeanIsThatOfEveryAdapter() {
        runner().withBean(ContextCarrier.class, PropagatedContext::none)
                .run(context -> assertThat(context.getBean(HttpSections.class).find("rest-template"))
                        .isNotNull()
                        .satisfies(section ->
                                assertThat(section.core().contextCarrier()).isSameAs(PropagatedContext.none())));
        runner().run(context -> assertThat(context.getBean(HttpSections.class).find("rest-template"))
                .isNotNull()
                .satisfies(
                        section -> assertThat(section.core().contextCarrier()).isNull()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"io.micrometer.context", "io.micrometer"})
    void withoutTheLibraryNothingIsMissed(String missing) {
        runner().withClassLoader(new FilteredClassLoader(missing))
                .run(context -> assertThat(context).hasNotFailed());
    }

    private static ApplicationContextRunner runner() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(CollapseExecutorAutoConfiguration.class))
                .withPropertyValues("collapse.executor.rest-template.collapse-groups[0].uris=/user/*");
    }
}
