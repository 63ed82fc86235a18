package io.github.collapseexecutor.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.Callers;
import io.github.collapseexecutor.http.fixture.Callers.Caller;
import io.github.collapseexecutor.http.fixture.OriginFixture;
import io.github.collapseexecutor.http.fixture.OriginReply;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin.Hold;
import io.github.collapseexecutor.http.fixture.Warnings;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.http.HttpMethod;
import org.springframework.http.client.AbstractClientHttpRequestFactoryWrapper;
import org.springframework.http.client.BufferingClientHttpRequestFactory;
import org.springframework.http.client.ClientHttpRequest;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;

/** Request factories of the application, which send a request to the address of the caller's tenant (H36). */
class RequestFactoriesBehindTests extends OriginFixture {

    private static final List<String> TENANTS = List.of("one", "two", "one", "two", "one", "two");

    private static final ThreadLocal<String> TENANT = new ThreadLocal<>();

    /** How an application puts its own factory around one of Spring's. */
    enum Own {
        IMPLEMENTS {
            @Override
            ClientHttpRequestFactory around(ClientHttpRequestFactory transport) {
                return (uri, method) -> transport.createRequest(ofTenant(uri), method);
            }
        },
        WRAPS {
            @Override
            ClientHttpRequestFactory around(ClientHttpRequestFactory transport) {
                return new AbstractClientHttpRequestFactoryWrapper(transport) {
                    @Override
                    protected ClientHttpRequest createRequest(
                            URI uri, HttpMethod method, ClientHttpRequestFactory delegate) throws IOException {
                        return delegate.createRequest(ofTenant(uri), method);
                    }
                };
            }
        },
        WRAPS_BEHIND_ONE_OF_SPRING {
            @Override
            ClientHttpRequestFactory around(ClientHttpRequestFactory transport) {
                return new BufferingClientHttpRequestFactory(WRAPS.around(transport));
            }
        };

        abstract ClientHttpRequestFactory around(ClientHttpRequestFactory transport);

        private static URI ofTenant(URI uri) {
            return URI.create(uri + "?tenant=" + TENANT.get());
        }
    }

    /** Spring's own factory, set up by the application. */
    static final class Subclass extends SimpleClientHttpRequestFactory {}

    private final Warnings warnings = new Warnings();

    @Override
    @BeforeEach
    protected void open() throws IOException {
        super.open();
        origin.answer(request -> OriginReply.ok("asked for \"" + request.query() + "\""));
    }

    @Override
    @AfterEach
    protected void close() throws IOException {
        warnings.close();
        super.close();
    }

    private static List<ClientHttpRequestFactory> transports() {
        return List.of(new SimpleClientHttpRequestFactory(), new JdkClientHttpRequestFactory());
    }

    private static CollapseHttpRequestInterceptor collapsing() {
        return new CollapseHttpRequestInterceptor(everything().build(), Callers.IN_FLIGHT);
    }

    private Callable<String> template(ClientHttpRequestFactory factory, ClientHttpRequestInterceptor... interceptors) {
        RestTemplate template = new RestTemplate(factory);
        template.setInterceptors(List.of(interceptors));
        return () -> String.valueOf(template.getForObject(origin.uri("/stock"), String.class));
    }

    private Callable<String> client(ClientHttpRequestFactory factory, ClientHttpRequestInterceptor... interceptors) {
        RestClient client = RestClient.builder()
                .requestFactory(factory)
                .requestInterceptors(all -> all.addAll(List.of(interceptors)))
                .build();
        return () ->
                String.valueOf(client.get().uri(origin.uri("/stock")).retrieve().body(String.class));
    }

    /** Has all tenants ask at the same time, by this many calls. */
    private void everyTenantGetsItsOwn(Callable<String> call, int calls) throws Exception {
        int before = origin.requests().size();
        Hold hold = origin.hold();
        List<Caller<String>> asking = new ArrayList<>();
        for (String tenant : TENANTS) {
            asking.add(callers.start(() -> {
                TENANT.set(tenant);
                return call.call();
            }));
        }
        hold.await(calls);
        Callers.awaitJoined(asking, TENANTS.size() - calls);
        hold.release();
        for (int i = 0; i < TENANTS.size(); i++) {
            assertThat(asking.get(i).get()).isEqualTo("asked for \"tenant=" + TENANTS.get(i) + "\"");
        }
        assertThat(origin.requests()).hasSize(before + calls);
        origin.holdNoMore();
    }

    @ParameterizedTest
    @EnumSource
    void H36_collapsingRequestFactorySeesTheAddressThatIsAskedBehindIt(Own own) throws Exception {
        for (ClientHttpRequestFactory transport : transports()) {
            for (CollapsePolicy policy : List.of(CollapsePolicy.strict(), CollapsePolicy.pathOnly())) {
                HttpCollapseOptions http = everything(policy).build();
                everyTenantGetsItsOwn(
                        template(new CollapseClientHttpRequestFactory(own.around(transport), http, Callers.IN_FLIGHT)),
                        2);
                everyTenantGetsItsOwn(
                        client(new CollapseClientHttpRequestFactory(own.around(transport), http, Callers.IN_FLIGHT)),
                        2);
            }
        }
        assertThat(warnings.messages()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void H36_collapsingInterceptorSharesNothingThatGoesThroughAFactoryOfTheApplication(Own own) throws Exception {
        for (ClientHttpRequestFactory transport : transports()) {
            everyTenantGetsItsOwn(template(own.around(transport), collapsing()), TENANTS.size());
            assertWarnedOfFactory();
            everyTenantGetsItsOwn(client(own.around(transport), collapsing()), TENANTS.size());
            assertWarnedOfFactory();
        }
    }

    private void assertWarnedOfFactory() {
        assertThat(warnings.messages())
                .singleElement()
                .asString()
                .contains("the request factory " + Own.class.getName(), "CollapseHttpRequestInterceptor.requestFactory")
                .doesNotContain("/0x");
        warnings.messages().clear();
    }

    /** The remedy that the warning names. */
    @ParameterizedTest
    @EnumSource
    void requestFactoryOfTheInterceptorSharesPerTenant(Own own) throws Exception {
        for (ClientHttpRequestFactory transport : transports()) {
            everyTenantGetsItsOwn(client(collapsing().requestFactory(own.around(transport))), 2);
        }
        assertThat(warnings.messages()).isEmpty();
    }

    @Test
    void subclassOfAFactoryOfSpringIsNoObstacle() throws Exception {
        Hold hold = origin.hold();
        List<Caller<String>> asking = callers.start(3, client(new Subclass(), collapsing()));
        hold.await(1);
        Callers.awaitJoined(asking, 2);
        hold.release();
        for (Caller<String> each : asking) {
            assertThat(each.get()).isEqualTo("asked for \"\"");
        }
        assertThat(origin.requests()).hasSize(1);
        assertThat(warnings.messages()).isEmpty();
    }
}
