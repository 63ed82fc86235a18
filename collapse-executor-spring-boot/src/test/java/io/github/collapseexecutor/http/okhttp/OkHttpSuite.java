package io.github.collapseexecutor.http.okhttp;

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
import java.util.function.Supplier;
import okhttp3.Call;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** An origin, callers, and clients of OkHttp that collapse all their calls. */
abstract class OkHttpSuite {

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
        // no test leaves a response open
        await().untilAsserted(
                        () -> assertThat(OkHttpClients.PLAIN.connectionPool().idleConnectionCount())
                                .isEqualTo(OkHttpClients.PLAIN.connectionPool().connectionCount()));
        origin.close();
    }

    static HttpCollapseOptions.Builder everything() {
        return HttpCollapseOptions.builder().rules(List.of(CollapseRule.of(CollapsePolicy.strict(), "/**")));
    }

    static OkHttpClient.Builder collapsing() {
        return collapsing(everything().build());
    }

    static OkHttpClient.Builder collapsing(HttpCollapseOptions http) {
        return OkHttpClients.PLAIN.newBuilder().addInterceptor(new CollapseOkHttpInterceptor(http, IN_FLIGHT));
    }

    Request get(String target) {
        return new Request.Builder().url(origin.uri(target).toString()).build();
    }

    Call callOf(OkHttpClient client) {
        return client.newCall(get("/a"));
    }

    /** What an application does with a response. */
    static String bodyOf(Call call) throws IOException {
        try (Response response = call.execute()) {
            return response.body().string();
        }
    }

    /** A leader that is held at the origin, and followers that have joined it. */
    List<Caller<String>> gathered(Hold hold, List<Call> calls) throws InterruptedException {
        List<Callable<String>> bodies = new ArrayList<>();
        calls.forEach(call -> bodies.add(() -> bodyOf(call)));
        return gatheredBy(hold, bodies);
    }

    <T> List<Caller<T>> gatheredBy(Hold hold, List<Callable<T>> calls) throws InterruptedException {
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

    List<String> bodiesOfTwo(Supplier<Call> calls) throws Exception {
        Hold hold = origin.hold();
        List<Caller<String>> gathered = gathered(hold, List.of(calls.get(), calls.get()));
        origin.holdNoMore();
        hold.release();
        return List.of(gathered.get(0).get(), gathered.get(1).get());
    }
}
