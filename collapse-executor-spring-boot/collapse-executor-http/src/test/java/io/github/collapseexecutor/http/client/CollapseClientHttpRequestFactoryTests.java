package io.github.collapseexecutor.http.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.Callers.Caller;
import io.github.collapseexecutor.http.fixture.OriginFixture;
import io.github.collapseexecutor.http.fixture.OriginReply;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin.Hold;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.StreamingHttpOutputMessage;
import org.springframework.http.client.BufferingClientHttpRequestFactory;
import org.springframework.http.client.ClientHttpRequest;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.mock.http.client.MockClientHttpRequest;
import org.springframework.mock.http.client.MockClientHttpResponse;
import org.springframework.web.client.RestTemplate;

/** What a request factory has to take care of beyond an interceptor: streamed bodies, attributes, one execution. */
class CollapseClientHttpRequestFactoryTests extends OriginFixture {

    private static CollapseClientHttpRequestFactory collapsing(ClientHttpRequestFactory delegate) {
        return new CollapseClientHttpRequestFactory(delegate, everything().build(), IN_FLIGHT);
    }

    private static ClientHttpRequestFactory plain() {
        return new SimpleClientHttpRequestFactory();
    }

    private static String read(ClientHttpRequest request) throws IOException {
        try (ClientHttpResponse response = request.execute()) {
            return new String(response.getBody().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void requestsThatAreExecutedAtOnceShareACall() throws Exception {
        ClientHttpRequestFactory factory = collapsing(plain());
        for (Caller<String> caller : two(() -> read(factory.createRequest(origin.uri("/a"), HttpMethod.GET)))) {
            assertThat(caller.get()).isEqualTo("/a");
        }
        assertThat(origin.requests()).hasSize(1);
    }

    @Test
    void requestIsExecutedOnceByLeaderAndFollower() throws Exception {
        ClientHttpRequestFactory factory = collapsing(plain());
        for (Caller<ClientHttpRequest> caller : two(() -> {
            ClientHttpRequest request = factory.createRequest(origin.uri("/a"), HttpMethod.GET);
            request.getHeaders().add("X-Own", "1");
            assertThat(read(request)).isEqualTo("/a");
            return request;
        })) {
            ClientHttpRequest executed = caller.get();
            assertThatIllegalStateException().isThrownBy(executed::execute);
            assertThat(executed.getHeaders().getFirst("X-Own")).isEqualTo("1");
            assertThat(executed.getMethod()).isEqualTo(HttpMethod.GET);
            assertThat(executed.getURI()).isEqualTo(origin.uri("/a"));
        }
        assertThat(origin.requests()).hasSize(1);
    }

    /** Against its contract; Spring's clients take it for an empty body. */
    @Test
    void H39_aTransportThatGivesNullForABodyGivesAnEmptyOne() {
        ClientHttpRequestFactory transport = (uri, method) -> {
            MockClientHttpRequest request = new MockClientHttpRequest(method, uri);
            request.setResponse(new MockClientHttpResponse(new byte[0], 200) {
                @Override
                @SuppressWarnings("NullAway")
                public InputStream getBody() {
                    return null;
                }

                @Override
                public void close() {}
            });
            return request;
        };
        for (ClientHttpRequestFactory factory : List.of(transport, collapsing(transport))) {
            RestTemplate client = new RestTemplate(factory);
            assertThat(client.getForObject("http://a/p", String.class)).isNull();
            assertThat(client.getForEntity("http://a/p", String.class)
                            .getStatusCode()
                            .value())
                    .isEqualTo(200);
        }
    }

    @Test
    void requestStreamsItsBodyIfItsDelegateDoes() throws Exception {
        URI uri = origin.uri("/a");
        assertThat(collapsing(plain()).createRequest(uri, HttpMethod.POST))
                .isInstanceOf(StreamingHttpOutputMessage.class);
        assertThat(collapsing(new BufferingClientHttpRequestFactory(plain())).createRequest(uri, HttpMethod.POST))
                .isNotInstanceOf(StreamingHttpOutputMessage.class);
    }

    @Test
    void bodyIsWrittenWhileItIsSent() throws Exception {
        Hold hold = origin.hold();
        ClientHttpRequest request =
                collapsing(new JdkClientHttpRequestFactory()).createRequest(origin.uri("/a"), HttpMethod.POST);
        CountDownLatch writing = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        ((StreamingHttpOutputMessage) request).setBody((OutputStream out) -> {
            out.write("first".getBytes(StandardCharsets.UTF_8));
            out.flush();
            writing.countDown();
            try {
                assertThat(goOn.await(30, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            out.write("second".getBytes(StandardCharsets.UTF_8));
        });
        assertThat(writing.getCount()).isEqualTo(1);
        Caller<String> caller = callers.start(() -> read(request));
        assertThat(writing.await(30, TimeUnit.SECONDS)).isTrue();
        goOn.countDown();
        hold.await(1);
        hold.release();
        assertThat(caller.get()).isEqualTo("/a");
    }

    @Test
    void H09_requestWithABodyIsNotCollapsed() throws Exception {
        ClientHttpRequestFactory factory = collapsing(plain());
        Hold hold = origin.hold();
        Callable<String> call = () -> {
            ClientHttpRequest request = factory.createRequest(origin.uri("/a"), HttpMethod.PUT);
            request.getBody().write('b');
            return read(request);
        };
        List<Caller<String>> all = callers.start(2, call);
        hold.await(2);
        hold.release();
        for (Caller<String> caller : all) {
            assertThat(caller.get()).isEqualTo("/a");
        }
    }

    @Test
    void H11_readsDoNotJoinAReadFromBeforeAWrite() throws Exception {
        ClientHttpRequestFactory factory = collapsing(plain());
        Hold first = origin.hold();
        Caller<String> early = callers.start(() -> read(factory.createRequest(origin.uri("/a"), HttpMethod.GET)));
        first.await(1);
        origin.holdNoMore();
        read(factory.createRequest(origin.uri("/a"), HttpMethod.DELETE));
        read(factory.createRequest(origin.uri("/a"), HttpMethod.GET));
        assertThat(origin.requests()).hasSize(3);
        first.release();
        assertThat(early.get()).isEqualTo("/a");
    }

    @Test
    void attributesAreThoseOfTheDelegate() throws Exception {
        Map<String, Object> attributes = Map.of("a", 1);
        ClientHttpRequest[] made = new ClientHttpRequest[1];
        ClientHttpRequest request = collapsing((uri, method) -> made[0] = plain().createRequest(uri, method))
                .createRequest(origin.uri("/a"), HttpMethod.GET);
        request.getAttributes().putAll(attributes);
        assertThat(made[0].getAttributes()).isEqualTo(attributes);
    }

    @Test
    void H39_headerWithoutAValueIsShared() throws Exception {
        ClientHttpRequestFactory factory = collapsing(plain());
        for (Caller<String> caller : two(() -> {
            ClientHttpRequest request = factory.createRequest(origin.uri("/a"), HttpMethod.GET);
            request.getHeaders().add("X-T", null);
            return read(request);
        })) {
            assertThat(caller.get()).isEqualTo("/a");
        }
        assertThat(origin.requests()).hasSize(1);
    }

    /** Spring 7.0's JDK request adds what it can decode to its own headers when it is sent. */
    @Test
    void clientThatAddsWhatItCanDecodeWhenItSendsStillShares() throws Exception {
        ClientHttpRequestFactory factory = collapsing(addingWhenSent("Accept-Encoding", "gzip"));
        for (Caller<String> caller : two(() -> read(factory.createRequest(origin.uri("/a"), HttpMethod.GET)))) {
            assertThat(caller.get()).isEqualTo("/a");
        }
        assertThat(origin.requests()).hasSize(1);
    }

    @Test
    void H36_credentialsThatADelegateAddsWhenItSendsAreNotShared() throws Exception {
        ClientHttpRequestFactory factory = collapsing(addingWhenSent("Authorization", "Bearer one"));
        for (Caller<String> caller : two(() -> read(factory.createRequest(origin.uri("/a"), HttpMethod.GET)))) {
            assertThat(caller.get()).isEqualTo("/a");
        }
        assertThat(origin.requests()).hasSize(2);
    }

    private static ClientHttpRequestFactory addingWhenSent(String name, String value) {
        return (uri, method) -> {
            ClientHttpRequest request = plain().createRequest(uri, method);
            return new ClientHttpRequest() {
                @Override
                public ClientHttpResponse execute() throws IOException {
                    request.getHeaders().add(name, value);
                    return request.execute();
                }

                @Override
                public OutputStream getBody() throws IOException {
                    return request.getBody();
                }

                @Override
                public HttpHeaders getHeaders() {
                    return request.getHeaders();
                }

                @Override
                public HttpMethod getMethod() {
                    return request.getMethod();
                }

                @Override
                public URI getURI() {
                    return request.getURI();
                }

                @Override
                public Map<String, Object> getAttributes() {
                    return request.getAttributes();
                }
            };
        };
    }

    @Test
    void withoutAGroupTheDelegatesRequestIsReturned() throws Exception {
        ClientHttpRequest[] made = new ClientHttpRequest[1];
        ClientHttpRequestFactory factory = new CollapseClientHttpRequestFactory(
                (uri, method) -> made[0] = plain().createRequest(uri, method),
                HttpCollapseOptions.builder().build(),
                CollapseOptions.defaults());
        ClientHttpRequest request = factory.createRequest(origin.uri("/a"), HttpMethod.GET);
        assertThat(request).isSameAs(made[0]);
        origin.answer(ignored -> OriginReply.ok("plain"));
        assertThat(read(request)).isEqualTo("plain");
    }
}
