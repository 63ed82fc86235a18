package io.github.collapseexecutor.http.client;

import static io.github.collapseexecutor.http.client.IdentityServers.ONE;
import static io.github.collapseexecutor.http.client.IdentityServers.TWO;
import static io.github.collapseexecutor.http.client.IdentityServers.calls;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.http.client.BufferingClientHttpRequestFactory;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;

/** Two clients that differ in nothing but in whose name they ask, each with many callers at once (H35). */
class SeveralClientsTests {

    private static final HttpCollapseOptions USERS = HttpCollapseOptions.builder()
            .rules(List.of(CollapseRule.of(CollapsePolicy.strict(), "/user/*")))
            .build();

    private IdentityServers servers;

    @BeforeEach
    void open() throws IOException {
        servers = new IdentityServers();
    }

    @AfterEach
    void close() throws IOException {
        servers.close();
    }

    static List<ClientIdentity> identities() {
        return ClientIdentity.all();
    }

    private static CollapseHttpRequestInterceptor interceptor() {
        return new CollapseHttpRequestInterceptor(USERS, CollapseOptions.defaults());
    }

    private RestTemplate template(ClientIdentity identity, String user, CollapseHttpRequestInterceptor interceptor) {
        RestTemplate template = identity.template(identity.transport(servers, user), user);
        template.getInterceptors().add(interceptor);
        return template;
    }

    private RestClient.Builder builder(
            ClientIdentity identity, String user, CollapseHttpRequestInterceptor interceptor) {
        return identity.builder(identity.transport(servers, user), user).requestInterceptor(interceptor);
    }

    @ParameterizedTest
    @MethodSource("identities")
    void H35_restTemplatesThatShareAnInterceptorShareNoCall(ClientIdentity identity) throws Exception {
        CollapseHttpRequestInterceptor shared = interceptor();
        servers.assertApart(identity, calls(template(identity, ONE, shared)), calls(template(identity, TWO, shared)));
    }

    @ParameterizedTest
    @MethodSource("identities")
    void H35_restClientsThatShareAnInterceptorShareNoCall(ClientIdentity identity) throws Exception {
        CollapseHttpRequestInterceptor shared = interceptor();
        servers.assertApart(
                identity,
                calls(builder(identity, ONE, shared).build()),
                calls(builder(identity, TWO, shared).build()));
    }

    @ParameterizedTest
    @MethodSource("identities")
    void H35_bufferingClientsThatShareAnInterceptorShareNoCall(ClientIdentity identity) throws Exception {
        CollapseHttpRequestInterceptor shared = interceptor();
        RestTemplate one = template(identity, ONE, shared);
        one.setRequestFactory(new BufferingClientHttpRequestFactory(identity.transport(servers, ONE)));
        RestTemplate two = template(identity, TWO, shared);
        two.setRequestFactory(new BufferingClientHttpRequestFactory(identity.transport(servers, TWO)));
        servers.assertApart(identity, calls(one), calls(two));
    }

    @ParameterizedTest
    @MethodSource("identities")
    void H35_clientThatWasDerivedFromAnotherOneSharesNoCallWithIt(ClientIdentity identity) throws Exception {
        RestClient one = builder(identity, ONE, interceptor()).build();
        RestClient.Builder derived = one.mutate().requestFactory(identity.transport(servers, TWO));
        derived.requestInterceptors(interceptors -> {
            interceptors.removeIf(other -> !(other instanceof CollapseHttpRequestInterceptor));
            interceptors.addAll(0, identity.interceptors().apply(TWO));
        });
        identity.initializers().apply(TWO).forEach(derived::requestInitializer);
        servers.assertApart(identity, calls(one), calls(derived.build()));
    }

    @ParameterizedTest
    @MethodSource("identities")
    void H35_restTemplatesWithARequestFactoryEachShareNoCall(ClientIdentity identity) throws Exception {
        servers.assertApart(
                identity,
                calls(identity.template(collapsing(identity, ONE), ONE)),
                calls(identity.template(collapsing(identity, TWO), TWO)));
    }

    @ParameterizedTest
    @MethodSource("identities")
    void H35_restClientsWithARequestFactoryEachShareNoCall(ClientIdentity identity) throws Exception {
        servers.assertApart(
                identity,
                calls(identity.builder(collapsing(identity, ONE), ONE).build()),
                calls(identity.builder(collapsing(identity, TWO), TWO).build()));
    }

    private ClientHttpRequestFactory collapsing(ClientIdentity identity, String user) {
        return new CollapseClientHttpRequestFactory(
                identity.transport(servers, user), USERS, CollapseOptions.defaults());
    }
}
