package io.github.collapseexecutor.http.hc5;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.TestClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.impl.ChainElement;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.ParseException;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.http.io.entity.StringEntity;
import org.slf4j.LoggerFactory;

/** Apache HttpClient as the suites see it. */
final class ApacheClients {

    static {
        // it would log each byte, where no configuration says otherwise
        if (LoggerFactory.getLogger("org.apache.hc") instanceof Logger logger) {
            logger.setLevel(Level.INFO);
        }
    }

    /** All clients of the tests have it in common, but for those that are about it. */
    static final PoolingHttpClientConnectionManager POOL = poolOf(200);

    private ApacheClients() {}

    static PoolingHttpClientConnectionManager poolOf(int connections) {
        return PoolingHttpClientConnectionManagerBuilder.create()
                .setMaxConnPerRoute(connections)
                .setMaxConnTotal(10 * connections)
                .build();
    }

    /** A client as it is by default. */
    static HttpClientBuilder builder() {
        return HttpClients.custom().setConnectionManager(POOL).setConnectionManagerShared(true);
    }

    static HttpClientBuilder collapsing(HttpClientBuilder client, CollapseExecChainHandler handler) {
        return client.addExecInterceptorBefore(ChainElement.CONNECT.name(), "collapse", handler);
    }

    /** A client that does nothing by itself, so that what the origin sends reaches the caller. */
    static TestClient collapsing(HttpCollapseOptions http, CollapseOptions core) {
        HttpClientBuilder plain = builder()
                .disableRedirectHandling()
                .disableAutomaticRetries()
                .disableCookieManagement()
                .disableContentCompression();
        CloseableHttpClient client =
                collapsing(plain, new CollapseExecChainHandler(http, core)).build();
        return request -> call(client, request);
    }

    private static TestClient.Response call(CloseableHttpClient client, TestClient.Request request) throws IOException {
        HttpUriRequestBase sent = new HttpUriRequestBase(request.method(), request.uri());
        request.headers().forEach(header -> sent.addHeader(header.getKey(), header.getValue()));
        if (!request.body().isEmpty()) {
            sent.setEntity(new StringEntity(request.body()));
        }
        return client.execute(sent, ApacheClients::read);
    }

    private static TestClient.Response read(ClassicHttpResponse response) throws IOException, ParseException {
        Map<String, List<String>> headers = TestClient.Response.newHeaders();
        for (Header header : response.getHeaders()) {
            headers.computeIfAbsent(header.getName().toLowerCase(Locale.ROOT), name -> new ArrayList<>())
                    .add(header.getValue());
        }
        String body = response.getEntity() == null ? "" : EntityUtils.toString(response.getEntity());
        return new TestClient.Response(response.getCode(), response.getReasonPhrase(), headers, body);
    }
}
