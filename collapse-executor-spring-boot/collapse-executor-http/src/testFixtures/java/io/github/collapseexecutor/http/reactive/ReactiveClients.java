package io.github.collapseexecutor.http.reactive;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.Callers.AsyncCall;
import io.github.collapseexecutor.http.fixture.TestClient;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.springframework.http.HttpMethod;
import org.springframework.http.client.reactive.ClientHttpConnector;
import org.springframework.http.client.reactive.JdkClientHttpConnector;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/** Spring's WebClient over two transports, as the suite sees it. */
final class ReactiveClients {

    static final ClientHttpConnector REACTOR_NETTY = new ReactorClientHttpConnector();
    static final ClientHttpConnector JDK_CLIENT = new JdkClientHttpConnector();

    private ReactiveClients() {}

    /** A client that collapses by its filter. */
    static TestClient withFilter(ClientHttpConnector transport, HttpCollapseOptions http, CollapseOptions core) {
        return testClient(WebClient.builder()
                .clientConnector(watched(transport))
                .filter(new CollapseExchangeFilterFunction(http, core)));
    }

    /** A client that collapses by its connector. */
    static TestClient withConnector(ClientHttpConnector transport, HttpCollapseOptions http, CollapseOptions core) {
        return testClient(
                WebClient.builder().clientConnector(new CollapseClientHttpConnector(watched(transport), http, core)));
    }

    /** The transport tells who has sent a request, by the context of the subscriber whose request it is. */
    private static ClientHttpConnector watched(ClientHttpConnector transport) {
        return new WatchedConnector(
                transport, context -> context.<AsyncCall>get(AsyncCall.class).sent(), () -> {});
    }

    private static TestClient testClient(WebClient.Builder builder) {
        WebClient client = builder.codecs(codecs -> codecs.defaultCodecs().maxInMemorySize(-1))
                .build();
        return request -> {
            WebClient.RequestBodySpec spec =
                    client.method(HttpMethod.valueOf(request.method())).uri(request.uri());
            request.headers().forEach(header -> spec.header(header.getKey(), header.getValue()));
            if (!request.body().isEmpty()) {
                spec.bodyValue(request.body());
            }
            try (AsyncCall call = AsyncCall.begin()) {
                return await(
                        spec.exchangeToMono(ReactiveClients::read).contextWrite(Context.of(AsyncCall.class, call)),
                        call);
            }
        };
    }

    private static TestClient.Response await(Mono<TestClient.Response> response, AsyncCall call) throws Exception {
        CompletableFuture<TestClient.Response> future = response.toFuture();
        call.submitted();
        try {
            return future.get(60, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            future.cancel(true);
            throw e;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception failure ? failure : e;
        }
    }

    private static Mono<TestClient.Response> read(ClientResponse response) {
        Map<String, List<String>> headers = TestClient.Response.newHeaders();
        response.headers()
                .asHttpHeaders()
                .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), new ArrayList<>(values)));
        return response.bodyToMono(byte[].class)
                .defaultIfEmpty(new byte[0])
                .map(body -> new TestClient.Response(
                        response.statusCode().value(), "", headers, new String(body, StandardCharsets.UTF_8)));
    }
}
