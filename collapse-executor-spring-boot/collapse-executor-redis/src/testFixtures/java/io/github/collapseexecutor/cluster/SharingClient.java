package io.github.collapseexecutor.cluster;

import feign.Client;
import feign.DefaultClient;
import feign.Util;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.client.CollapseClientHttpRequestFactory;
import io.github.collapseexecutor.http.client.CollapseHttpRequestInterceptor;
import io.github.collapseexecutor.http.feign.CollapseFeignClient;
import io.github.collapseexecutor.http.fixture.TestClient;
import io.github.collapseexecutor.http.hc5.CollapseExecChainHandler;
import io.github.collapseexecutor.http.jdk.CollapseHttpClient;
import io.github.collapseexecutor.http.okhttp.CollapseOkHttpInterceptor;
import io.github.collapseexecutor.http.reactive.CollapseClientHttpConnector;
import io.github.collapseexecutor.http.reactive.CollapseExchangeFilterFunction;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import okhttp3.Dispatcher;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.apache.hc.client5.http.impl.ChainElement;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.http.client.reactive.JdkClientHttpConnector;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.reactive.function.client.WebClient;

/** The clients whose adapters share responses with other instances. */
enum SharingClient {
    REST_TEMPLATE {
        @Override
        TestClient with(HttpCollapseOptions http, CollapseOptions core) {
            RestTemplate template = new RestTemplate(new SimpleClientHttpRequestFactory());
            template.setInterceptors(List.of(new CollapseHttpRequestInterceptor(http, core)));
            return of(template);
        }
    },
    REQUEST_FACTORY {
        @Override
        TestClient with(HttpCollapseOptions http, CollapseOptions core) {
            return of(new RestTemplate(
                    new CollapseClientHttpRequestFactory(new JdkClientHttpRequestFactory(), http, core)));
        }
    },
    OK_HTTP {
        @Override
        TestClient with(HttpCollapseOptions http, CollapseOptions core) {
            OkHttpClient client = new OkHttpClient.Builder()
                    .dispatcher(new Dispatcher())
                    .readTimeout(Duration.ofMinutes(1))
                    .addInterceptor(new CollapseOkHttpInterceptor(http, core))
                    .build();
            return asked -> {
                Request.Builder request =
                        new Request.Builder().url(asked.uri().toString()).method(asked.method(), null);
                asked.headers().forEach(header -> request.addHeader(header.getKey(), header.getValue()));
                try (Response response = client.newCall(request.build()).execute()) {
                    return response(
                            response.code(),
                            response.headers().toMultimap(),
                            response.body().string());
                }
            };
        }
    },
    JDK_CLIENT {
        @Override
        TestClient with(HttpCollapseOptions http, CollapseOptions core) {
            HttpClient client = new CollapseHttpClient(HttpClient.newHttpClient(), http, core);
            return asked -> {
                HttpRequest.Builder request =
                        HttpRequest.newBuilder(asked.uri()).method(asked.method(), HttpRequest.BodyPublishers.noBody());
                asked.headers().forEach(header -> request.header(header.getKey(), header.getValue()));
                HttpResponse<String> response = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
                return response(response.statusCode(), response.headers().map(), response.body());
            };
        }
    },
    WEB_CLIENT_CONNECTOR {
        @Override
        TestClient with(HttpCollapseOptions http, CollapseOptions core) {
            return of(WebClient.builder()
                    .clientConnector(new CollapseClientHttpConnector(new JdkClientHttpConnector(), http, core))
                    .build());
        }
    },
    WEB_CLIENT_FILTER {
        @Override
        TestClient with(HttpCollapseOptions http, CollapseOptions core) {
            return of(WebClient.builder()
                    .clientConnector(new JdkClientHttpConnector())
                    .filter(new CollapseExchangeFilterFunction(http, core))
                    .build());
        }
    },
    FEIGN {
        @Override
        TestClient with(HttpCollapseOptions http, CollapseOptions core) {
            Client client = new CollapseFeignClient(new DefaultClient(null, null), http, core);
            return asked -> {
                Map<String, Collection<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
                asked.headers()
                        .forEach(header -> headers.computeIfAbsent(header.getKey(), absent -> new ArrayList<>())
                                .add(header.getValue()));
                feign.Request request = feign.Request.create(
                        feign.Request.HttpMethod.valueOf(asked.method()),
                        asked.uri().toString(),
                        headers,
                        null,
                        StandardCharsets.UTF_8,
                        null);
                try (feign.Response response = client.execute(
                        request, // one that follows redirects unseen shares no requests of users
                        new feign.Request.Options(10, TimeUnit.SECONDS, 60, TimeUnit.SECONDS, false))) {
                    Map<String, List<String>> received = new TreeMap<>();
                    response.headers().forEach((name, values) -> received.put(name, List.copyOf(values)));
                    feign.Response.Body body = response.body();
                    return response(
                            response.status(),
                            received,
                            body == null ? "" : Util.toString(body.asReader(StandardCharsets.UTF_8)));
                }
            };
        }
    },
    APACHE_CLIENT {
        @Override
        TestClient with(HttpCollapseOptions http, CollapseOptions core) {
            CloseableHttpClient client = HttpClients.custom()
                    .setConnectionManager(PoolingHttpClientConnectionManagerBuilder.create()
                            .setMaxConnPerRoute(500)
                            .setMaxConnTotal(500)
                            .build())
                    .addExecInterceptorBefore(
                            ChainElement.CONNECT.name(), "collapse", new CollapseExecChainHandler(http, core))
                    .build();
            return asked -> {
                BasicClassicHttpRequest request = new BasicClassicHttpRequest(asked.method(), asked.uri());
                asked.headers().forEach(header -> request.addHeader(header.getKey(), header.getValue()));
                return client.execute(request, response -> {
                    Map<String, List<String>> received = new TreeMap<>();
                    for (Header header : response.getHeaders()) {
                        received.computeIfAbsent(header.getName(), absent -> new ArrayList<>())
                                .add(header.getValue());
                    }
                    HttpEntity entity = response.getEntity();
                    return response(response.getCode(), received, entity == null ? "" : EntityUtils.toString(entity));
                });
            };
        }
    };

