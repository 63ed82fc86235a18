package io.github.collapseexecutor.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import io.github.collapseexecutor.core.AsyncCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.BlockingCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.BlockingCollapseExecutor;
import io.github.collapseexecutor.core.CollapseExecutors;
import io.github.collapseexecutor.core.CollapseListener;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.ExecutorClosedException;
import io.github.collapseexecutor.core.FutureCollapseExecutor;
import io.github.collapseexecutor.core.JoinMode;
import io.github.collapseexecutor.core.MissingKeyPolicy;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.spring.annotation.Collapsible;
import io.github.collapseexecutor.spring.annotation.CollapsingControl;
import io.github.collapseexecutor.spring.boot.endpoint.ShownByEndpoint;
import io.github.collapseexecutor.spring.boot.fixture.RecordingFailureAnalysisReporter;
import io.github.collapseexecutor.spring.boot.fixture.TestApplication;
import io.github.collapseexecutor.spring.boot.registry.HttpSections;
import io.github.collapseexecutor.spring.boot.registry.MadeExecutors;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

/** Executors that are configured by their names: what stands under {@code collapse.executor.executors}. */
class NamedExecutorsTests {

    private static final int CALLERS = 4;

    /** All callers of users are in one batch, which starts when the last has come. */
    private static final String YAML = """
            collapse:
              executor:
                max-batch-size: 70
                executors:
                  users:
                    wait-threshold: 4
                    collecting-wait-time: 10m
                    max-pending: 40
                  rest-template:
                    join: in-flight
                  "[names.byId]":
                    join: in-flight
                    max-batch-size: 7
                rest-template:
                  collapse-groups:
                    - uris: /user/*
                web-client:
                  collapse-groups:
                    - uris: /user/*
            management:
              endpoints.web.exposure.include: collapse
            """;

    private ConfigurableApplicationContext context;

    private ConfigurableApplicationContext start(Class<?>... configurations) {
        context = new TestApplication().alone().with(configurations).start(YAML);
        return context;
    }

    /** Starts an application that has all that Boot configures. */
    private ConfigurableApplicationContext startWhole(Class<?>... configurations) {
        context = new TestApplication().with(configurations).start(YAML);
        return context;
    }

    @AfterEach
    void close() {
        if (context != null) {
            context.close();
        }
    }

