package io.github.collapseexecutor.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.ContextCarrier;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.spring.annotation.CollapseBatch;
import io.github.collapseexecutor.spring.annotation.Collapsible;
import io.github.collapseexecutor.spring.annotation.CollapsingControl;
import io.github.collapseexecutor.spring.boot.fixture.TestApplication;
import io.github.collapseexecutor.spring.boot.observe.BatchContext;
import io.github.collapseexecutor.spring.boot.observe.CollapseObservationAutoConfiguration;
import io.github.collapseexecutor.spring.boot.observe.PropagatedContext;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.publisher.Mono;

/** Annotated methods in the endpoint, in the switch for an incident, and in observations: as the sections of HTTP adapters are. */
class AnnotatedMethodsSwitchTests {

    private static final int CALLERS = 4;

    /** All callers are in one batch, which starts when the last has come. */
    private static final String YAML = """
            collapse:
              executor:
                wait-threshold: 4
                collecting-wait-time: 10m
            management:
              endpoint.collapse.access: unrestricted
              endpoints.web.exposure.include: collapse
            """;

    static class Names {

        // mutable, thread-safe
        private final List<String> calls = new CopyOnWriteArrayList<>();

        /** Through the bean's proxy, which has no fields of its own. */
        public List<String> calls() {
            return calls;
        }

        @Collapsible
        public String name(long id) {
            calls.add("name " + id);
            return "name " + id;
        }

        @Collapsible
        public CompletableFuture<String> later(long id) {
            calls.add("later " + id);
            return CompletableFuture.completedFuture("later " + id);
        }

        @Collapsible
        public Mono<String> mono(long id) {
            return Mono.fromSupplier(() -> {
                calls.add("mono " + id);
                return "mono " + id;
            });
        }

        @CollapseBatch(method = "all", name = "pairs")
        public String one(Long id) {
            calls.add("alone " + id);
            return "alone " + id;
        }

        public Map<Long, String> all(Collection<Long> ids) {
            calls.add("batch");
            return ids.stream().collect(Collectors.toMap(Function.identity(), id -> "batch " + id));
        }

