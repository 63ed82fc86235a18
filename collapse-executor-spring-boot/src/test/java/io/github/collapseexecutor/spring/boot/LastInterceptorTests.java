package io.github.collapseexecutor.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.web.client.RestClient;

class LastInterceptorTests {

    private static final ClientHttpRequestInterceptor LAST =
            (request, body, execution) -> execution.execute(request, body);
    private static final ClientHttpRequestInterceptor OTHER =
            (request, body, execution) -> execution.execute(request, body);

    private final RestClient.Builder original = RestClient.builder();
    private final RestClient.Builder builder = new LastInterceptor(LAST).addTo(original);

    @Test
    void builderAddsItBehindThoseThatAreAddedLater() {
        assertThat(interceptors(builder.requestInterceptor(OTHER).build())).containsExactly(OTHER, LAST);
    }

    @Test
    void everyCallReturnsTheSameBuilder() {
        assertThat(builder.baseUrl("http://localhost").defaultHeader("A", "b").apply(same -> {}))
                .isSameAs(builder);
    }

    @Test
    void buildingTwiceAddsItOnceToEach() {
        builder.build();
        assertThat(interceptors(builder.build())).containsExactly(LAST);
        assertThat(interceptors(original.build())).isEmpty();
    }

    @Test
    void copyOfTheBuilderAddsItToo() {
        RestClient.Builder copy = builder.clone().requestInterceptor(OTHER);
        assertThat(interceptors(copy.build())).containsExactly(OTHER, LAST);
        assertThat(interceptors(builder.build())).containsExactly(LAST);
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
