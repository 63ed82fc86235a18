package io.github.collapseexecutor.http.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.http.fixture.OriginFixture;
import io.github.collapseexecutor.http.fixture.OriginReply;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.jetty.client.HttpClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.http.client.JettyClientHttpRequestFactory;
import org.springframework.web.client.RestTemplate;

/** What is known of a body that broke off is known for as long as anybody has its failure (H43). */
class ForgottenFailuresTests extends OriginFixture {

    private final HttpClient jetty = new HttpClient();

    @BeforeEach
    void startJetty() throws Exception {
        jetty.start();
    }

    @AfterEach
    void stopJetty() throws Exception {
        jetty.stop();
    }

    private WeakReference<Throwable> failureOf(RestTemplate client) {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        assertThatThrownBy(() -> client.getForObject(origin.uri("/a"), String.class))
                .satisfies(thrown -> failure.set(NestedExceptionUtils.getRootCause(thrown)));
        assertThat(failure.get()).isInstanceOf(IOException.class);
        return new WeakReference<>(Objects.requireNonNull(failure.get()));
    }

    /** The stream of Jetty's client keeps the failure that it throws. */
    @Test
    void H43_aFailureThatNobodyHasAnyMoreIsForgottenThoughItsBodyKeepsIt() {
        origin.answer(request -> OriginReply.ok("half").truncated());
        RestTemplate client = new RestTemplate(new CollapseClientHttpRequestFactory(
                new JettyClientHttpRequestFactory(jetty), everything().build(), IN_FLIGHT));
        WeakReference<Throwable> failure = failureOf(client);
        await().untilAsserted(() -> {
            System.gc();
            assertThat(failure.get()).isNull();
        });
    }
}
