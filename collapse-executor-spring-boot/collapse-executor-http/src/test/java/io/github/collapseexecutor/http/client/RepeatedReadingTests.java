package io.github.collapseexecutor.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.Callers.Caller;
import io.github.collapseexecutor.http.fixture.OriginFixture;
import io.github.collapseexecutor.http.fixture.OriginReply;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin.Hold;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.client.BufferingClientHttpRequestFactory;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.HttpComponentsClientHttpRequestFactory;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.util.ReflectionUtils;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;

/** Bodies that are read more than once: an interceptor in front writes them to a log, and the caller still gets them (H39). */
class RepeatedReadingTests extends OriginFixture {

    private static final long LIMIT = 100;

    private final List<String> log = new CopyOnWriteArrayList<>();
    private final ClientHttpRequestInterceptor logging = (request, body, execution) -> {
        var response = execution.execute(request, body);
        log.add(new String(response.getBody().readAllBytes(), StandardCharsets.UTF_8));
        log.add(new String(response.getBody().readAllBytes(), StandardCharsets.UTF_8));
        return response;
    };

    private static CollapseHttpRequestInterceptor collapsing() {
        return new CollapseHttpRequestInterceptor(options(), IN_FLIGHT);
    }

    private static CollapseClientHttpRequestFactory collapsing(ClientHttpRequestFactory delegate) {
        return new CollapseClientHttpRequestFactory(delegate, options(), IN_FLIGHT);
    }

    private static HttpCollapseOptions options() {
        return everything().maxBodySize(LIMIT).build();
    }

    private static ClientHttpRequestFactory buffering(ClientHttpRequestFactory delegate) {
        return new BufferingClientHttpRequestFactory(delegate);
    }

    private static ClientHttpRequestFactory plain() {
        return new SimpleClientHttpRequestFactory();
    }

    private RestTemplate template(ClientHttpRequestFactory factory, ClientHttpRequestInterceptor... interceptors) {
        RestTemplate template = new RestTemplate(factory);
        template.setInterceptors(List.of(interceptors));
        return template;
    }

    /** Two callers of one batch and one alone: each of the three reads the body three times. */
    private void assertReadThreeTimes(RestTemplate template, String body) throws Exception {
        assertReadThreeTimes(template, body, OriginReply.ok(body).with("Content-Type", "text/plain"));
    }

