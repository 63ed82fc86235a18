package io.github.collapseexecutor.http.client;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.TestClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.springframework.http.HttpMethod;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;

/** Spring's two blocking clients over the two transports of the JDK, as the suite sees them. */
final class SpringClients {

    static final ClientHttpRequestFactory URL_CONNECTION = new SimpleClientHttpRequestFactory();
    static final ClientHttpRequestFactory JDK_CLIENT = new JdkClientHttpRequestFactory();

    private SpringClients() {}

    static TestClient restTemplate(ClientHttpRequestFactory transport, HttpCollapseOptions http, CollapseOptions core) {
        RestTemplate template = new RestTemplate(transport);
        template.setInterceptors(List.of(new CollapseHttpRequestInterceptor(http, core)));
        return of(template);
    }

    /** Collapses by its request factory. */
    static TestClient restTemplateByFactory(
            ClientHttpRequestFactory transport, HttpCollapseOptions http, CollapseOptions core) {
        return of(new RestTemplate(new CollapseClientHttpRequestFactory(transport, http, core)));
    }

    private static TestClient of(RestTemplate template) {
        template.setErrorHandler(response -> false);
        return request -> {
            TestClient.Response response = template.execute(
                    request.uri(),
                    HttpMethod.valueOf(request.method()),
                    sent -> {
                        request.headers().forEach(header -> sent.getHeaders().add(header.getKey(), header.getValue()));
                        if (!request.body().isEmpty()) {
                            sent.getBody().write(request.body().getBytes(StandardCharsets.UTF_8));
                        }
                    },
                    SpringClients::read);
            return Objects.requireNonNull(response);
        };
    }

    static TestClient restClient(ClientHttpRequestFactory transport, HttpCollapseOptions http, CollapseOptions core) {
        return of(RestClient.builder()
                .requestFactory(transport)
                .requestInterceptor(new CollapseHttpRequestInterceptor(http, core))
                .build());
    }

    /** Collapses by its request factory. */
    static TestClient restClientByFactory(
            ClientHttpRequestFactory transport, HttpCollapseOptions http, CollapseOptions core) {
        return of(RestClient.create(new RestTemplate(new CollapseClientHttpRequestFactory(transport, http, core))));
    }

    private static TestClient of(RestClient client) {
        return request -> {
            RestClient.RequestBodySpec spec =
                    client.method(HttpMethod.valueOf(request.method())).uri(request.uri());
            request.headers().forEach(header -> spec.header(header.getKey(), header.getValue()));
            if (!request.body().isEmpty()) {
                spec.body(request.body());
            }
            return Objects.requireNonNull(spec.exchange((sent, response) -> read(response)));
        };
    }

    private static TestClient.Response read(ClientHttpResponse response) throws IOException {
        Map<String, List<String>> headers = TestClient.Response.newHeaders();
        response.getHeaders()
                .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), new ArrayList<>(values)));
        String body = new String(response.getBody().readAllBytes(), StandardCharsets.UTF_8);
        return new TestClient.Response(response.getStatusCode().value(), response.getStatusText(), headers, body);
    }
}
