package io.github.collapseexecutor.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.http.fixture.Callers.Caller;
import io.github.collapseexecutor.http.fixture.OriginFixture;
import io.github.collapseexecutor.http.fixture.OriginReply;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin.Hold;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.http.HttpMethod;
import org.springframework.http.client.BufferingClientHttpRequestFactory;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.http.client.ReactorClientHttpRequestFactory;
import org.springframework.web.client.RestTemplate;

/** Bodies that break off in another way than by an IOException of their stream: by an unchecked exception, or when they are asked for. */
class BrokenBodiesTests extends OriginFixture {

    static List<ClientHttpRequestFactory> transports() {
        return List.of(
                new ReactorClientHttpRequestFactory(),
                new BufferingClientHttpRequestFactory(new JdkClientHttpRequestFactory()),
                new BufferingClientHttpRequestFactory(new ReactorClientHttpRequestFactory()));
    }

    private static RestTemplate collapsing(ClientHttpRequestFactory transport) {
        return new RestTemplate(
                new CollapseClientHttpRequestFactory(transport, everything().build(), IN_FLIGHT));
    }

    /** What a reader gets, which is asked before the body: of some transports the response fails to close, too. */
    private List<Object> outcome(RestTemplate client) {
        List<Object> outcome = new ArrayList<>();
        try {
            client.execute(origin.uri("/a"), HttpMethod.GET, null, response -> {
                outcome.add(response.getStatusCode().value());
                outcome.add(response.getStatusText());
                return outcome.add(response.getBody().readAllBytes().length);
            });
        } catch (RuntimeException failure) {
            outcome.add(failure.getClass());
        }
        return outcome;
    }

    @ParameterizedTest
    @MethodSource("transports")
    void H43_aBodyThatBreaksOffFailsItsReaderAndNotTheCall(ClientHttpRequestFactory transport) throws Exception {
        origin.answer(request -> OriginReply.ok("half").truncated());
        RestTemplate client = collapsing(transport);
        List<Object> plain = outcome(new RestTemplate(transport));
        assertThat(plain).hasSize(3).startsWith(200, "OK");
        for (Caller<List<Object>> caller : two(() -> outcome(client))) {
            assertThat(caller.get()).isEqualTo(plain);
        }
    }

    @ParameterizedTest
    @MethodSource("transports")
    void H22_aFollowerCallsAgainAfterABodyThatBroke(ClientHttpRequestFactory transport) throws Exception {
        origin.answer(request ->
                origin.requests().size() == 1 ? OriginReply.ok("half").truncated() : OriginReply.ok("body"));
        RestTemplate client = collapsing(transport);
        Hold hold = origin.hold();
        Caller<String> leader = callers.start(() -> client.getForObject(origin.uri("/a"), String.class));
        hold.await(1);
        Caller<String> follower = callers.start(() -> client.getForObject(origin.uri("/a"), String.class));
        follower.awaitJoined();
        origin.holdNoMore();
        hold.release();
        assertThat(follower.get()).isEqualTo("body");
        assertThat(leader.failure()).isNotNull();
        assertThat(origin.requests()).hasSize(2);
    }
}
