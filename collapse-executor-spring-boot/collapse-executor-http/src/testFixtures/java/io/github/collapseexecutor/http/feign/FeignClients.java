package io.github.collapseexecutor.http.feign;

import feign.Client;
import feign.DefaultClient;
import feign.Request;
import feign.Response;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.TestClient;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** Clients of Feign as the suites see them. */
final class FeignClients {

    /** The client that Feign has without another one. */
    static final Client PLAIN = new DefaultClient(null, null);

    /** They follow no redirect: Feign would not show it, so that requests with credentials would not collapse. */
    static final Request.Options OPTIONS = new Request.Options(10, TimeUnit.SECONDS, 60, TimeUnit.SECONDS, false);

    private FeignClients() {}

    static TestClient collapsing(HttpCollapseOptions http, CollapseOptions core) {
        Client client = new CollapseFeignClient(PLAIN, http, core);
        return request -> call(client, request);
    }

    private static TestClient.Response call(Client client, TestClient.Request request) throws IOException {
        Map<String, Collection<String>> sent = new LinkedHashMap<>();
        request.headers()
                .forEach(header -> sent.computeIfAbsent(header.getKey(), name -> new ArrayList<>())
                        .add(header.getValue()));
        byte[] body = request.body().isEmpty() ? null : request.body().getBytes(StandardCharsets.UTF_8);
        Request asked = Request.create(
                Request.HttpMethod.valueOf(request.method()),
                request.uri().toString(),
                sent,
                body,
                StandardCharsets.UTF_8,
                null);
        try (Response response = client.execute(asked, OPTIONS)) {
            Map<String, List<String>> headers = TestClient.Response.newHeaders();
            response.headers()
                    .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), new ArrayList<>(values)));
            return new TestClient.Response(
                    response.status(), Objects.requireNonNullElse(response.reason(), ""), headers, bodyOf(response));
        }
    }

    /** The text of a body, empty where there is none. */
    static String bodyOf(Response response) throws IOException {
        if (response.body() == null) {
            return "";
        }
        try (InputStream body = response.body().asInputStream()) {
            return new String(body.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
