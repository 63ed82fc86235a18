package io.github.collapseexecutor.http.reactive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.DryRun;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.OriginReply;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpMethod;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

/**
 * What becomes of a response that the adapter has handed on and whose body nobody reads, or not to its end: as without the adapter, its
 * connection serves the next request. The client has only one.
 */
abstract class UnreadResponseSuite extends ReactiveFixture {

    private static final int REQUESTS = 3;
    private static final String NO_STORE = "/no-store";

    /** More than the buffers of a connection hold, so that a body that nobody reads does not come to its end. */
    private static final String LARGE = "0123456789".repeat(1_000_000);

    private final ConnectionProvider oneConnection = ConnectionProvider.builder("one")
            .maxConnections(1)
            .pendingAcquireTimeout(Duration.ofSeconds(2))
            .build();

    @AfterEach
    void closeConnection() {
        oneConnection.disposeLater().block(Duration.ofSeconds(30));
    }

    /** A way in which an adapter passes a response on. */
    record Passed(HttpCollapseOptions http, CollapseOptions core, Request request) {}

    @FunctionalInterface
    interface Request {
        WebClient.RequestHeadersSpec<?> of(WebClient client, ScriptedOrigin origin);
    }

    static Stream<Named<Passed>> ways() {
        Request get = (client, origin) -> client.get().uri(origin.uri("/a"));
        Request post = (client, origin) -> client.post().uri(origin.uri("/a"));
        Request ofNoStore = (client, origin) -> client.get().uri(origin.uri(NO_STORE));
        Request writtenLater = (client, origin) -> client.method(HttpMethod.GET)
                .uri(origin.uri("/a"))
                .body((request, context) -> Mono.delay(Duration.ofMillis(1)).then(Mono.defer(request::setComplete)));
        Request completedLater = (client, origin) -> client.method(HttpMethod.GET)
                .uri(origin.uri("/a"))
                .body((request, context) -> {
                    request.beforeCommit(() -> Mono.delay(Duration.ofMillis(1)).then());
                    return request.setComplete();
                });
        return Stream.of(
                Named.of("larger than may be shared", larger()),
                way("not to be shared", everything(), IN_FLIGHT, ofNoStore),
                way("to a lone caller", everything(), CollapseOptions.defaults(), get),
                way("in a dry run", rule(group("/**").inDryRun(new DryRun("unread"))), IN_FLIGHT, get),
                way("to a request of no group", rule(group("/others")), IN_FLIGHT, get),
                way("to a request that changes something", everything(), IN_FLIGHT, post),
                way("to a request that is written later", everything().maxBodySize(1000), IN_FLIGHT, writtenLater),
                way("to a request that is completed later", everything().maxBodySize(1000), IN_FLIGHT, completedLater));
    }

    private static Named<Passed> way(
            String name, HttpCollapseOptions.Builder http, CollapseOptions core, Request request) {
        return Named.of(name, new Passed(http.build(), core, request));
    }

    private static Passed larger() {
        return new Passed(
                everything().maxBodySize(1000).build(),
                IN_FLIGHT,
                (client, origin) -> client.get().uri(origin.uri("/a")));
    }

    private static CollapseRule group(String uris) {
        return CollapseRule.of(CollapsePolicy.strict(), uris);
    }

    private static HttpCollapseOptions.Builder rule(CollapseRule rule) {
        return HttpCollapseOptions.builder().rules(List.of(rule));
    }

    private Mono<String> answer(Passed passed, WebClient client, ExchangeFilterFunction inFront) {
        WebClient filtered =
                client.mutate().filters(filters -> filters.add(0, inFront)).build();
        return passed.request.of(filtered, origin).retrieve().bodyToMono(String.class);
    }

    private WebClient client(Passed passed) {
        origin.answer(request -> {
            OriginReply large = OriginReply.ok(LARGE).chunked();
            return request.target().equals(NO_STORE) ? large.with("Cache-Control", "no-store") : large;
        });
        return client(passed.http, passed.core, new ReactorClientHttpConnector(HttpClient.create(oneConnection)));
    }

    @ParameterizedTest
    @MethodSource("ways")
    void H39_aFilterThatRefusesAResponseGivesItsConnectionBack(Passed passed) {
        WebClient client = client(passed);
        ExchangeFilterFunction refusing = ExchangeFilterFunction.ofResponseProcessor(
                response -> Mono.error(new IllegalStateException("refused")));
        for (int i = 0; i < REQUESTS; i++) {
            Mono<String> answer = answer(passed, client, refusing);
            assertThatThrownBy(() -> answer.block(Duration.ofSeconds(30))).hasMessage("refused");
        }
    }

    @ParameterizedTest
    @MethodSource("ways")
    void H39_aSubscriberThatLeavesWhileAFilterHasTheResponseGivesItsConnectionBack(Passed passed) {
        WebClient client = client(passed);
        for (int i = 0; i < REQUESTS; i++) {
            assertThat(leftResponse(passed, client).statusCode().value()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @MethodSource("ways")
    void H27_aSubscriberThatLeavesInTheMiddleOfABodyGivesItsConnectionBack(Passed passed) {
        WebClient client = client(passed);
        for (int i = 0; i < REQUESTS; i++) {
            assertThat(passed.request
                            .of(client, origin)
                            .exchangeToFlux(response -> response.bodyToFlux(DataBuffer.class))
                            .map(buffer -> {
                                DataBufferUtils.release(buffer);
                                return true;
                            })
                            .blockFirst(Duration.ofSeconds(30)))
                    .isTrue();
        }
    }

    /** What the adapter has read of it would come, and then nothing. */
    @Test
    void H39_aBodyThatTheAdapterHoldsFailsOnceItsSubscriberHasLeft() {
        Passed larger = larger();
        ClientResponse left = leftResponse(larger, client(larger));
        assertThat(left.bodyToMono(byte[].class).toFuture())
                .failsWithin(Duration.ofSeconds(30))
                .withThrowableThat()
                .withMessageContaining("not after the subscriber to the response has left");
    }

    /** A response that a filter had when its subscriber left. */
    private ClientResponse leftResponse(Passed passed, WebClient client) {
        CompletableFuture<ClientResponse> arrived = new CompletableFuture<>();
        Disposable subscriber = answer(
                        passed,
                        client,
                        (request, next) -> next.exchange(request).flatMap(response -> {
                            arrived.complete(response);
                            return Mono.never();
                        }))
                .subscribe(body -> {}, arrived::completeExceptionally);
        assertThat(arrived).succeedsWithin(Duration.ofSeconds(30));
        subscriber.dispose();
        return arrived.join();
    }
}
