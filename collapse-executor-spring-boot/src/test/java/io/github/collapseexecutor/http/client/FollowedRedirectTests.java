package io.github.collapseexecutor.http.client;

import static io.github.collapseexecutor.http.fixture.Callers.IN_FLIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.http.fixture.Callers.Caller;
import io.github.collapseexecutor.http.fixture.OriginFixture;
import io.github.collapseexecutor.http.fixture.OriginReply;
import java.net.http.HttpClient;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.http.client.BufferingClientHttpRequestFactory;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.web.client.RestTemplate;

/** H15: the transport follows a redirect by itself, so that only it has seen for whom that was. */
class FollowedRedirectTests extends OriginFixture {

    static Stream<ClientHttpRequestFactory> transports() {
        return Stream.of(
                new SimpleClientHttpRequestFactory(),
                new BufferingClientHttpRequestFactory(new SimpleClientHttpRequestFactory()),
                new JdkClientHttpRequestFactory(HttpClient.newBuilder()
                        .followRedirects(HttpClient.Redirect.NORMAL)
                        .build()));
    }

    @BeforeEach
    void redirect() {
        origin.answer(request -> request.target().equals("/a")
                ? OriginReply.status(302, "Found", "")
                        .with("Location", origin.uri("/b").toString())
                : OriginReply.ok(request.target()));
    }

    /** How many calls two callers of one address make of the address that answers them. */
    private long callsOf(String answering, RestTemplate template, String asked) throws Exception {
        long before = callsOf(answering);
        for (Caller<String> caller : two(() -> template.getForObject(origin.uri(asked), String.class))) {
            assertThat(caller.get()).isEqualTo(answering);
        }
        return callsOf(answering) - before;
    }

    private long callsOf(String target) {
        return origin.requests().stream()
                .filter(request -> request.target().equals(target))
                .count();
    }

    @ParameterizedTest
    @MethodSource("transports")
    void H15_aResponseThatCameByARedirectIsNotShared(ClientHttpRequestFactory transport) throws Exception {
        RestTemplate byInterceptor = new RestTemplate(transport);
        byInterceptor.setInterceptors(
                List.of(new CollapseHttpRequestInterceptor(everything().build(), IN_FLIGHT)));
        RestTemplate byFactory = new RestTemplate(
                new CollapseClientHttpRequestFactory(transport, everything().build(), IN_FLIGHT));
        for (RestTemplate template : List.of(byInterceptor, byFactory)) {
            assertThat(callsOf("/b", template, "/a")).as("each caller's own").isEqualTo(2);
            assertThat(callsOf("/c", template, "/c"))
                    .as("shared without a redirect")
                    .isEqualTo(1);
        }
    }
}
