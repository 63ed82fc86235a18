package io.github.collapseexecutor.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.client.CollapseHttpRequestInterceptor;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowingConsumer;
import org.junit.jupiter.api.Test;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;

class LastInterceptorTests {

    private static final CollapseHttpRequestInterceptor SOURCE =
            new CollapseHttpRequestInterceptor(HttpCollapseOptions.builder().build(), CollapseOptions.defaults());
    private static final ClientHttpRequestInterceptor OTHER =
            (request, body, execution) -> execution.execute(request, body);

    private static final ThrowingConsumer<ClientHttpRequestInterceptor> IS_OTHER =
            interceptor -> assertThat(interceptor).isSameAs(OTHER);
    private static final ThrowingConsumer<ClientHttpRequestInterceptor> IS_OWN = interceptor -> assertThat(interceptor)
            .isInstanceOf(CollapseHttpRequestInterceptor.class)
            .isNotSameAs(SOURCE);

    private final RestClient.Builder original = RestClient.builder();
    private final RestClient.Builder builder = new LastInterceptor(SOURCE, null).addTo(original);

    @Test
    void builderAddsItBehindThoseThatAreAddedLater() {
        assertThat(interceptors(builder.requestInterceptor(OTHER).build())).satisfiesExactly(IS_OTHER, IS_OWN);
    }

    @Test
    void everyCallReturnsTheSameBuilder() {
        assertThat(builder.baseUrl("http://localhost").defaultHeader("A", "b").apply(same -> {}))
                .isSameAs(builder);
    }

    @Test
    void buildingTwiceAddsItOnceToEach() {
        builder.build();
        assertThat(interceptors(builder.build())).satisfiesExactly(IS_OWN);
        assertThat(interceptors(original.build())).isEmpty();
    }

    @Test
    void H35_everyClientOfABuilderHasOneOfItsOwn() {
        RestClient one = builder.requestInterceptor(SOURCE).build();
        List<ClientHttpRequestInterceptor> all = interceptors(one);
        all.addAll(interceptors(builder.build()));
        all.addAll(interceptors(builder.clone().build()));
        assertThat(all).hasSize(3).doesNotHaveDuplicates().doesNotContain(SOURCE);
    }

    @Test
    void interceptorThatIsInPlaceMovesBehindThoseThatCameLater() {
        RestTemplate template = new RestTemplate();
        LastInterceptor last = new LastInterceptor(SOURCE, null);
        last.addTo(template);
        ClientHttpRequestInterceptor own = template.getInterceptors().get(0);
        template.getInterceptors().add(OTHER);
        last.moveToEndOf(template);
        assertThat(template.getInterceptors()).containsExactly(OTHER, own);
    }

    @Test
    void H35_interceptorThatTheApplicationAddedItselfIsReplaced() {
        RestTemplate template = new RestTemplate();
        template.getInterceptors().add(SOURCE);
        new LastInterceptor(SOURCE, null).moveToEndOf(template);
        assertThat(template.getInterceptors()).satisfiesExactly(IS_OWN);
    }

    @Test
    void copyOfTheBuilderAddsItToo() {
        RestClient.Builder copy = builder.clone().requestInterceptor(OTHER);
        assertThat(interceptors(copy.build())).satisfiesExactly(IS_OTHER, IS_OWN);
        assertThat(interceptors(builder.build())).satisfiesExactly(IS_OWN);
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

    private static List<ClientHttpRequestInterceptor> interceptors(RestClient client) {
        List<ClientHttpRequestInterceptor> found = new ArrayList<>();
        client.mutate().requestInterceptors(found::addAll);
        return found;
    }
}
