package io.github.collapseexecutor.http.okhttp;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.TestClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import okhttp3.Headers;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;

/** OkHttp as the suites see it. */
final class OkHttpClients {

    /** All clients of the tests have their pool of connections in common. */
    static final OkHttpClient PLAIN =
            new OkHttpClient.Builder().readTimeout(Duration.ofMinutes(1)).build();

    private OkHttpClients() {}

    static TestClient collapsing(HttpCollapseOptions http, CollapseOptions core) {
        OkHttpClient client = PLAIN.newBuilder()
                .addInterceptor(new CollapseOkHttpInterceptor(http, core))
                .build();
        return request -> call(client, request);
    }

    static TestClient.Response call(OkHttpClient client, TestClient.Request request) {
        boolean needsBody = List.of("POST", "PUT").contains(request.method());
        Request.Builder sent = new Request.Builder()
                .url(request.uri().toString())
                .method(
                        request.method(),
                        needsBody || !request.body().isEmpty() ? RequestBody.create(request.body(), null) : null);
        request.headers().forEach(header -> sent.addHeader(header.getKey(), header.getValue()));
        try (Response response = client.newCall(sent.build()).execute()) {
            Map<String, List<String>> headers = TestClient.Response.newHeaders();
            Headers received = response.headers();
            received.names().forEach(name -> headers.put(name.toLowerCase(Locale.ROOT), received.values(name)));
            String body = request.method().equals("HEAD") ? "" : response.body().string();
            return new TestClient.Response(response.code(), response.message(), headers, body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
