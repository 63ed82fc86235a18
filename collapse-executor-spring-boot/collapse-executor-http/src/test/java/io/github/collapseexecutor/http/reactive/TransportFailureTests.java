package io.github.collapseexecutor.http.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.LeaderFailurePolicy;
import io.github.collapseexecutor.http.fixture.FailureChain;
import io.github.collapseexecutor.http.fixture.OriginFixture;
import io.github.collapseexecutor.http.fixture.OriginReply;
import io.github.collapseexecutor.http.fixture.RefusedAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.client.reactive.ClientHttpConnector;
import org.springframework.http.client.reactive.JdkClientHttpConnector;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;

/**
 * Each way in which a transport can fail, each way to read a response, each connector and each policy: every caller that collapses, a leader and
 * followers, gets the exception classes that a client without the adapter gives, from the outermost to the root. Retry rules look at
 * these classes.
 */
class TransportFailureTests extends OriginFixture {

    private static final int CALLERS = 4;
    /** A transport may fail in more than one way. */
    private static final int PLAIN_TRIES = 25;

    private static final Duration TIMEOUT = Duration.ofMillis(50);

    /** How a caller reads. */
    private static final Map<String, Function<WebClient.RequestHeadersSpec<?>, Mono<?>>> READERS =
            new LinkedHashMap<>();

    static {
        READERS.put("retrieve", request -> request.retrieve().bodyToMono(String.class));
        READERS.put("exchange", request -> request.exchangeToMono(response -> response.bodyToMono(String.class)));
        READERS.put("entity", request -> request.retrieve().toEntity(String.class));
        READERS.put(
                "elements",
                request -> request.exchangeToFlux(response -> response.bodyToFlux(String.class))
                        .collectList());
        READERS.put(
                "buffers",
                request -> request.retrieve()
                        .bodyToFlux(DataBuffer.class)
                        .doOnNext(DataBufferUtils::release)
                        .then());
        READERS.put("JSON", request -> request.retrieve().bodyToMono(Map.class));
    }

    /** Only failures by time have a time-out: on a slow machine it would pass in the place of another failure. */
    private static Map<String, ClientHttpConnector> connectors(String failure) {
        Map<String, ClientHttpConnector> connectors = new LinkedHashMap<>();
        boolean hurried = failure.endsWith("in time");
        HttpClient netty = HttpClient.create();
        connectors.put(
                "Reactor Netty", new ReactorClientHttpConnector(hurried ? netty.responseTimeout(TIMEOUT) : netty));
        JdkClientHttpConnector ofTheJdk = new JdkClientHttpConnector();
        if (hurried) {
            ofTheJdk.setReadTimeout(TIMEOUT); // until the head is there
        }
        if (!failure.startsWith("no end of the body")) {
            connectors.put("JDK", ofTheJdk);
        }
        return connectors;
    }

    /** What the origin does, and where it is asked. */
    private Map<String, URI> failures(RefusedAddress refused) {
        Map<String, URI> failures = new LinkedHashMap<>();
        failures.put("connecting is refused", URI.create(refused.url("/a")));
        failures.put("no TLS", URI.create(origin.uri("/a").toString().replace("http:", "https:")));
        failures.put("reset before the head", origin.uri("/reset"));
        failures.put("no head in time", origin.uri("/silent"));
        failures.put("a head that cannot be read", origin.uri("/unreadable"));
        failures.put("broken off between chunks", origin.uri("/chunks"));
        failures.put("shorter than announced", origin.uri("/short"));
        failures.put("no end of the body in time", origin.uri("/stalled"));
        return failures;
    }

    private static OriginReply reply(String target) {
        OriginReply json = OriginReply.ok("[\"0123456789\"").with("Content-Type", "application/json");
        return switch (target) {
            case "/reset" -> OriginReply.reset();
            case "/unreadable" ->
                OriginReply.ok("x").with("Content-Length", "many").framedAsGiven();
            case "/chunks" -> json.truncated();
            case "/short" -> json.shorterThanAnnounced();
            case "/stalled" -> json.stalled();
            default -> json;
        };
    }

