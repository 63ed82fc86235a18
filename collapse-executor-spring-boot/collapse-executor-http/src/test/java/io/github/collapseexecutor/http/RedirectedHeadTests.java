package io.github.collapseexecutor.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.http.client.CollapseClientHttpRequestFactory;
import io.github.collapseexecutor.http.client.CollapseHttpRequestInterceptor;
import io.github.collapseexecutor.http.fixture.OriginFixture;
import io.github.collapseexecutor.http.fixture.OriginReply;
import io.github.collapseexecutor.http.jdk.CollapseHttpClient;
import io.github.collapseexecutor.http.reactive.CollapseClientHttpConnector;
import io.github.collapseexecutor.http.reactive.CollapseExchangeFilterFunction;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpMethod;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.http.client.reactive.JdkClientHttpConnector;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.WebClient;

/** The JDK's client asks by GET for what a HEAD is redirected to by a 303, and shows the body. */
class RedirectedHeadTests extends OriginFixture {

    private static final HttpClient FOLLOWING =
            HttpClient.newBuilder().followRedirects(HttpClient.Redirect.ALWAYS).build();

    private static Callable<String> asking(HttpClient client, URI uri) {
        HttpRequest request = HttpRequest.newBuilder(uri)
                .method("HEAD", HttpRequest.BodyPublishers.noBody())
                .build();
        return () -> client.send(request, BodyHandlers.ofString()).body();
    }

    private static Callable<String> asking(RestClient.Builder client, URI uri) {
        RestClient built = client.build();
        return () -> built.method(HttpMethod.HEAD)
                .uri(uri)
                .exchange((request, response) -> new String(response.getBody().readAllBytes(), StandardCharsets.UTF_8));
    }

    private static Callable<String> asking(WebClient.Builder client, URI uri) {
        WebClient built = client.build();
        return () -> built.head()
                .uri(uri)
                .retrieve()
                .bodyToMono(String.class)
                .toFuture()
                .get();
    }

    @Test
    void H39_aHeadThatIsRedirectedAsAGetHasTheBodyOfThatGet() throws Exception {
        HttpCollapseOptions http = everything().build();
        URI uri = origin.uri("/begin");
        JdkClientHttpRequestFactory factory = new JdkClientHttpRequestFactory(FOLLOWING);
        JdkClientHttpConnector connector = new JdkClientHttpConnector(FOLLOWING);
        Map<String, Callable<String>> ways = Map.of(
                "HttpClient",
                asking(new CollapseHttpClient(FOLLOWING, http, IN_FLIGHT), uri),
                "RestClient by interceptor",
                asking(
                        RestClient.builder()
                                .requestFactory(factory)
                                .requestInterceptor(new CollapseHttpRequestInterceptor(http, IN_FLIGHT)),
                        uri),
                "RestClient by request factory",
                asking(
                        RestClient.builder()
                                .requestFactory(new CollapseClientHttpRequestFactory(factory, http, IN_FLIGHT)),
                        uri),
                "WebClient by filter",
                asking(
                        WebClient.builder()
                                .clientConnector(connector)
                                .filter(new CollapseExchangeFilterFunction(http, IN_FLIGHT)),
                        uri),
                "WebClient by connector",
                asking(
                        WebClient.builder()
                                .clientConnector(new CollapseClientHttpConnector(connector, http, IN_FLIGHT)),
                        uri));
        origin.answer(request -> request.target().equals("/end")
                ? OriginReply.ok(request.method())
                : OriginReply.status(303, "See Other", "")
                        .with("Cache-Control", "max-age=60")
                        .with("Location", origin.uri("/end").toString()));
        assertThat(asking(FOLLOWING, uri).call()).isEqualTo("GET");
        for (Map.Entry<String, Callable<String>> way : ways.entrySet()) {
            assertThat(resultsOf(callers.start(5, way.getValue())))
                    .as(way.getKey())
                    .containsOnly("GET");
        }
    }
}