    private void assertReadThreeTimes(RestTemplate template, String body, OriginReply reply) throws Exception {
        origin.answer(request -> reply);
        Hold hold = origin.hold();
        List<Caller<String>> all = new ArrayList<>();
        all.add(callers.start(() -> template.getForObject(origin.uri("/a"), String.class)));
        hold.await(1);
        Caller<String> follower = callers.start(() -> template.getForObject(origin.uri("/a"), String.class));
        follower.awaitJoined();
        all.add(follower);
        origin.holdNoMore();
        hold.release();
        for (Caller<String> caller : all) {
            assertThat(caller.get()).isEqualTo(body);
        }
        assertThat(template.getForObject(origin.uri("/a"), String.class)).isEqualTo(body);
        assertThat(log).hasSize(6).containsOnly(body);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 1000})
    void bufferingFactoryBelowTheInterceptor(int length) throws Exception {
        assertReadThreeTimes(template(buffering(plain()), logging, collapsing()), "x".repeat(length));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 1000})
    void bufferingFactoryBelowTheCollapsingOne(int length) throws Exception {
        assertReadThreeTimes(template(collapsing(buffering(plain())), logging), "x".repeat(length));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 1000})
    void bufferingFactoryAroundTheCollapsingOne(int length) throws Exception {
        assertReadThreeTimes(template(buffering(collapsing(plain())), logging), "x".repeat(length));
    }

    /** The length is not announced, so that a part of the body is read before it is found too large to be shared (H27). */
    @Test
    void bodyThatTurnsOutTooLargeIsStillReadMoreThanOnce() throws Exception {
        String body = "x".repeat((int) LIMIT + 1);
        OriginReply reply = OriginReply.ok(body).chunked();
        assertReadThreeTimes(template(buffering(plain()), logging, collapsing()), body, reply);
        log.clear();
        assertReadThreeTimes(template(collapsing(buffering(plain())), logging), body, reply);
    }

    /** Apache's response has another stream for each call, all over the same bytes. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void H39_anInterceptorThatAsksForTheBodyFirstDoesNotLoseItsBeginning(boolean byInterceptor) throws Exception {
        String text = "abcdefghij".repeat(50);
        origin.answer(request -> OriginReply.ok(text).chunked().with("Content-Type", "text/plain"));
        ClientHttpRequestInterceptor asking = (request, body, execution) -> {
            var response = execution.execute(request, body);
            assertThat(response.getBody()).isNotNull();
            return response;
        };
        HttpComponentsClientHttpRequestFactory apache = new HttpComponentsClientHttpRequestFactory();
        try {
            RestTemplate template =
                    byInterceptor ? template(apache, asking, collapsing()) : template(collapsing(apache), asking);
            for (Caller<String> caller : two(() -> template.getForObject(origin.uri("/a"), String.class))) {
                assertThat(caller.get()).isEqualTo(text);
            }
        } finally {
            apache.destroy();
        }
    }

    /** Spring 7.0 has {@code bufferContent}; on 6.2 a buffering factory is the only way. */
    @Test
    void clientThatBuffersContent() throws Exception {
        RestClient.Builder builder = RestClient.builder();
        Method bufferContent = ReflectionUtils.findMethod(RestClient.Builder.class, "bufferContent", BiPredicate.class);
        if (bufferContent == null) {
            builder.requestFactory(buffering(plain()));
        } else {
            BiPredicate<Object, Object> always = (uri, method) -> true;
            ReflectionUtils.invokeMethod(bufferContent, builder.requestFactory(plain()), always);
        }
        RestClient client = builder.requestInterceptor(logging)
                .requestInterceptor(collapsing())
                .build();
        origin.answer(request -> OriginReply.ok("body"));
        Hold hold = origin.hold();
        Caller<String> leader = callers.start(() -> get(client));
        hold.await(1);
        Caller<String> follower = callers.start(() -> get(client));
        follower.awaitJoined();
        hold.release();
        assertThat(leader.get()).isEqualTo("body");
        assertThat(follower.get()).isEqualTo("body");
        assertThat(log).hasSize(4).containsOnly("body");
    }

    private String get(RestClient client) {
        return String.valueOf(client.get().uri(origin.uri("/a")).retrieve().body(String.class));
    }

    /** Without buffering, Spring's own responses return one stream, which goes on where it was left. */
    @Test
    void bodyThatCanBeReadOnceIsReadOnFromWhereItWasLeft() throws Exception {
        origin.answer(request -> OriginReply.ok("abcdef"));
        List<String> parts = new CopyOnWriteArrayList<>();
        RestTemplate template = template(
                plain(),
                (request, body, execution) -> {
                    var response = execution.execute(request, body);
                    parts.add(new String(response.getBody().readNBytes(2), StandardCharsets.UTF_8));
                    parts.add(new String(response.getBody().readNBytes(2), StandardCharsets.UTF_8));
                    return response;
                },
                collapsing());
        Hold hold = origin.hold();
        Caller<String> leader = callers.start(() -> template.getForObject(origin.uri("/a"), String.class));
        hold.await(1);
        Caller<String> follower = callers.start(() -> template.getForObject(origin.uri("/a"), String.class));
        follower.awaitJoined();
        hold.release();
        assertThat(leader.get()).isEqualTo("ef");
        assertThat(follower.get()).isEqualTo("ef");
        assertThat(parts).hasSize(4).containsOnly("ab", "cd");
    }
}
