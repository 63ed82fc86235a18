package io.github.collapseexecutor.http.feign;

import feign.Client;
import feign.Feign;
import feign.Param;
import feign.Request;
import feign.RequestLine;
import feign.Response;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.JoinMode;
import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.Callers;
import io.github.collapseexecutor.http.fixture.Callers.Caller;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin.Hold;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** An origin, Feign clients that collapse, and calls of them that meet or do not meet. */
abstract class FeignClientFixture {

    static final CollapseOptions IN_FLIGHT = CollapseOptions.builder()
            .joinMode(JoinMode.IN_FLIGHT)
            .maxWait(Duration.ofMinutes(10))
            .build();

    // mutable, confined to the test
    ScriptedOrigin origin;
    Callers callers;

    @BeforeEach
    void open() throws IOException {
        origin = ScriptedOrigin.start();
        callers = new Callers();
    }

    @AfterEach
    void close() throws IOException {
        callers.close();
        origin.close();
    }

    /** An interface as applications have it. */
    interface Users {

        @RequestLine("GET /user/{id}")
        String find(@Param("id") long id);

        @RequestLine("GET /user/{id}")
        String find(@Param("id") long id, Request.Options options);
    }

    static HttpCollapseOptions.Builder everything() {
        return HttpCollapseOptions.builder().rules(List.of(CollapseRule.of(CollapsePolicy.strict(), "/**")));
    }

    /** A client whose requests join calls in flight. */
    static Client collapsing(Client client) {
        return new CollapseFeignClient(client, everything().build(), IN_FLIGHT);
    }

    static Client collapsing() {
        return collapsing(FeignClients.PLAIN);
    }

    /** A client of which a lone caller cannot be joined. */
    static Client fresh() {
        return new CollapseFeignClient(FeignClients.PLAIN, everything().build());
    }

    String address() {
        return origin.uri("").toString();
    }

    Users users(Client client) {
        return Feign.builder().client(client).target(Users.class, address());
    }

    static Request request(String url, Map<String, Collection<String>> headers) {
        return Request.create(Request.HttpMethod.GET, url, headers, null, StandardCharsets.UTF_8, null);
    }

    Request get() {
        return request(origin.uri("/a").toString(), new TreeMap<>());
    }

    Request get(String name, String value) {
        return request(origin.uri("/a").toString(), new TreeMap<>(Map.of(name, List.of(value))));
    }

    static Response execute(Client client, Request request) throws IOException {
        return client.execute(request, FeignClients.OPTIONS);
    }

    /** Holds the first call at the origin until the others have joined it. */
    <T> List<T> together(List<Callable<T>> calls) throws Exception {
        Hold hold = origin.hold();
        List<Caller<T>> gathered = new ArrayList<>();
        for (Callable<T> call : calls) {
            Caller<T> caller = callers.start(call);
            gathered.add(caller);
            if (gathered.size() == 1) {
                hold.await(1);
            } else {
                caller.awaitJoined();
            }
        }
        origin.holdNoMore();
        hold.release();
        List<T> results = new ArrayList<>();
        for (Caller<T> caller : gathered) {
            results.add(caller.get());
        }
        return results;
    }

    /** The calls are at the origin at the same time. */
    <T> List<T> apart(List<Callable<T>> calls) throws Exception {
        Hold hold = origin.hold();
        List<Caller<T>> started = new ArrayList<>();
        for (Callable<T> call : calls) {
            started.add(callers.start(call));
            hold.await(1);
        }
        origin.holdNoMore();
        hold.release();
        List<T> results = new ArrayList<>();
        for (Caller<T> caller : started) {
            results.add(caller.get());
        }
        return results;
    }

    static int statusOf(Response response) {
        try (response) {
            return response.status();
        }
    }
}
