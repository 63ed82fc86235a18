package io.github.collapseexecutor.http.hc5;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.http.fixture.OriginFixture;
import java.io.IOException;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.junit.jupiter.api.AfterEach;

/** An origin, callers, and clients that collapse all their requests. */
abstract class ApacheClientFixture extends OriginFixture {

    @Override
    @AfterEach
    protected void close() throws IOException {
        super.close();
        // no test leaves a connection leased
        await().untilAsserted(() ->
                assertThat(ApacheClients.POOL.getTotalStats().getLeased()).isZero());
        ApacheClients.POOL.closeExpired();
    }

    /** Joins calls in flight. */
    static CollapseExecChainHandler handler() {
        return new CollapseExecChainHandler(everything().build(), IN_FLIGHT);
    }

    static CloseableHttpClient collapsing(HttpClientBuilder client) {
        return ApacheClients.collapsing(client, handler()).build();
    }

    static CloseableHttpClient collapsing() {
        return collapsing(ApacheClients.builder());
    }

    /** A client of which a lone caller cannot be joined. */
    static CloseableHttpClient fresh() {
        return ApacheClients.collapsing(
                        ApacheClients.builder(),
                        new CollapseExecChainHandler(everything().build()))
                .build();
    }

    HttpGet get(String target) {
        return new HttpGet(origin.uri(target));
    }

    /** What an application does with a response. */
    static String bodyOf(CloseableHttpClient client, HttpGet request) throws IOException {
        return client.execute(request, response -> {
            String body = response.getEntity() == null ? "" : EntityUtils.toString(response.getEntity());
            return response.getCode() == 200 ? body : response.getCode() + " " + body;
        });
    }

    String bodyOf(CloseableHttpClient client) throws IOException {
        return bodyOf(client, get("/a"));
    }
}
