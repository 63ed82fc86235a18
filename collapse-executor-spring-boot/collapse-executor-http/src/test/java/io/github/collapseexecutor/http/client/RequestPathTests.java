package io.github.collapseexecutor.http.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequest;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.http.client.InterceptingClientHttpRequestFactory;
import org.springframework.http.client.SimpleClientHttpRequestFactory;

/** Reads the chains of the Spring generation that the test runs on: were one built otherwise, this would say so. */
class RequestPathTests {

    private static final ClientHttpRequestFactory FACTORY = new SimpleClientHttpRequestFactory();

    private static final ClientHttpRequestExecution OTHER = (request, body) -> {
        throw new IOException("never sent");
    };
    private static final ClientHttpRequestInterceptor LAMBDA =
            (request, body, execution) -> execution.execute(request, body);

    private final List<RequestPath> seen = new ArrayList<>();
    private final ClientHttpRequestInterceptor reading = this::read;

    /** Sends nothing. */
    private ClientHttpResponse read(HttpRequest request, byte[] body, ClientHttpRequestExecution execution)
            throws IOException {
        seen.add(RequestPath.behind(execution, reading));
        throw new IOException("seen");
    }

    private RequestPath path(ClientHttpRequestFactory factory, ClientHttpRequestInterceptor... interceptors)
            throws IOException {
        ClientHttpRequest request = new InterceptingClientHttpRequestFactory(factory, List.of(interceptors))
                .createRequest(URI.create("http://localhost/"), HttpMethod.GET);
        assertThatIOException().isThrownBy(request::execute);
        return seen.get(seen.size() - 1);
    }

    @Test
    void H35_requestFactoryIsTheClient() throws IOException {
        RequestPath path = path(FACTORY, reading);
        assertThat(path.obstacle()).isNull();
        assertThat(path.client()).isNotNull().isEqualTo(path(FACTORY, reading).client());
        assertThat(path.client()).hasSameHashCodeAs(path(FACTORY, reading).client());
        assertThat(path.client())
                .isNotEqualTo(
                        path(new SimpleClientHttpRequestFactory(), reading).client());
    }

    @Test
    void H36_interceptorBehindIsNamed() throws IOException {
        assertThat(path(FACTORY, reading, new Named()).obstacle()).contains(Named.class.getName());
        assertThat(path(FACTORY, reading, new Named(), LAMBDA).obstacle()).contains(Named.class.getName());
        assertThat(path(FACTORY, reading, LAMBDA).obstacle())
                .contains(RequestPathTests.class.getName())
                .doesNotContain("/0x");
    }

    @Test
    void H36_interceptorInFrontIsNoObstacle() throws IOException {
        assertThat(path(FACTORY, new Named(), reading).obstacle()).isNull();
    }

    @Test
    void H36_interceptorInTheRequestFactoryIsAnObstacle() throws IOException {
        assertThat(path(new InterceptingClientHttpRequestFactory(FACTORY, List.of(new Named())), reading)
                        .obstacle())
                .contains("InterceptingClientHttpRequestFactory");
    }

    @Test
    void executionOfAnotherOriginTellsNothing() {
        assertThat(RequestPath.behind(OTHER, reading)).isSameAs(RequestPath.UNKNOWN);
    }

    private static final class Named implements ClientHttpRequestInterceptor {
        @Override
        public ClientHttpResponse intercept(HttpRequest request, byte[] body, ClientHttpRequestExecution execution)
                throws IOException {
            return execution.execute(request, body);
        }
    }
}
