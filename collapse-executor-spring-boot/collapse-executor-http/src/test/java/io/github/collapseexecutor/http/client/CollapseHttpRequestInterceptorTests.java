package io.github.collapseexecutor.http.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.fixture.Callers.Caller;
import io.github.collapseexecutor.http.fixture.OriginFixture;
import io.github.collapseexecutor.http.fixture.OriginReply;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin.Hold;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.http.client.support.BasicAuthenticationInterceptor;
import org.springframework.web.client.HttpClientErrorException;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestClientException;
import org.springframework.web.client.RestTemplate;

/** What is particular to Spring's clients: converters, error handlers, chains of interceptors, responses. */
class CollapseHttpRequestInterceptorTests extends OriginFixture {

    private static CollapseHttpRequestInterceptor interceptor(CollapsePolicy policy) {
        return new CollapseHttpRequestInterceptor(everything(policy).build(), IN_FLIGHT);
    }

    private static RestTemplate template(ClientHttpRequestInterceptor... interceptors) {
        RestTemplate template = new RestTemplate(new SimpleClientHttpRequestFactory());
        template.setInterceptors(List.of(interceptors));
        return template;
    }

    @Test
    void convertersReadASharedResponse() throws Exception {
        origin.answer(request -> OriginReply.ok("gr\u00fc\u00dfe").with("Content-Type", "text/plain;charset=UTF-8"));
        RestTemplate template = template(interceptor(CollapsePolicy.strict()));
        for (Caller<ResponseEntity<String>> caller : two(() -> template.getForEntity(origin.uri("/a"), String.class))) {
            assertThat(caller.get().getBody()).isEqualTo("gr\u00fc\u00dfe");
            assertThat(caller.get().getStatusCode()).isEqualTo(HttpStatus.OK);
        }
        assertThat(origin.requests()).hasSize(1);
    }

    @Test
    void errorHandlersSeeASharedError() throws Exception {
        origin.answer(request -> OriginReply.status(404, "Not Here", "nothing"));
        RestTemplate template = template(interceptor(CollapsePolicy.strict()));
        for (Caller<String> caller : two(() -> {
            try {
                return String.valueOf(template.getForObject(origin.uri("/a"), String.class));
            } catch (HttpClientErrorException.NotFound e) {
                return e.getStatusText() + ": " + e.getResponseBodyAsString();
            }
        })) {
            assertThat(caller.get()).isEqualTo("Not Here: nothing");
        }
        assertThat(origin.requests()).hasSize(1);
    }

    @Test
    void responsesWithoutABodyAreShared() throws Exception {
        origin.answer(request -> request.method().equals("HEAD")
                ? OriginReply.status(404, "Not Found", "unseen").with("X-Own", "1")
                : OriginReply.status(204, "No Content", ""));
        RestClient client = RestClient.builder()
                .requestInterceptor(interceptor(CollapsePolicy.strict()))
                .build();
        for (Caller<ResponseEntity<Void>> caller :
                two(() -> client.get().uri(origin.uri("/a")).retrieve().toBodilessEntity())) {
            assertThat(caller.get().getStatusCode()).isEqualTo(HttpStatus.NO_CONTENT);
        }
        for (Caller<ResponseEntity<Void>> caller : two(() -> client.head()
                .uri(origin.uri("/a"))
                .retrieve()
                .onStatus(status -> true, (request, response) -> {})
                .toBodilessEntity())) {
            assertThat(caller.get().getHeaders().getFirst("X-Own")).isEqualTo("1");
        }
        assertThat(origin.requests()).hasSize(2);
    }

    @Test
    void H22_aFailureOfTheTransportKeepsItsType() {
        RestTemplate template = template(interceptor(CollapsePolicy.strict()));
        origin.answer(request -> OriginReply.ok("half").truncated());
        for (RestTemplate each : List.of(new RestTemplate(), template)) {
            assertThatExceptionOfType(RestClientException.class)
                    .isThrownBy(() -> each.getForObject(origin.uri("/a"), String.class))
                    .withCauseInstanceOf(IOException.class)
                    .isExactlyInstanceOf(RestClientException.class); // while the body is read
        }
    }

