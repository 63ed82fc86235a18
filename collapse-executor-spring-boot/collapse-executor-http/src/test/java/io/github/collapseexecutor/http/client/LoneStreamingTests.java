package io.github.collapseexecutor.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.OriginFixture;
import io.github.collapseexecutor.http.fixture.OriginReply;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.http.HttpMethod;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;

/** A caller that nobody joins gets its response as it comes (H38). */
class LoneStreamingTests extends OriginFixture {

    private static final String FIRST = "[{\"n\":1},";
    private static final HttpCollapseOptions ALL = everything().build();

    static List<RestTemplate> templates() {
        return List.of(
                byInterceptor(new SimpleClientHttpRequestFactory()),
                byInterceptor(new JdkClientHttpRequestFactory()),
                byFactory(new SimpleClientHttpRequestFactory()),
                byFactory(new JdkClientHttpRequestFactory()));
    }

    private static RestTemplate byInterceptor(ClientHttpRequestFactory transport) {
        RestTemplate template = new RestTemplate(transport);
        template.getInterceptors().add(new CollapseHttpRequestInterceptor(ALL, CollapseOptions.defaults()));
        return template;
    }

    private static RestTemplate byFactory(ClientHttpRequestFactory transport) {
        return new RestTemplate(new CollapseClientHttpRequestFactory(transport, ALL, CollapseOptions.defaults()));
    }

    private static String firstBytes(ClientHttpResponse response) throws IOException {
        return new String(response.getBody().readNBytes(FIRST.length()), StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @MethodSource("templates")
    void H38_theFirstBytesOfABodyWithoutAnEndComeAtOnce(RestTemplate template) throws Exception {
        origin.answer(request ->
                OriginReply.ok(FIRST).with("Content-Type", "application/json").stalled());
        CompletableFuture<String> first = new CompletableFuture<>();
        callers.start(() -> template.execute(
                origin.uri("/events"), HttpMethod.GET, null, response -> first.complete(firstBytes(response))));
        assertThat(first.get(30, TimeUnit.SECONDS)).isEqualTo(FIRST);
        CompletableFuture<String> second = new CompletableFuture<>();
        RestClient client = RestClient.create(template);
        callers.start(() -> client.get()
                .uri(origin.uri("/events?again"))
                .exchange((request, response) -> second.complete(firstBytes(response)), false));
        assertThat(second.get(30, TimeUnit.SECONDS)).isEqualTo(FIRST);
    }

    @ParameterizedTest
    @MethodSource("templates")
    void H38_aCallerThatReadsTheStatusOnlyIsNotFailedByATruncatedBody(RestTemplate template) throws Exception {
        origin.answer(request -> OriginReply.ok("half").truncated());
        assertThat(Objects.requireNonNull(template.execute(
                                origin.uri("/a"), HttpMethod.GET, null, ClientHttpResponse::getStatusCode))
                        .value())
                .isEqualTo(200);
        assertThat(RestClient.create(template)
                        .get()
                        .uri(origin.uri("/b"))
                        .retrieve()
                        .toBodilessEntity()
                        .getStatusCode()
                        .value())
                .isEqualTo(200);
    }
}
