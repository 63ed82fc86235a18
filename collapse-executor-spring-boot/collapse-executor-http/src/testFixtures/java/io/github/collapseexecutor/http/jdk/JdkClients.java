package io.github.collapseexecutor.http.jdk;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.Callers.AsyncCall;
import io.github.collapseexecutor.http.fixture.TestClient;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** The client of the JDK as the suites see it. */
final class JdkClients {

    /** All clients of the tests have their pool of connections in common. */
    static final HttpClient PLAIN = HttpClient.newHttpClient();

    private JdkClients() {}

    static TestClient sending(HttpCollapseOptions http, CollapseOptions core) {
        return testClient(http, core, (client, request, call) -> {
            Thread thread = Thread.currentThread();
            call.submitting(() -> waitsIn(thread));
            return client.send(request, BodyHandlers.ofString());
        });
    }

    static TestClient sendingAsync(HttpCollapseOptions http, CollapseOptions core) {
        return testClient(http, core, (client, request, call) -> {
            CompletableFuture<HttpResponse<String>> response = client.sendAsync(request, BodyHandlers.ofString());
            call.submitted();
            try {
                return response.get(60, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                response.cancel(true);
                throw e;
            } catch (ExecutionException e) {
                throw e.getCause() instanceof Exception failure ? failure : e;
            }
        });
    }

    private interface Sending {
        HttpResponse<String> send(HttpClient client, HttpRequest request, AsyncCall call) throws Exception;
    }

    private static TestClient testClient(HttpCollapseOptions http, CollapseOptions core, Sending sending) {
        WatchedClient watched = new WatchedClient(PLAIN);
        HttpClient client = new CollapseHttpClient(watched, http, core, null);
        return asked -> {
            HttpRequest request = requestOf(asked);
            try (AsyncCall call = AsyncCall.begin()) {
                watched.watch(request, call);
                return responseOf(sending.send(client, request, call));
            }
        };
    }

    private static boolean waitsIn(Thread thread) {
        return Arrays.stream(thread.getStackTrace())
                .anyMatch(frame -> frame.getClassName().equals(CollapseHttpClient.class.getName())
                        && frame.getMethodName().equals("await"));
    }

    private static HttpRequest requestOf(TestClient.Request asked) {
        HttpRequest.Builder request = HttpRequest.newBuilder(asked.uri());
        if (!asked.method().equals("GET") || !asked.body().isEmpty()) {
            request.method(
                    asked.method(),
                    asked.body().isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(asked.body()));
        }
        asked.headers().forEach(header -> request.header(header.getKey(), header.getValue()));
        return request.build();
    }

    private static TestClient.Response responseOf(HttpResponse<String> response) {
        Map<String, List<String>> headers = TestClient.Response.newHeaders();
        response.headers().map().forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values));
        return new TestClient.Response(response.statusCode(), "", headers, response.body());
    }
}
