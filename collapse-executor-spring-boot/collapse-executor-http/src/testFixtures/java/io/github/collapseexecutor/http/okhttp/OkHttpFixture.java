package io.github.collapseexecutor.http.okhttp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.Callers.Caller;
import io.github.collapseexecutor.http.fixture.OriginFixture;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin.Hold;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import okhttp3.Call;
import okhttp3.Callback;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.junit.jupiter.api.AfterEach;

/** An origin, callers, and clients of OkHttp that collapse all their calls. */
abstract class OkHttpFixture extends OriginFixture {

    @Override
    @AfterEach
    protected void close() throws IOException {
        callers.close();
        try {
            // no test leaves a response open
            await().untilAsserted(() -> assertThat(
                            OkHttpClients.PLAIN.connectionPool().idleConnectionCount())
                    .isEqualTo(OkHttpClients.PLAIN.connectionPool().connectionCount()));
        } finally {
            super.close(); // ends what a failed test has on the wire, so that the next finds nothing of it
        }
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

    /** Has OkHttp's own threads make a call. */
    static CompletableFuture<String> enqueue(Call call) {
        CompletableFuture<String> body = new CompletableFuture<>();
        call.enqueue(new Callback() {
            @Override
            public void onFailure(Call failed, IOException e) {
                body.completeExceptionally(e);
            }

            @Override
            public void onResponse(Call answered, Response response) throws IOException {
                try (response) {
                    body.complete(response.body().string());
                }
            }
        });
        return body;
    }

    /** A leader that is held at the origin, and followers that have joined it. */
    List<Caller<String>> gatheredCalls(Hold hold, List<Call> calls) throws InterruptedException {
        List<Callable<String>> bodies = new ArrayList<>();
        calls.forEach(call -> bodies.add(() -> bodyOf(call)));
        return gathered(hold, bodies);
    }

    List<String> bodiesOfTwo(Supplier<Call> calls) throws Exception {
        return together(times(2, () -> bodyOf(calls.get())));
    }
}