        @Collapsible
        public String broken(long id) {
            throw new UnsupportedOperationException("not for " + id);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Application {

        @Bean
        Names names() {
            return new Names();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Observed {

        // mutable, thread-safe
        final List<String> observed = new CopyOnWriteArrayList<>();

        @Bean
        ObservationRegistry observationRegistry() {
            ObservationRegistry registry = ObservationRegistry.create();
            registry.observationConfig().observationHandler(new ObservationHandler<>() {
                @Override
                public void onStop(Observation.Context context) {
                    observed.add(context.getName() + " "
                            + context.getLowCardinalityKeyValue("name").getValue());
                }

                @Override
                public boolean supportsContext(Observation.Context context) {
                    return context instanceof BatchContext;
                }
            });
            return registry;
        }
    }

    // mutable, confined to the test's thread
    private final ExecutorService threads = Executors.newFixedThreadPool(CALLERS);
    private final ConfigurableApplicationContext context = new TestApplication()
            .withServer()
            .with(Application.class, Observed.class)
            .start(YAML);
    private final Names names = context.getBean(Names.class);
    private final CollapseControl control = context.getBean(CollapseControl.class);

    @AfterEach
    void stop() {
        threads.shutdownNow();
        context.close();
    }

    /** Has all callers ask at once, and returns their answers. */
    private List<String> ask(Supplier<String> call) throws Exception {
        List<Future<String>> answers = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            answers.add(threads.submit(call::get));
        }
        List<String> all = new ArrayList<>();
        for (Future<String> answer : answers) {
            all.add(answer.get(30, TimeUnit.SECONDS));
        }
        return all;
    }

    private HttpResponse<String> send(String path, HttpRequest.Builder request) throws Exception {
        URI uri = URI.create("http://localhost:" + context.getEnvironment().getProperty("local.server.port")
                + "/actuator/collapse" + path);
        return HttpClient.newHttpClient().send(request.uri(uri).build(), HttpResponse.BodyHandlers.ofString());
    }

    private Map<String, Object> shown(String path) throws Exception {
        return JsonParserFactory.getJsonParser()
                .parseMap(send(path, HttpRequest.newBuilder()).body());
    }

    private HttpResponse<String> change(String path, String action) throws Exception {
        return send(
                path,
                HttpRequest.newBuilder()
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString("{\"action\": \"" + action + "\"}")));
    }

    private int post(String path, String action) throws Exception {
        return change(path, action).statusCode();
    }

    @Test
    void theEndpointShowsThemBesideTheSections() throws Exception {
        assertThat(ask(() -> names.name(7))).hasSize(CALLERS).containsOnly("name 7");
        assertThat(names.calls()).hasSize(1);
        assertThat(catchThrowable(() -> ask(() -> names.broken(7)))).hasMessageContaining("not for 7");
        Map<String, Object> all = shown("");
        assertThat(all).containsOnlyKeys("sections", "executors");
        assertThat(castToMap(all.get("executors")))
                .containsOnlyKeys("names.name", "names.later", "names.mono", "names.broken", "pairs");
        await().untilAsserted(
                        () -> { // callers may have their answers before the end of their batch is told
                            Map<String, Object> executor = shown("/names.name");
                            assertThat(executor)
                                    .containsEntry("paused", false)
                                    .containsEntry("saved", CALLERS - 1)
                                    .containsEntry("requests", CALLERS)
                                    .containsEntry("sent", 1)
                                    .containsEntry("calls", Map.of("leader", 1, "follower", CALLERS - 1))
                                    .containsEntry(
                                            "now", Map.of("pending", 0, "gathering", 0, "inFlight", 0, "groups", 0));
                            assertThat(castToMap(executor.get("settings")))
                                    .containsEntry("waitThreshold", 4)
                                    .doesNotContainKey("maxBodySize");
                            assertThat(castToMap(executor.get("batches"))).containsEntry("count", 1);
                            assertThat(shown("/names.broken").get("failures"))
                                    .asString()
                                    .contains("UnsupportedOperationException");
                        });
        assertThat(send("/names.broken", HttpRequest.newBuilder()).body())
                .as("nothing of a call")
                .doesNotContain("not for 7");
        aSectionOfTheSameNameComesFirst();
    }

    private void aSectionOfTheSameNameComesFirst() {
        String unused = context.getBean(CollapseSections.class)
                .add("pairs", HttpCollapseOptions.builder(), CollapseOptions.defaults(), (http, core) -> "made");
        control.pause("pairs");
        assertThat(control.isPaused("pairs")).isTrue();
        assertThat(context.getBean(CollapsingControl.class).isPaused("pairs")).isFalse();
    }

    @SuppressWarnings("unchecked") // JSON
    private static Map<String, Object> castToMap(Object value) {
        return (Map<String, Object>) value;
    }

    @Test
    void aPausedMethodRunsForEachCallerUntilItIsResumed() throws Exception {
        assertThat(JsonParserFactory.getJsonParser()
                        .parseMap(change("/names.name", "pause").body()))
                .as("the report of these methods")
                .containsEntry("paused", true)
                .containsKey("settings");
        assertThat(post("/pairs", "pause")).isEqualTo(200);
        control.pause("names.later");
        control.pause("names.mono");
        assertThat(control.isPaused("names.name")).isTrue();
        assertThat(control.isPaused("names.broken")).isFalse();
        assertThat(shown("/names.name")).containsEntry("paused", true);
        assertThat(names.name(1)).isEqualTo("name 1"); // and waits for no company
        assertThat(names.one(2L)).isEqualTo("alone 2");
        assertThat(names.later(3)).isCompletedWithValue("later 3");
        assertThat(names.mono(4).block()).isEqualTo("mono 4");
        for (String paused : List.of("names.name", "pairs", "names.later", "names.mono")) {
            assertThat(shown("/" + paused)).as(paused).containsEntry("notCollapsed", Map.of("paused", 1));
        }
        assertThat(post("/names.name", "resume")).isEqualTo(200);
        assertThat(post("/pairs", "resume")).isEqualTo(200);
        names.calls().clear();
        assertThat(ask(() -> names.name(5))).containsOnly("name 5");
        assertThat(ask(() -> names.one(6L))).containsOnly("batch 6");
        assertThat(names.calls()).containsExactly("name 5", "batch");
    }

    @Test
    void anAbsentNameIsRefused() throws Exception {
        assertThat(post("/names.other", "pause")).isEqualTo(400);
        assertThat(post("/pairs", "stop")).isEqualTo(400);
        assertThat(post("/pairs", "forget")).isEqualTo(400);
        assertThat(post("/pairs/0", "pause")).isEqualTo(400);
        assertThat(send("/names.other", HttpRequest.newBuilder()).statusCode()).isEqualTo(404);
        assertThat(control.executors())
                .containsExactlyInAnyOrder("names.name", "names.later", "names.mono", "names.broken", "pairs");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> control.pause("names.other"))
                .withMessageStartingWith("There is no section names.other: name one of ")
                .withMessageContaining("rest-template")
                .withMessageContaining("names.later");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> control.forgetPassingKeys("pairs"))
                .withMessage("pairs is the executor of annotated methods, which has neither groups nor passing keys");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> context.getBean(CollapsingControl.class).resume("servlet"))
                .withMessageStartingWith("There is no executor servlet of an annotated method: name one of ");
    }

    @Test
    void theirBatchesAreObserved_insideTheApplicationsOwnCarriers() throws Exception {
        assertThat(ask(() -> names.one(1L))).containsOnly("batch 1");
        List<String> observed = context.getBean(Observed.class).observed;
        await().untilAsserted(() -> assertThat(observed).containsExactly("collapse.observed.batches pairs"));
        try (ConfigurableApplicationContext another = new TestApplication()
                .with(Application.class, Observed.class)
                .with(beans -> beans.registerBean(ContextCarrier.class, PropagatedContext::none))
                .start("")) {
            assertThat(another.getBean(CollapsingControl.class).options("pairs").contextCarrier())
                    .hasToString(PropagatedContext.none() + " and then ObservedBatches[pairs]");
        }
        try (ConfigurableApplicationContext off = new TestApplication()
                .with(Application.class)
                .arguments("--spring.autoconfigure.exclude=" + CollapseObservationAutoConfiguration.class.getName())
                .start("")) {
            assertThat(off.getBean(CollapsingControl.class).options("pairs").contextCarrier())
                    .isNull();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"annotations.enabled: false", "annotations.enabled: 'off'", "enabled: 'no'"})
    void withoutAnnotatedMethodsThereAreNone(String setting) {
        try (ConfigurableApplicationContext off =
                new TestApplication().with(Application.class).start("collapse.executor." + setting)) {
            assertThat(off.getBean(CollapseControl.class).executors()).isEmpty();
        }
    }
}
