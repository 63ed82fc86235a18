package io.github.collapseexecutor.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.gate.OnEachLine;
import io.github.collapseexecutor.http.client.CollapseClientHttpRequestFactory;
import io.github.collapseexecutor.http.fixture.OriginFixture;
import io.github.collapseexecutor.http.fixture.OriginReply;
import io.github.collapseexecutor.http.reactive.CollapseClientHttpConnector;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.springframework.http.ResponseEntity;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.HttpComponentsClientHttpRequestFactory;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.http.client.JettyClientHttpRequestFactory;
import org.springframework.http.client.ReactorClientHttpRequestFactory;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.WebClient;

/** A header of two lines whose names differ in case: Spring over Reactor Netty lists it twice, each time with both values. */
@OnEachLine
class HeadersOfTwoCasesTests extends OriginFixture {

    private static final String NAME = "X-Multi";

    private static Callable<List<String>> asking(ClientHttpRequestFactory factory, URI uri) {
        RestClient client = RestClient.builder().requestFactory(factory).build();
        return () -> valuesOf(client.get().uri(uri).retrieve().toEntity(String.class));
    }

    private static Callable<List<String>> asking(WebClient.Builder client, URI uri) {
        WebClient built = client.build();
        return () -> valuesOf(built.get()
                .uri(uri)
                .retrieve()
                .toEntity(String.class)
                .toFuture()
                .get());
    }

    private static List<String> valuesOf(ResponseEntity<String> response) {
        return response.getHeaders().getValuesAsList(NAME);
    }

    @Test
    void H29_aHeaderOfTwoCasesHasEachValueOnce() throws Exception {
        origin.answer(request -> OriginReply.ok("body").with(NAME, "1").with("x-multi", "2"));
        HttpCollapseOptions http = everything().build();
        URI uri = origin.uri("/a");
        Map<String, ClientHttpRequestFactory> factories = Map.of(
                "HttpURLConnection", new SimpleClientHttpRequestFactory(),
                "JDK", new JdkClientHttpRequestFactory(),
                "Apache", new HttpComponentsClientHttpRequestFactory(),
                "Jetty", new JettyClientHttpRequestFactory(),
                "Netty", new ReactorClientHttpRequestFactory());
        for (Map.Entry<String, ClientHttpRequestFactory> factory : factories.entrySet()) {
            List<String> plain = asking(factory.getValue(), uri).call();
            Callable<List<String>> collapsing =
                    asking(new CollapseClientHttpRequestFactory(factory.getValue(), http, IN_FLIGHT), uri);
            assertThat(resultsOf(callers.start(5, collapsing)))
                    .as(factory.getKey())
                    .containsOnly(plain);
        }
        Callable<List<String>> byWebClient = asking(
                WebClient.builder()
                        .clientConnector(
                                new CollapseClientHttpConnector(new ReactorClientHttpConnector(), http, IN_FLIGHT)),
                uri);
        assertThat(resultsOf(callers.start(5, byWebClient))).containsOnly(List.of("1", "2"));
    }
}
