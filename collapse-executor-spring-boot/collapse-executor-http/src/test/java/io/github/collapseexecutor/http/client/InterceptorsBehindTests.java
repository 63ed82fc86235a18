package io.github.collapseexecutor.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.OriginFixture;
import io.github.collapseexecutor.http.fixture.OriginReply;
import io.github.collapseexecutor.http.fixture.Warnings;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.http.client.InterceptingClientHttpRequestFactory;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.http.client.support.HttpRequestWrapper;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;

/** Interceptors behind the collapsing one, which change on whose behalf a request is made (H36). */
class InterceptorsBehindTests extends OriginFixture {

    private static final int ROUNDS = 100;
    private static final int CALLERS = 8;
    private static final HttpCollapseOptions USERS = HttpCollapseOptions.builder()
            .rules(List.of(CollapseRule.of(CollapsePolicy.strict(), "/user/*")))
            .build();

    /** The user of the calling thread, null for an anonymous one. */
    private static final ThreadLocal<@Nullable String> USER = new ThreadLocal<>();

    /** What an application's interceptor may do with a request. */
    enum Change implements ClientHttpRequestInterceptor {
        /** Hands on another request with the user's header, so that the one in front stays as it is. */
        WRAPS {
            @Override
            HttpRequest changed(HttpRequest request, String user) {
                HttpHeaders headers = new HttpHeaders();
                request.getHeaders().forEach(headers::put);
                headers.setBearerAuth(user);
                return new HttpRequestWrapper(request) {
                    @Override
                    public HttpHeaders getHeaders() {
                        return headers;
                    }
                };
            }
        },
        /** Adds the header to the request itself. */
        ADDS_A_HEADER {
            @Override
            HttpRequest changed(HttpRequest request, String user) {
                request.getHeaders().setBearerAuth(user);
                return request;
            }
        },
        /** Sends the request to another address. */
        REPLACES_THE_ADDRESS {
            @Override
            HttpRequest changed(HttpRequest request, String user) {
                URI uri = URI.create(request.getURI() + "?as=" + user);
                return new HttpRequestWrapper(request) {
                    @Override
                    public URI getURI() {
                        return uri;
                    }
                };
            }
        };

        abstract HttpRequest changed(HttpRequest request, String user);

        @Override
        public ClientHttpResponse intercept(HttpRequest request, byte[] body, ClientHttpRequestExecution execution)
                throws IOException {
            String user = USER.get();
            return execution.execute(user == null ? request : changed(request, user), body);
        }
    }

    private final Warnings warnings = new Warnings();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @Override
    @BeforeEach
    protected void open() throws IOException {
        super.open();
        origin.answer(request -> {
            String authorization = request.header("Authorization");
            String query = request.query();
            return OriginReply.ok(
                    authorization != null
                            ? authorization.substring("Bearer ".length())
                            : query.isEmpty() ? "nobody" : query.substring("as=".length()));
        });
    }

    @Override
    @AfterEach
    protected void close() throws IOException {
        warnings.close();
        threads.shutdownNow();
        super.close();
    }

    private static CollapseHttpRequestInterceptor collapsing() {
        return new CollapseHttpRequestInterceptor(USERS, CollapseOptions.defaults());
    }

    private static Function<URI, String> template(
            ClientHttpRequestFactory transport, ClientHttpRequestInterceptor... interceptors) {
        RestTemplate template = new RestTemplate(transport);
        template.setInterceptors(List.of(interceptors));
        return uri -> String.valueOf(template.getForObject(uri, String.class));
    }

    private static Function<URI, String> client(
            ClientHttpRequestFactory transport, ClientHttpRequestInterceptor... interceptors) {
        RestClient client = RestClient.builder()
                .requestFactory(transport)
                .requestInterceptors(all -> all.addAll(List.of(interceptors)))
                .build();
        return uri -> String.valueOf(client.get().uri(uri).retrieve().body(String.class));
    }

    private static ClientHttpRequestFactory plain() {
        return new SimpleClientHttpRequestFactory();
    }

    /** Every other caller is anonymous, so that for some callers the interceptor changes nothing. */
    private void assertApart(Function<URI, String> client) throws Exception {
        int wrong = 0;
        for (int round = 0; round < ROUNDS; round++) {
            URI uri = origin.uri("/user/" + round);
            CyclicBarrier barrier = new CyclicBarrier(CALLERS);
            List<Future<Boolean>> right = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                String user = i % 2 == 0 ? null : "user" + i;
                right.add(threads.submit(() -> {
                    USER.set(user);
                    barrier.await(30, TimeUnit.SECONDS);
                    return client.apply(uri).equals(user == null ? "nobody" : user);
                }));
            }
            for (Future<Boolean> answer : right) {
                wrong += answer.get(30, TimeUnit.SECONDS) ? 0 : 1;
            }
        }
        assertThat(wrong).isZero();
    }

    private void assertWarnedOnce(String name) {
        assertThat(warnings.messages()).singleElement().asString().contains(name, "last interceptor", "RequestFactory");
    }

    @ParameterizedTest
    @EnumSource
    void H36_restTemplateWithAnInterceptorBehindMixesNobody(Change change) throws Exception {
        assertApart(template(plain(), collapsing(), change));
        assertWarnedOnce(Change.class.getName());
    }

    @ParameterizedTest
    @EnumSource
    void H36_restClientWithAnInterceptorBehindMixesNobody(Change change) throws Exception {
        assertApart(client(plain(), collapsing(), change));
        assertWarnedOnce(Change.class.getName());
    }

    @ParameterizedTest
    @EnumSource
    void H36_severalInterceptorsBehindAreAllSeen(Change change) throws Exception {
        ClientHttpRequestInterceptor harmless = (request, body, execution) -> execution.execute(request, body);
        assertApart(client(plain(), harmless, collapsing(), harmless, change));
        assertWarnedOnce(InterceptorsBehindTests.class.getName());
    }

    @ParameterizedTest
    @EnumSource
    void H36_interceptorsInsideTheRequestFactoryAreBehindToo(Change change) throws Exception {
        ClientHttpRequestFactory inner = new InterceptingClientHttpRequestFactory(plain(), List.of(change));
        assertApart(template(inner, collapsing()));
        assertWarnedOnce("InterceptingClientHttpRequestFactory");
        warnings.messages().clear();
        assertApart(client(new CollapseClientHttpRequestFactory(inner, USERS, CollapseOptions.defaults())));
        assertWarnedOnce("InterceptingClientHttpRequestFactory");
    }

    @ParameterizedTest
    @EnumSource
    void interceptorsAboveACollapsingRequestFactoryMayChangeWhatTheyLike(Change change) throws Exception {
        ClientHttpRequestFactory factory =
                new CollapseClientHttpRequestFactory(plain(), USERS, CollapseOptions.defaults());
        assertApart(template(factory, change));
        assertApart(client(factory, change));
        assertThat(warnings.messages()).isEmpty();
        assertThat(origin.requests()).hasSizeLessThan(2 * ROUNDS * CALLERS);
    }

    @Test
    void anInterceptorInFrontIsNoObstacle() throws Exception {
        assertApart(template(plain(), Change.ADDS_A_HEADER, collapsing()));
        assertApart(client(plain(), Change.WRAPS, collapsing()));
        assertThat(warnings.messages()).isEmpty();
        assertThat(origin.requests()).hasSizeLessThan(2 * ROUNDS * CALLERS);
    }
}
