package io.github.collapseexecutor.spring.boot.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.AsyncCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.BlockingCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.FutureCallableGroupCollapseExecutor;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin;
import io.github.collapseexecutor.http.reactive.CollapseExchangeFilterFunction;
import io.micrometer.context.ContextRegistry;
import io.micrometer.context.integration.Slf4jThreadLocalAccessor;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.contextpropagation.ObservationThreadLocalAccessor;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.MDC;
import org.springframework.http.client.reactive.ClientHttpConnector;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** C13: of 1 000 concurrent callers, each with contexts of its own, none ever shows in another; nor in a batch, unless that is chosen. */
class CallerContextsTests {

    private static final int CALLERS = 1_000;
    private static final int GROUPS = 20;
    private static final String NOBODY = "null null null";
    private static final String USER = "test.user";

    private final ObservationRegistry observations = ObservationRegistry.create();
    private final ExecutorService batches = Executors.newFixedThreadPool(4);
    private final ThreadLocal<@Nullable String> subscriber = new ThreadLocal<>();
    /** What batches saw. */
    private final List<String> seen = new CopyOnWriteArrayList<>();

    @BeforeEach
    void register() {
        observations.observationConfig().observationHandler(context -> true);
        ContextRegistry.getInstance()
                .registerThreadLocalAccessor(new Slf4jThreadLocalAccessor())
                .registerThreadLocalAccessor(new ObservationThreadLocalAccessor(observations))
                .registerThreadLocalAccessor(USER, subscriber::get, subscriber::set, subscriber::remove);
    }

    @AfterEach
    void unregister() {
        ContextRegistry.getInstance().removeThreadLocalAccessor(Slf4jThreadLocalAccessor.KEY);
        ContextRegistry.getInstance().removeThreadLocalAccessor(USER);
        batches.shutdownNow();
    }

    /** The log's context, the user and the observation of the current thread. */
    private String present() {
        Authentication user = SecurityContextHolder.getContext().getAuthentication();
        Observation observation = observations.getCurrentObservation();
        return MDC.get("user") + " " + (user == null ? null : user.getName()) + " "
                + (observation == null ? null : observation.getContext().getName());
    }

    /** Calls as a user, on the current thread. */
    private String as(String name, Callable<String> call) throws Exception {
        String own = name + " " + name + " " + name;
        MDC.put("user", name);
        SecurityContextHolder.setContext(new SecurityContextImpl(new TestingAuthenticationToken(name, "")));
        Observation observation = Observation.start(name, observations);
        try {
            return observation.scopedChecked(() -> {
                assertThat(present()).isEqualTo(own);
                String answer = call.call();
                assertThat(present()).as("a caller keeps its own").isEqualTo(own);
                return answer;
            });
        } finally {
            observation.stop();
            SecurityContextHolder.clearContext();
            MDC.clear();
            assertThat(present()).isEqualTo(NOBODY);
        }
    }

    private void batch() {
        seen.add(present());
        MDC.put("user", "left behind by a batch");
        SecurityContextHolder.setContext(
                new SecurityContextImpl(new TestingAuthenticationToken("left behind by a batch", "")));
    }

    private static PropagatedContext carrier(String name) {
        return name.equals("none") ? PropagatedContext.none() : PropagatedContext.ofFirstCaller();
    }

    private static CollapseOptions options(String carrier) {
        return CollapseOptions.builder()
                .maxConcurrentBatches(2)
                .contextCarrier(carrier(carrier))
                .build();
    }

    private Call executor(String kind, CollapseOptions options) {
        return switch (kind) {
            case "blocking" -> {
                BlockingCallableGroupCollapseExecutor executor = new BlockingCallableGroupCollapseExecutor(options);
                yield group -> executor.execute(group, () -> {
                    batch();
                    return group;
                });
            }
            case "async" -> {
                AsyncCallableGroupCollapseExecutor executor = new AsyncCallableGroupCollapseExecutor(options);
                executor.setExecutor(batches);
                yield group -> executor.execute(group, () -> {
                            batch();
                            return group;
                        })
                        .get(60, TimeUnit.SECONDS);
            }
            default -> {
                FutureCallableGroupCollapseExecutor executor = new FutureCallableGroupCollapseExecutor(options);
                yield group -> executor.execute(group, () -> {
                            batch();
                            return Mono.just(group)
                                    .delayElement(Duration.ofMillis(1))
                                    .toFuture();
                        })
                        .get(60, TimeUnit.SECONDS);
            }
        };
    }

    private interface Call {
        String of(String group) throws Exception;
    }