    /** Returns a client with a new adapter in it. */
    abstract TestClient with(HttpCollapseOptions http, CollapseOptions core);

    private static TestClient of(RestTemplate template) {
        template.setErrorHandler(response -> false);
        return asked -> Objects.requireNonNull(template.execute(
                asked.uri(),
                HttpMethod.valueOf(asked.method()),
                sent -> asked.headers().forEach(header -> sent.getHeaders().add(header.getKey(), header.getValue())),
                SharingClient::read));
    }

    private static TestClient of(WebClient client) {
        return asked -> {
            WebClient.RequestBodySpec request =
                    client.method(HttpMethod.valueOf(asked.method())).uri(asked.uri());
            asked.headers().forEach(header -> request.header(header.getKey(), header.getValue()));
            return Objects.requireNonNull(request.exchangeToMono(response -> response.bodyToMono(String.class)
                            .defaultIfEmpty("")
                            .map(body -> response(
                                    response.statusCode().value(),
                                    mapOf(response.headers().asHttpHeaders()),
                                    body)))
                    .block());
        };
    }

    private static TestClient.Response read(ClientHttpResponse response) throws IOException {
        Map<String, List<String>> headers = TestClient.Response.newHeaders();
        response.getHeaders()
                .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), new ArrayList<>(values)));
        String body = new String(response.getBody().readAllBytes(), StandardCharsets.UTF_8);
        return new TestClient.Response(response.getStatusCode().value(), "", headers, body);
    }

    private static Map<String, List<String>> mapOf(HttpHeaders headers) {
        Map<String, List<String>> map = TestClient.Response.newHeaders();
        headers.forEach(map::put);
        return map;
    }

    private static TestClient.Response response(int status, Map<String, List<String>> received, String body) {
        Map<String, List<String>> headers = TestClient.Response.newHeaders();
        received.forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), new ArrayList<>(values)));
        return new TestClient.Response(status, "", headers, body);
    }
}