    private static List<String> outcome(Mono<?> call) throws Exception {
        return outcomeOf(call.toFuture());
    }

    /** Of as many callers at once, with collapsing and without: connections that are made side by side may fail in another way. */
    private static List<List<String>> outcomes(Supplier<Mono<?>> call) throws Exception {
        List<CompletableFuture<?>> callers = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            callers.add(call.get().toFuture());
        }
        List<List<String>> outcomes = new ArrayList<>();
        for (CompletableFuture<?> caller : callers) {
            outcomes.add(outcomeOf(caller));
        }
        return outcomes;
    }

    private static List<String> outcomeOf(CompletableFuture<?> call) throws Exception {
        return call.handle((value, failure) -> failure == null ? List.of("answered") : FailureChain.of(failure))
                .get(30, TimeUnit.SECONDS);
    }

    @Test
    void H43_aFailureKeepsItsClassAndItsCauses() throws Exception {
        origin.forgetRequests();
        origin.answer(request -> {
            if (request.target().equals("/silent")) {
                try {
                    TimeUnit.DAYS.sleep(1); // until the origin is closed
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
            return reply(request.target());
        });
        List<String> differences = new ArrayList<>();
        try (RefusedAddress refused = new RefusedAddress()) {
            for (Map.Entry<String, URI> failure : failures(refused).entrySet()) {
                for (Map.Entry<String, ClientHttpConnector> connector :
                        connectors(failure.getKey()).entrySet()) {
                    for (String reader : READERS.keySet()) {
                        compare(connector, failure, reader, differences);
                    }
                }
            }
        }
        assertThat(differences).isEmpty();
    }

    private static void compare(
            Map.Entry<String, ClientHttpConnector> connector,
            Map.Entry<String, URI> failure,
            String reader,
            List<String> differences)
            throws Exception {
        Function<WebClient, Mono<?>> call =
                client -> READERS.get(reader).apply(client.get().uri(failure.getValue()));
        WebClient.Builder plain = WebClient.builder().clientConnector(connector.getValue());
        Set<List<String>> expected = new LinkedHashSet<>();
        expected.add(outcome(call.apply(plain.build())));
        if (failure.getKey().startsWith("no end of the body")) { // on a slow machine, the head may be late as well
            URI silent = failure.getValue().resolve("/silent");
            expected.add(outcome(READERS.get(reader).apply(plain.build().get().uri(silent))));
        }
        for (LeaderFailurePolicy policy : List.of(LeaderFailurePolicy.RE_ELECT, LeaderFailurePolicy.SHARE)) {
            HttpCollapseOptions http = everything().onLeaderFailure(policy).build();
            Map<String, WebClient> collapsing = new LinkedHashMap<>();
            collapsing.put(
                    "filter",
                    plain.clone()
                            .filter(new CollapseExchangeFilterFunction(http, IN_FLIGHT))
                            .build());
            collapsing.put(
                    "connector",
                    plain.clone()
                            .clientConnector(new CollapseClientHttpConnector(connector.getValue(), http, IN_FLIGHT))
                            .build());
            for (Map.Entry<String, WebClient> client : collapsing.entrySet()) {
                List<List<String>> outcomes = outcomes(() -> call.apply(client.getValue()));
                for (int i = 0; i < CALLERS; i++) {
                    List<String> got = outcomes.get(i);
                    for (int again = 0; again < PLAIN_TRIES && !expected.contains(got); again++) {
                        expected.addAll(outcomes(() -> call.apply(plain.build())));
                    }
                    if (!expected.contains(got)) {
                        differences.add(connector.getKey() + ", " + failure.getKey() + ", " + reader + ", by the "
                                + client.getKey() + ", " + policy + ", caller " + i + ":\n    " + got
                                + "\n  and not\n    " + expected);
                    }
                }
            }
        }
    }
}
