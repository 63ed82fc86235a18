package io.github.collapseexecutor.sample.springboot;

import static java.util.Objects.requireNonNull;

import java.net.URI;
import java.util.List;
import org.springframework.stereotype.Component;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.reactive.function.client.WebClient;

/** What the demonstration shows: each adapter beside the same client, or server, without it. */
@Component
class Scenarios {

    private static final Callers ONE_EACH = new Callers(50, 50, 20);
    private static final Callers HOT = new Callers(200, 2, 10);
    private static final Callers OF_SERVER = new Callers(400, 1, 10);

    // immutable
    private final List<Scenario> all;
    private final SampleAddresses addresses;
    private final StressTestController stress;

    Scenarios(
            RestTemplate restTemplate,
            RestTemplate plainRestTemplate,
            RestClient restClient,
            RestClient plainRestClient,
            WebClient webClient,
            WebClient plainWebClient,
            RestTemplateBatchGetExecutor batches,
            UserService users,
            StressTestController stress,
            SampleAddresses addresses) {
        this.addresses = addresses;
        this.stress = stress;
        Callers.Question byRestTemplate = by(plainRestTemplate);
        this.all = List.of(
                new Scenario(
                        "1-50 one by one (RestTemplate)", ONE_EACH, byRestTemplate, by(restTemplate), users::calls),
                new Scenario(
                        "1-50 in batches (Support)",
                        ONE_EACH,
                        byRestTemplate,
                        id -> UserEntity.of(id).equals(batches.execute(id)),
                        users::calls),
                new Scenario("1-2 hot (RestTemplate)", HOT, byRestTemplate, by(restTemplate), users::calls),
                new Scenario("1-2 hot (RestClient)", HOT, by(plainRestClient), by(restClient), users::calls),
                new Scenario("1-2 hot (WebClient)", HOT, by(plainWebClient), by(webClient), users::calls),
                new Scenario(
                        "/test, 100 ms (Servlet)",
                        OF_SERVER,
                        ofServer(plainWebClient, "noop100"),
                        ofServer(plainWebClient, "collapse100"),
                        stress::runs));
    }

    List<Scenario> all() {
        return all;
    }

    private Callers.Question by(RestTemplate client) {
        return id -> UserEntity.of(id).equals(client.getForObject(addresses.user(id), UserEntity.class));
    }

    private Callers.Question by(RestClient client) {
        return id -> UserEntity.of(id)
                .equals(client.get().uri(addresses.user(id)).retrieve().body(UserEntity.class));
    }

    private Callers.Question by(WebClient client) {
        return id -> UserEntity.of(id).equals(get(client, addresses.user(id), UserEntity.class));
    }

    /** An answer is wrong if its run had begun before it was asked for. */
    private Callers.Question ofServer(WebClient client, String endpoint) {
        return id -> {
            long begunBefore = stress.runs();
            return requireNonNull(get(client, addresses.test(endpoint), Long.class)) > begunBefore;
        };
    }

    private static <T> T get(WebClient client, URI address, Class<T> type) {
        return requireNonNull(
                client.get().uri(address).retrieve().bodyToMono(type).block());
    }
}
