package io.github.collapseexecutor.http.hc5;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** An origin, callers, and clients that collapse all their requests. */
abstract class ApacheClientSuite {

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
        origin.close(); // a thread that reads from it cannot be interrupted
        // no test leaves a connection leased
        await().untilAsserted(() ->
                assertThat(ApacheClients.POOL.getTotalStats().getLeased()).isZero());
        ApacheClients.POOL.closeExpired();
    }

    static HttpCollapseOptions.Builder everything() {
        return HttpCollapseOptions.builder().rules(List.of(CollapseRule.of(CollapsePolicy.strict(), "/**")));
    }

    /** Joins calls in flight. */
    static CollapseExecChainHandler handler() {
        return new CollapseExecChainHandler(everything().build(), IN_FLIGHT);
    }

    static CloseableHttpClient collapsing(HttpClientBuilder client) {
        return ApacheClients.collapsing(client, handler()).build();
    }

    static CloseableHttpClient collapsing() {
        return collapsing(ApacheClients.builder());
    }

    /** A client of which a lone caller cannot be joined. */
    static CloseableHttpClient fresh() {
        return ApacheClients.collapsing(
                        ApacheClients.builder(),
                        new CollapseExecChainHandler(everything().build()))
                .build();
    }

    HttpGet get(String target) {
        return new HttpGet(origin.uri(target));
    }

    /** What an application does with a response. */
    static String bodyOf(CloseableHttpClient client, HttpGet request) throws IOException {
        return client.execute(request, response -> {
            String body = response.getEntity() == null ? "" : EntityUtils.toString(response.getEntity());
            return response.getCode() == 200 ? body : response.getCode() + " " + body;
        });
    }

    String bodyOf(CloseableHttpClient client) throws IOException {
        return bodyOf(client, get("/a"));
    }

    /** A leader that is held at the origin, and followers that have joined it. */
    <T> List<Caller<T>> gathered(Hold hold, List<Callable<T>> calls) throws InterruptedException {
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
        return gathered;
    }

    static <T> List<T> resultsOf(List<Caller<T>> callers) throws Exception {
        List<T> results = new ArrayList<>();
        for (Caller<T> caller : callers) {
            results.add(caller.get());
        }
        return results;
    }

    /** The others have joined the first. */
    <T> List<T> together(List<Callable<T>> calls) throws Exception {
        Hold hold = origin.hold();
        List<Caller<T>> gathered = gathered(hold, calls);
        origin.holdNoMore();
        hold.release();
        return resultsOf(gathered);
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
        return resultsOf(started);
    }
}