    @ParameterizedTest
    @CsvSource({
        "blocking, none",
        "blocking, first",
        "async, none",
        "async, first",
        "future, none",
        "future, first",
    })
    void noContextShowsInAnotherCallersNorInABatchUnlessItIsTheChosenOne(String kind, String carrier) throws Exception {
        Call executor = executor(kind, options(carrier));
        List<Outcome> outcomes =
                Outcome.ofAll(CALLERS, caller -> as("user-" + caller, () -> executor.of("group-" + caller % GROUPS)));
        for (int caller = 0; caller < CALLERS; caller++) {
            assertThat(outcomes.get(caller)).isEqualTo(new Outcome("group-" + caller % GROUPS, null));
        }
        assertThat(seen).hasSizeBetween(GROUPS, CALLERS);
        if (carrier.equals("none")) {
            assertThat(seen).containsOnly(NOBODY);
        } else {
            assertThat(seen).allMatch(one -> one.matches("(user-\\d+) \\1 \\1"));
        }
    }

    /** What a caller got. */
    private record Outcome(
            @Nullable String answer, @Nullable Throwable failure) {

        private interface Caller {
            String call(int number) throws Exception;
        }

        /** Each on a thread of its own. */
        static List<Outcome> ofAll(int callers, Caller caller) throws InterruptedException {
            ConcurrentMap<Integer, Outcome> outcomes = new ConcurrentHashMap<>();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < callers; i++) {
                int number = i;
                Thread thread = new Thread(() -> outcomes.put(number, of(caller, number)));
                thread.setDaemon(true);
                threads.add(thread);
            }
            threads.forEach(Thread::start);
            for (Thread thread : threads) {
                thread.join(TimeUnit.SECONDS.toMillis(60));
            }
            return IntStream.range(0, callers).mapToObj(outcomes::get).toList();
        }

        private static Outcome of(Caller caller, int number) {
            try {
                return new Outcome(caller.call(number), null);
            } catch (Throwable failure) {
                return new Outcome(null, failure);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "first"})
    void theReactorContextOfWebClientsCallersIsTheirOwn(String carrier) throws IOException {
        try (ScriptedOrigin origin = ScriptedOrigin.start()) {
            askByWebClient(origin, carrier);
        }
    }

    private void askByWebClient(ScriptedOrigin origin, String carrier) {
        ConcurrentMap<String, String> sent = new ConcurrentHashMap<>();
        ClientHttpConnector connector = new ReactorClientHttpConnector();
        CollapseOptions allOfAGroup = options(carrier).toBuilder()
                .waitThreshold(CALLERS / GROUPS)
                .collectingWaitTime(Duration.ofMinutes(10))
                .build();
        WebClient client = WebClient.builder()
                .clientConnector((method, uri, request) -> {
                    String onThread = String.valueOf(subscriber.get());
                    return Mono.deferContextual(context -> {
                        sent.put(context.get(USER), onThread);
                        return connector.connect(method, uri, request);
                    });
                })
                .filter(new CollapseExchangeFilterFunction(HttpCollapseOptions.forPaths("/user/*"), allOfAGroup))
                .build();
        List<String> answers = Flux.range(0, CALLERS)
                .flatMap(
                        caller -> client.get()
                                .uri(origin.uri("/user/" + caller % GROUPS))
                                .retrieve()
                                .bodyToMono(String.class)
                                .map(body -> "answer")
                                .defaultIfEmpty("answer")
                                .flatMap(answer -> Mono.deferContextual(
                                        context -> Mono.just(answer + " for " + context.<String>get(USER))))
                                .map(answer -> caller + " " + answer)
                                .contextWrite(context -> context.put(USER, "user-" + caller)),
                        CALLERS)
                .collectList()
                .block(Duration.ofSeconds(60));
        assertThat(answers).hasSize(CALLERS).allMatch(answer -> answer.matches("(\\d+) answer for user-\\1"));
        assertThat(sent).hasSize(GROUPS);
        for (Map.Entry<String, String> request : sent.entrySet()) {
            assertThat(request.getValue())
                    .as("on the thread that sends for " + request.getKey())
                    .isEqualTo(carrier.equals("none") ? "null" : request.getKey());
        }
        assertThat(subscriber.get()).isNull();
    }

    @Test
    void withoutACarrierABlockingBatchHasTheContextOfItsLeader() throws Exception {
        BlockingCallableGroupCollapseExecutor executor =
                new BlockingCallableGroupCollapseExecutor(CollapseOptions.defaults());
        List<Outcome> outcomes = Outcome.ofAll(
                CALLERS,
                caller -> as(
                        "user-" + caller,
                        () -> executor.execute("group-" + caller % GROUPS, () -> {
                            seen.add(present());
                            return "answer";
                        })));
        assertThat(outcomes).containsOnly(new Outcome("answer", null));
        assertThat(seen).allMatch(one -> one.matches("(user-\\d+) \\1 \\1"));
    }
}
