package io.github.collapseexecutor.http.hc5;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.gate.OnEachJdk;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.OriginReply;
import java.util.List;
import org.apache.hc.client5.http.impl.ChainElement;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.junit.jupiter.api.Test;

/** What docs/apache-client.md shows. */
@OnEachJdk
class ApacheExamplesTests extends ApacheClientFixture {

    private static CloseableHttpClient client() {
        // readme:begin apache-client
        CollapseExecChainHandler collapse = new CollapseExecChainHandler(HttpCollapseOptions.forPaths("/user/*"));
        CloseableHttpClient client = HttpClients.custom()
                .addExecInterceptorBefore(ChainElement.CONNECT.name(), "collapse", collapse)
                .build();
        // readme:end
        return client;
    }

    private static HttpClientBuilder withTenants(HttpClientBuilder builder, ThreadLocal<String> tenant) {
        // readme:begin apache-client-in-front
        builder.addExecInterceptorFirst("tenant", (request, scope, chain) -> {
            request.setHeader("X-Tenant", tenant.get());
            return chain.proceed(request, scope);
        });
        // readme:end
        return builder;
    }

    @Test
    void aClientCollapses() throws Exception {
        try (CloseableHttpClient client = client()) {
            assertCollapses(() -> bodyOf(client, get("/user/7")), "/user/7");
        }
    }

    @Test
    void aHeaderThatIsAddedInFrontIsPartOfTheKey() throws Exception {
        ThreadLocal<String> tenant = new ThreadLocal<>();
        origin.answer(request -> OriginReply.ok(String.valueOf(request.header("X-Tenant"))));
        HttpClientBuilder builder = ApacheClients.collapsing(ApacheClients.builder(), handler());
        CloseableHttpClient client = withTenants(builder, tenant).build();
        assertThat(apart(List.of(() -> as(tenant, "one", client), () -> as(tenant, "two", client))))
                .containsExactly("one", "two");
        assertThat(together(List.of(() -> as(tenant, "one", client), () -> as(tenant, "one", client))))
                .containsOnly("one");
        assertThat(origin.requests()).hasSize(3);
    }

    private String as(ThreadLocal<String> tenant, String name, CloseableHttpClient client) throws Exception {
        tenant.set(name);
        return bodyOf(client);
    }
}