    @Test
    void H28_aChangeThatOneReceiverMakesToItsResponseIsSeenByNobodyElse() throws Exception {
        origin.answer(request -> OriginReply.ok("body").with("X-Own", "1"));
        CollapseHttpRequestInterceptor interceptor = interceptor(CollapsePolicy.strict());
        List<ClientHttpResponse> responses = new ArrayList<>();
        RestTemplate template = template(interceptor);
        for (Caller<ClientHttpResponse> caller : two(() -> Objects.requireNonNull(
                template.execute(origin.uri("/a"), HttpMethod.GET, request -> {}, response -> response)))) {
            responses.add(caller.get());
        }
        ClientHttpResponse one = responses.get(0);
        ClientHttpResponse other = responses.get(1);
        one.getHeaders().set("X-Own", "2");
        one.getHeaders().add("X-More", "3");
        assertThat(new String(one.getBody().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("body");
        one.close();
        assertThat(other.getHeaders().getFirst("X-Own")).isEqualTo("1");
        assertThat(other.getHeaders().getFirst("X-More")).isNull();
        assertThat(other.getHeaders().getContentLength()).isEqualTo(4);
        assertThat(other.getStatusText()).isEqualTo("OK");
        assertThat(new String(other.getBody().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("body");
    }

    @Test
    void H28_valuesOfASharedHeaderCanBeAddedTo() throws Exception {
        origin.answer(request -> OriginReply.ok("body").with("Link", "a"));
        RestTemplate template = template(interceptor(CollapsePolicy.strict()));
        for (Caller<HttpHeaders> caller : two(() -> {
            HttpHeaders headers = Objects.requireNonNull(
                    template.execute(origin.uri("/a"), HttpMethod.GET, request -> {}, ClientHttpResponse::getHeaders));
            headers.add("Link", "b");
            return headers;
        })) {
            assertThat(caller.get().getValuesAsList("Link")).containsExactly("a", "b");
        }
    }

    @Test
    void interceptorsBeforeSeeEveryRequest() throws Exception {
        AtomicInteger before = new AtomicInteger();
        RestTemplate template = template(counting(before), interceptor(CollapsePolicy.strict()));
        for (Caller<String> caller : two(() -> String.valueOf(template.getForObject(origin.uri("/a"), String.class)))) {
            caller.get();
        }
        assertThat(before).hasValue(2);
        assertThat(origin.requests()).hasSize(1);
    }

    @Test
    void anotherClientsInterceptorHasTheSameOptionsAndSharesNothing() throws Exception {
        CollapseHttpRequestInterceptor interceptor = interceptor(CollapsePolicy.strict());
        RestTemplate one = template(interceptor);
        RestTemplate other = template(interceptor.forAnotherClient());
        Hold hold = origin.hold();
        Caller<String> leader = callers.start(() -> one.getForObject(origin.uri("/a"), String.class));
        hold.await(1);
        Caller<String> otherLeader = callers.start(() -> other.getForObject(origin.uri("/a"), String.class));
        hold.await(1);
        Caller<String> follower = callers.start(() -> other.getForObject(origin.uri("/a"), String.class));
        follower.awaitJoined();
        hold.release();
        assertThat(List.of(leader.get(), otherLeader.get(), follower.get())).containsOnly("/a");
        assertThat(origin.requests()).hasSize(2);
    }

    private static ClientHttpRequestInterceptor counting(AtomicInteger count) {
        return (request, body, execution) -> {
            count.incrementAndGet();
            return execution.execute(request, body);
        };
    }

    @Test
    void H39_headersWithoutAValueAreSharedAndTellRequestsApart() throws Exception {
        RestTemplate template = template(
                (request, body, execution) -> {
                    request.getHeaders().add("X-T", null);
                    return execution.execute(request, body);
                },
                interceptor(CollapsePolicy.strict()));
        for (Caller<String> caller : two(() -> String.valueOf(template.getForObject(origin.uri("/a"), String.class)))) {
            assertThat(caller.get()).isEqualTo("/a");
        }
        assertThat(origin.requests()).hasSize(1);
        assertThat(origin.requests().get(0).header("X-T")).isEmpty();
    }

    @Test
    void H05_credentialsThatAreAddedBeforeTheInterceptorArePartOfTheKey() throws Exception {
        RestTemplate template =
                template(new BasicAuthenticationInterceptor("user", "word"), interceptor(CollapsePolicy.strict()));
        for (Caller<String> caller : two(() -> String.valueOf(template.getForObject(origin.uri("/a"), String.class)))) {
            caller.get();
        }
        assertThat(origin.requests()).hasSize(1);
    }

    @Test
    void H01_aRequestWithABodyIsSentAsItIs() {
        origin.answer(request -> OriginReply.ok(request.method()));
        RestTemplate template = template(interceptor(CollapsePolicy.strict()));
        assertThat(template.postForObject(origin.uri("/a"), "body", String.class))
                .isEqualTo("POST");
    }

    @Test
    void H27_aResponseOverTheLimitBehavesLikeAnyOther() {
        origin.answer(request -> OriginReply.ok("too large").with("X-Own", "1").chunked());
        RestTemplate template = template(
                new CollapseHttpRequestInterceptor(everything().maxBodySize(3).build(), CollapseOptions.defaults()));
        ResponseEntity<String> response = template.getForEntity(origin.uri("/a"), String.class);
        assertThat(response.getBody()).isEqualTo("too large");
        assertThat(response.getHeaders().getFirst("X-Own")).isEqualTo("1");
    }
}
