package io.github.collapseexecutor.spring.boot.client;

import static java.util.Objects.requireNonNull;

import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.InterceptingClientHttpRequestFactory;
import org.springframework.test.util.ReflectionTestUtils;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;

/** The request factory of a client, below its interceptors. */
final class OwnRequestFactory {

    private OwnRequestFactory() {}

    static ClientHttpRequestFactory of(RestTemplate template) {
        ClientHttpRequestFactory requestFactory = template.getRequestFactory();
        return requestFactory instanceof InterceptingClientHttpRequestFactory intercepting
                ? intercepting.getDelegate()
                : requestFactory;
    }

    static ClientHttpRequestFactory of(RestClient client) {
        return requireNonNull((ClientHttpRequestFactory) ReflectionTestUtils.getField(client, "clientRequestFactory"));
    }
}
