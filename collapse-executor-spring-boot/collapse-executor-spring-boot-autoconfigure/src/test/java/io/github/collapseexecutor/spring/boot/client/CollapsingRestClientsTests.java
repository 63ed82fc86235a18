package io.github.collapseexecutor.spring.boot.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.client.CollapseClientHttpRequestFactory;
import io.github.collapseexecutor.http.client.CollapseHttpRequestInterceptor;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.core.Ordered;
import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.http.client.InterceptingClientHttpRequestFactory;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;

class CollapsingRestClientsTests {

    private static final CollapseHttpRequestInterceptor SOURCE =
            new CollapseHttpRequestInterceptor(HttpCollapseOptions.builder().build(), CollapseOptions.defaults());
    private static final ClientHttpRequestInterceptor OTHER =
            (request, body, execution) -> execution.execute(request, body);

    private final CollapsingRestClients collapsing = new CollapsingRestClients(SOURCE, null, new ClientTally("test"));
    private final RestClient.Builder original = RestClient.builder();
    private final RestClient.Builder builder = collapsing.addTo(original);

    @Test
    void builderCollapsesBelowWhatIsSetLater() {
        ClientHttpRequestFactory later = new JdkClientHttpRequestFactory();
        RestClient client =
                builder.requestInterceptor(OTHER).requestFactory(later).build();
        assertThat(interceptors(client)).containsExactly(OTHER);
        assertThat(ownOf(client).getDelegate()).isSameAs(later);
    }

    @Test
    void everyCallReturnsTheSameBuilder() {
        assertThat(builder.baseUrl("http://localhost").defaultHeader("A", "b").apply(same -> {}))
                .isSameAs(builder);
    }

    @Test
    void builtTwiceEachClientCollapsesOnce() {
        builder.build();
        assertThat(ownOf(builder.build()).getDelegate()).isNotInstanceOf(CollapseClientHttpRequestFactory.class);
        assertThat(CollapsingRestClients.isIn(original.build())).isFalse();
    }

    @Test
    void H35_clientsOfABuilderShareARequestFactoryAsLongAsTheySendByTheSame() {
        List<RestClient> byDefault = List.of(
                builder.requestInterceptor(SOURCE).build(),
                builder.build(),
                builder.clone().build());
        assertThat(byDefault).flatExtracting(client -> interceptors(client)).isEmpty();
        ClientHttpRequestFactory given = new JdkClientHttpRequestFactory();
        List<RestClient> ofOneGiven =
                List.of(builder.requestFactory(given).build(), builder.clone().build());
        List<RestClient> ofOthers = List.of(
                builder.requestFactory(new JdkClientHttpRequestFactory()).build(),
                collapsing.addTo(original.requestFactory(given)).build());

        assertThat(byDefault).extracting(client -> ownOf(client)).containsOnly(ownOf(byDefault.get(0)));
        assertThat(ofOneGiven).extracting(client -> ownOf(client)).containsOnly(ownOf(ofOneGiven.get(0)));
        assertThat(List.of(byDefault.get(0), ofOneGiven.get(0), ofOthers.get(0), ofOthers.get(1)))
                .extracting(client -> ownOf(client))
                .doesNotHaveDuplicates();
    }

    @Test
    void templateIsChangedOnceAndAgainIfItGetsAnotherRequestFactory() {
        RestTemplate template = new RestTemplate();
        template.getInterceptors().add(OTHER);
        collapsing.addTo(template);
        ClientHttpRequestFactory own = OwnRequestFactory.of(template);
        collapsing.addTo(template);
        assertThat(OwnRequestFactory.of(template)).isSameAs(own).isInstanceOf(CollapseClientHttpRequestFactory.class);

        ClientHttpRequestFactory later = new JdkClientHttpRequestFactory();
        template.setRequestFactory(later);
        collapsing.addTo(template);
        assertThat(((CollapseClientHttpRequestFactory) OwnRequestFactory.of(template)).getDelegate())
                .isSameAs(later);
        assertThat(template.getInterceptors()).containsExactly(OTHER);
    }