    /** Runs a call on four threads and returns what they got. */
    private static <T> List<T> together(Callable<T> call) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(CALLERS);
        try {
            List<Future<T>> answers = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                answers.add(threads.submit(call));
            }
            List<T> all = new ArrayList<>();
            for (Future<T> answer : answers) {
                all.add(answer.get(30, TimeUnit.SECONDS));
            }
            return all;
        } finally {
            threads.shutdownNow();
        }
    }

    @Nested
    class Options {

        @Test
        void anExecutorHasThoseOfItsNameAndElseThoseOfAll() {
            List<CollapseOptions> seen = new ArrayList<>();
            NamedExecutors executors = start().getBean(NamedExecutors.class);
            for (String name : List.of("users", "others")) {
                executors.make(name, options -> {
                    seen.add(options);
                    return new AsyncCallableGroupCollapseExecutor(options);
                });
            }
            assertThat(seen)
                    .extracting(
                            CollapseOptions::name,
                            CollapseOptions::maxBatchSize,
                            CollapseOptions::maxPending,
                            CollapseOptions::collectingWaitTime)
                    .containsExactly(
                            tuple("users", 70, 40, Duration.ofMinutes(10)),
                            tuple("others", 70, CollapseOptions.UNLIMITED, Duration.ZERO));
        }

        @Test
        void aSectionHasThoseOfItsName() {
            HttpSections sections = start().getBean(HttpSections.class);
            assertThat(sections.find("rest-template").core().joinMode()).isEqualTo(JoinMode.IN_FLIGHT);
            assertThat(sections.find("web-client").core().joinMode()).isEqualTo(JoinMode.FRESH);
            assertThat(sections.find("rest-template").core().maxBatchSize()).isEqualTo(70);
        }

        @Test
        void anAnnotatedMethodHasThoseOfItsNameUnlessTheAnnotationSaysOtherwise() {
            CollapsingControl control = startWhole(Names.class).getBean(CollapsingControl.class);
            assertThat(control.options("names.byId").maxBatchSize()).isEqualTo(7);
            assertThat(control.options("names.byId").joinMode()).isEqualTo(JoinMode.IN_FLIGHT);
            assertThat(control.options("names.fresh").maxBatchSize()).isEqualTo(70);
            assertThat(control.options("names.fresh").joinMode()).isEqualTo(JoinMode.FRESH);
        }

        @Test
        void aNameOfASectionIsRefused() {
            NamedExecutors executors = start().getBean(NamedExecutors.class);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> executors.make("servlet", AsyncCallableGroupCollapseExecutor::new))
                    .withMessageContaining("called servlet: choose another name than");
        }
    }

    @Nested
    class Beans {

        @Test
        void aNameThatNoBeanHasIsThatOfAnExecutorOfCallables() throws Exception {
            BlockingCallableGroupCollapseExecutor users = start(Injected.class).getBean(Injected.class).users;
            List<String> calls = new CopyOnWriteArrayList<>();
            assertThat(together(() -> users.execute("group", () -> {
                        calls.add("call");
                        return "answer";
                    })))
                    .containsOnly("answer")
                    .hasSize(CALLERS);
            assertThat(calls).hasSize(1);
        }

        @Test
        void itIsNoSecondCandidateBesideAnExecutorOfTheApplication() {
            start(Own.class, OfOwn.class);
            assertThat(context.getBean(OfOwn.class).executor).isSameAs(context.getBean("own"));
        }

        @Test
        void aBeanOfTheNameStays() {
            start(Users.class);
            assertThat(context.getBean("users")).isInstanceOf(BlockingCollapseExecutor.class);
            assertThat(context.getBean(MadeExecutors.class).names()).containsExactly("users");
        }

        @Test
        void anExecutorOfAFunctionGathersAsItsNameSays() throws Exception {
            BlockingCollapseExecutor<Integer, String> users = start(Users.class).getBean(Users.class).made;
            assertThat(together(() -> users.execute(1))).containsOnly("user 1");
            assertThat(context.getBean(Users.class).calls).containsExactly(List.of(1));
        }

        @Test
        void nobodyAsksForItSoItIsNotMade() {
            assertThat(start().getBean(MadeExecutors.class).names()).isEmpty();
        }

        @Test
        void allAreClosedWithTheContext() {
            BlockingCallableGroupCollapseExecutor users = start(Injected.class).getBean(Injected.class).users;
            context.close();
            assertThatThrownBy(() -> users.execute("group", () -> "answer"))
                    .isInstanceOf(ExecutorClosedException.class);
        }

        @Test
        void switchedOffEachInputIsABatchOfItsOwn() throws Exception {
            context = new TestApplication()
                    .alone()
                    .with(Users.class)
                    .arguments("--collapse.executor.enabled=false")
                    .start(YAML);
            Users users = context.getBean(Users.class);
            assertThat(together(() -> users.made.execute(1))).containsOnly("user 1");
            assertThat(users.calls).hasSize(CALLERS);
        }
    }

    @Nested
    class Observed {

        @Test
        void listenersMetersAndTheEndpointKnowIt() throws Exception {
            startWhole(Users.class, Listening.class, Registry.class);
            together(() -> context.getBean(Users.class).made.execute(1));
            assertThat(context.getBean(Listening.class).told).containsExactly("first of users", "second of users");
            assertThat(context.getBean(MeterRegistry.class)
                            .get("collapse.batches")
                            .tag("name", "users")
                            .timer()
                            .count())
                    .isEqualTo(1);
            Map<String, Object> shown = ShownByEndpoint.of(context, "users");
            assertThat(shown).containsKeys("settings", "now").doesNotContainKey("paused");
            assertThat(((Map<?, ?>) shown.get("settings")).get("maxPending")).isEqualTo(40L);
            Map<String, Object> all = ShownByEndpoint.all(context);
            assertThat(all.get("executors")).isEqualTo(Map.of("users", shown));
            severalOfOneNameAreAddedUp();
        }

        private void severalOfOneNameAreAddedUp() {
            List<CompletableFuture<Integer>> present = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                FutureCollapseExecutor<Integer, Integer> executor = context.getBean(NamedExecutors.class)
                        .make(
                                "pairs",
                                options ->
                                        CollapseExecutors.futureInOrder(inputs -> new CompletableFuture<>(), options));
                present.add(executor.execute(1));
            }
            Map<?, ?> shown = ShownByEndpoint.of(context, "pairs");
            assertThat(shown.get("now")).isEqualTo(Map.of("pending", 2, "gathering", 0, "inFlight", 2, "groups", 2));
            assertThat(context.getBean(MeterRegistry.class)
                            .get("collapse.in.flight")
                            .tag("name", "pairs")
                            .gauge()
                            .value())
                    .isEqualTo(2);
            assertThat(present).allSatisfy(call -> assertThat(call.cancel(true)).isTrue());
        }
    }

    @Nested
    @ExtendWith(OutputCaptureExtension.class)
    class Mistakes {

        @AfterEach
        void forgetTheReport() {
            RecordingFailureAnalysisReporter.take();
        }

        @ParameterizedTest
        @CsvSource({
            "users,            .users",
            "'\"[names.byId]\"', '[names.byId]'",
        })
        void aValueThatIsNotAllowedIsRefusedByItsProperty(String name, String property) {
            assertThat(new TestApplication()
                            .alone()
                            .failure("collapse.executor.executors: {" + name + ": {max-batch-size: 0}}"))
                    .contains("Property: collapse.executor.executors" + property + ".max-batch-size")
                    .contains("Value: \"0\"");
        }

        @Test
        void anUnknownKeyHasASuggestion() {
            assertThat(new TestApplication().failure("collapse.executor.executors: {users: {batch-size: 3}}"))
                    .contains("collapse.executor.executors.users has no key batch-size; did you mean max-batch-size?");
        }

        @ParameterizedTest
        @CsvSource({"'[{name: users, join: fresh}]'", "users"})
        void theNameIsTheKey(String executors) {
            assertThat(new TestApplication().failure("collapse.executor.executors: " + executors))
                    .contains("the name of an executor is its key")
                    .contains("\"users: {join: in-flight}\"");
        }

        @Test
        void aNameThatNothingHasIsWarnedOfOnce(CapturedOutput output) {
            context = new TestApplication()
                    .with(Names.class, Users.class, Search.class)
                    .start("""
                    collapse.executor.executors:
                      "[names.byIds]": {join: in-flight}
                      search: {join: in-flight}
                      servlet: {join: in-flight}
                      users: {join: in-flight}
                    """);
            assertThat(output.getAll())
                    .containsOnlyOnce(
                            "collapse.executor.executors[names.byIds] configures nothing: no executor has this name;"
                                    + " did you mean names.byId? Inject the bean")
                    .containsOnlyOnce("collapse.executor.executors.search configures nothing: the application gave this"
                            + " section its options itself. Change them there, or remove the property.")
                    .containsOnlyOnce(
                            "collapse.executor.executors.servlet.join (in-flight) has no effect: no request of"
                                    + " collapse.executor.servlet collapses.")
                    .doesNotContain("executors.users");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Injected {

        final BlockingCallableGroupCollapseExecutor users;

        Injected(@Qualifier("users") BlockingCallableGroupCollapseExecutor users) {
            this.users = users;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Own {

        @Bean
        BlockingCallableGroupCollapseExecutor own() {
            return new BlockingCallableGroupCollapseExecutor();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OfOwn {

        final BlockingCallableGroupCollapseExecutor executor;

        OfOwn(BlockingCallableGroupCollapseExecutor executor) {
            this.executor = executor;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Search {

        Search(CollapseSections sections) {
            String unused = sections.add(
                    "search", HttpCollapseOptions.builder(), CollapseOptions.defaults(), (http, core) -> "made");
        }
    }

    @Configuration("usersConfiguration")
    static class Users {

        // mutable, thread-safe
        final List<Collection<Integer>> calls = new CopyOnWriteArrayList<>();
        final BlockingCollapseExecutor<Integer, String> made;

        Users(NamedExecutors executors) {
            made = executors.make(
                    "users", options -> CollapseExecutors.blockingByKey(this::find, MissingKeyPolicy.FAILURE, options));
        }

        private Map<Integer, String> find(Collection<Integer> ids) {
            calls.add(List.copyOf(ids));
            return ids.stream().collect(Collectors.toMap(Function.identity(), id -> "user " + id));
        }

        @Bean
        BlockingCollapseExecutor<Integer, String> users() {
            return made;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Listening {

        // mutable, thread-safe
        final List<String> told = new CopyOnWriteArrayList<>();

        @Bean
        @Order(2)
        CollapseListener second() {
            return batch -> told.add("second of " + batch.executor());
        }

        @Bean
        @Order(1)
        CollapseListener first() {
            return batch -> told.add("first of " + batch.executor());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Registry {

        @Bean
        MeterRegistry registry() {
            return new SimpleMeterRegistry();
        }
    }

    @Configuration("names")
    static class Names {

        @Collapsible(name = "names.byId")
        public String byId(int id) {
            return "name " + id;
        }

        @Collapsible(name = "names.fresh", join = JoinMode.FRESH)
        public String fresh(int id) {
            return "name " + id;
        }
    }
}