    /** It may be in use already: a request that is made meanwhile passes all interceptors, in their order. */
    @Test
    void templateKeepsItsInterceptorsAsTheyAreAllTheTime() {
        ClientHttpRequestInterceptor sortedFirst = new First();
        List<List<ClientHttpRequestInterceptor>> seen = new ArrayList<>();
        RestTemplate template = new RestTemplate() {
            @Override
            public void setInterceptors(List<ClientHttpRequestInterceptor> interceptors) {
                super.setInterceptors(interceptors);
                seen.add(List.copyOf(getInterceptors()));
            }

            @Override
            public void setRequestFactory(ClientHttpRequestFactory requestFactory) {
                super.setRequestFactory(requestFactory);
                seen.add(List.copyOf(getInterceptors()));
            }
        };
        template.getInterceptors().addAll(List.of(OTHER, sortedFirst));
        collapsing.addTo(template);
        assertThat(seen).containsExactly(List.of(OTHER, sortedFirst));
        assertThat(template.getInterceptors()).containsExactly(OTHER, sortedFirst);
        collapsing.addTo(template);
        assertThat(seen).hasSize(1);
    }

    /** What an application puts into a request factory is its own. */
    @Test
    void templateWithInterceptorsInItsRequestFactoryKeepsThem() {
        ClientHttpRequestFactory intercepting =
                new InterceptingClientHttpRequestFactory(new JdkClientHttpRequestFactory(), List.of(OTHER));
        RestTemplate template = new RestTemplate(intercepting);
        collapsing.addTo(template);
        assertThat(((CollapseClientHttpRequestFactory) OwnRequestFactory.of(template)).getDelegate())
                .isSameAs(intercepting);
    }

    @Test
    void H35_interceptorThatTheApplicationAddedItselfIsReplaced() {
        RestTemplate template = new RestTemplate();
        template.getInterceptors().addAll(List.of(OTHER, SOURCE));
        collapsing.addTo(template);
        assertThat(template.getInterceptors()).containsExactly(OTHER);
        assertThat(OwnRequestFactory.of(template)).isInstanceOf(CollapseClientHttpRequestFactory.class);
    }

    @Test
    void H35_clientThatDoesNotShowItsRequestFactoryGetsAnInterceptorBehindAllOthers() {
        RestClient hidden = hiding(original.requestInterceptors(all -> all.addAll(List.of(SOURCE, OTHER)))
                .build());
        assertThat(CollapsingRestClients.isIn(hidden)).isTrue();

        List<ClientHttpRequestInterceptor> found = interceptors(collapsing.addTo(hidden));
        assertThat(found).hasSize(2).startsWith(OTHER).doesNotContain(SOURCE);
        assertThat(found.get(1)).isInstanceOf(CollapseHttpRequestInterceptor.class);
    }

    @Test
    void copyOfTheBuilderCollapsesToo() {
        RestClient.Builder copy = builder.clone().requestInterceptor(OTHER);
        assertThat(interceptors(copy.build())).containsExactly(OTHER);
        assertThat(CollapsingRestClients.isIn(copy.build())).isTrue();
        assertThat(interceptors(builder.build())).isEmpty();
    }

    @Test
    void failureOfTheBuilderArrivesAsItIs() {
        IllegalStateException failure = new IllegalStateException();
        assertThatThrownBy(() -> builder.defaultHeaders(headers -> {
                    throw failure;
                }))
                .isSameAs(failure);
    }

    @Test
    void builderEqualsItselfAlone() {
        RestClient.Builder same = builder.baseUrl("http://localhost");
        assertThat(same).isEqualTo(builder).hasSameHashCodeAs(builder).isNotEqualTo(original);
        assertThat(builder.toString()).isNotEmpty();
    }

    /** Sorted, it would be the first one. */
    private static final class First implements ClientHttpRequestInterceptor, Ordered {

        @Override
        public int getOrder() {
            return Ordered.HIGHEST_PRECEDENCE;
        }

        @Override
        public ClientHttpResponse intercept(HttpRequest request, byte[] body, ClientHttpRequestExecution execution)
                throws IOException {
            return execution.execute(request, body);
        }
    }

    /** An implementation that is not Spring's own. */
    private static RestClient hiding(RestClient client) {
        return (RestClient) Proxy.newProxyInstance(
                RestClient.class.getClassLoader(),
                new Class<?>[] {RestClient.class},
                (proxy, method, arguments) -> method.invoke(client, arguments));
    }

    private static CollapseClientHttpRequestFactory ownOf(RestClient client) {
        return (CollapseClientHttpRequestFactory) OwnRequestFactory.of(client);
    }

    private static List<ClientHttpRequestInterceptor> interceptors(RestClient client) {
        List<ClientHttpRequestInterceptor> found = new ArrayList<>();
        client.mutate().requestInterceptors(found::addAll);
        return found;
    }
}
