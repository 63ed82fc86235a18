package io.github.collapseexecutor.http.jdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.github.collapseexecutor.gate.OnEachJdk;
import io.github.collapseexecutor.http.fixture.Callers.Caller;
import io.github.collapseexecutor.http.fixture.OriginReply;
import io.github.collapseexecutor.http.fixture.RefusedAddress;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin.Hold;
import java.io.IOException;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.CookieManager;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What only the adapter of the JDK's client promises: time-outs, cancellation, exceptions, the methods of a client. */
@OnEachJdk
class CollapseHttpClientTests extends JdkClientFixture {

    @Test
    void sendAndSendAsyncShareOneExchange() throws Exception {
        HttpClient client = collapsing();
        Hold hold = origin.hold();
        Caller<HttpResponse<String>> leader = callers.start(() -> client.send(get(), BodyHandlers.ofString()));
        hold.await(1);
        CompletableFuture<HttpResponse<String>> follower = sendAsync(client);
        hold.release();
        assertThat(leader.get().body()).isEqualTo("/a");
        assertThat(valueOf(follower).body()).isEqualTo("/a");
        assertThat(origin.requests()).hasSize(1);
    }

    @Test
    void H23_theLastCallerToLeaveCancelsTheExchange() throws Exception {
        WatchedClient watched = new WatchedClient(JdkClients.PLAIN);
        HttpClient client = over(watched);
        Hold hold = origin.hold();
        CompletableFuture<HttpResponse<String>> leader = sendAsync(client);
        hold.await(1);
        CompletableFuture<HttpResponse<String>> follower = sendAsync(client);
        leader.cancel(true);
        assertThat(watched.promised().get(0)).isNotDone();
        follower.cancel(true);
        await().untilAsserted(() -> assertThat(watched.promised().get(0)).isDone());
        origin.holdNoMore();
        assertThat(valueOf(sendAsync(client)).body()).isEqualTo("/a");
        hold.release();
    }

    @Test
    void H23_aCallerThatCancelsInMidBodyEndsItsReaderAndTheExchange() throws Exception {
        origin.answer(request -> OriginReply.ok("half").stalled());
        Reader reader = new Reader();
        CompletableFuture<HttpResponse<String>> caller = fresh().sendAsync(get(), info -> reader);
        assertThat(reader.begun.await(30, TimeUnit.SECONDS)).isTrue();
        caller.cancel(true);
        assertThat(valueOf(reader.failure)).isInstanceOf(IOException.class);
    }

    @Test
    void H23_cancellingADerivedFutureMakesTheCallerLeave() throws Exception {
        for (boolean collapses : new boolean[] {false, true}) {
            WatchedClient watched = new WatchedClient(JdkClients.PLAIN);
            HttpClient client = collapses ? over(watched) : watched;
            Hold hold = origin.hold();
            CompletableFuture<HttpResponse<String>> sent = sendAsync(client);
            CompletableFuture<String> text = sent.thenApply(HttpResponse::body).thenApply(String::trim);
            hold.await(1);
            text.cancel(true);
            assertThat(text).isCompletedExceptionally();
            await().untilAsserted(() -> assertThat(watched.promised().get(0)).isDone());
            await().untilAsserted(() -> assertThat(sent).isCompletedExceptionally());
            hold.release();
        }
    }

    @Test
    void H23_aCallerThatCancelsADerivedFutureLeavesAlone() throws Exception {
        HttpClient client = collapsing();
        Hold hold = origin.hold();
        CompletableFuture<HttpResponse<String>> leader = sendAsync(client);
        hold.await(1);
        CompletableFuture<HttpResponse<String>> follower = sendAsync(client);
        leader.thenApply(HttpResponse::body).cancel(true);
        assertThat(leader).isCancelled();
        assertThat(follower.thenApply(HttpResponse::body).cancel(false)).isTrue();
        hold.release();
        assertThat(valueOf(follower).body()).isEqualTo("/a");
        assertThat(origin.requests()).hasSize(1);
    }

    @Test
    void H24_anInterruptOfAFollowersThreadEndsItAlone() throws Exception {
        WatchedClient watched = new WatchedClient(JdkClients.PLAIN);
        HttpClient client = over(watched);
        Hold hold = origin.hold();
        CompletableFuture<HttpResponse<String>> leader = sendAsync(client);
        hold.await(1);
        Caller<HttpResponse<String>> follower = callers.start(() -> client.send(get(), BodyHandlers.ofString()));
        await().until(() -> follower.thread().getState() == Thread.State.WAITING);
        follower.thread().interrupt();
        assertThat(follower.failure()).isInstanceOf(InterruptedException.class);
        assertThat(leader).isNotDone();
        hold.release();
        assertThat(valueOf(leader).body()).isEqualTo("/a");
        assertThat(watched.promised()).hasSize(1);
    }

    @Test
    void H25_aRequestsOwnTimeoutEndsItAlone() throws Exception {
        HttpClient client = collapsing();
        // On a slow machine, the leader's time may be over before the follower has joined: then one with more time
        // shows it.
        Duration timeout = Duration.ofMillis(100);
        while (!leaderTimesOutAlone(client, timeout)) {
            timeout = timeout.multipliedBy(2);
        }
    }

    /** Returns whether the follower joined before the leader's time was over. */
    private boolean leaderTimesOutAlone(HttpClient client, Duration timeout) throws Exception {
        String target = "/" + timeout.toMillis();
        HttpRequest unhurried = HttpRequest.newBuilder(origin.uri(target)).build();
        HttpRequest hurried = HttpRequest.newBuilder(unhurried, (name, value) -> true)
                .timeout(timeout)
                .build();
        Hold hold = origin.hold();
        CompletableFuture<HttpResponse<String>> leader = client.sendAsync(hurried, BodyHandlers.ofString());
        CompletableFuture<HttpResponse<String>> patient = client.sendAsync(unhurried, BodyHandlers.ofString());
        boolean joined = !leader.isDone();
        assertThat(failureOf(leader)).isInstanceOf(HttpTimeoutException.class).hasMessage("request timed out");
        assertThatThrownBy(() -> client.send(hurried, BodyHandlers.ofString()))
                .isInstanceOf(HttpTimeoutException.class);
        assertThat(patient).isNotDone();
        hold.release();
        assertThat(valueOf(patient).body()).isEqualTo(target);
        if (joined) {
            assertThat(origin.requests())
                    .filteredOn(sent -> sent.target().equals(target))
                    .hasSize(1);
        }
        return joined;
    }

    /** The body is complete when the time-out has passed long since. Since Java 26 the time-out of the JDK covers the body. */
    @Test
    void H25_aRequestsOwnTimeoutEndsWhereThatOfTheClientDoes() throws Exception {
        HttpRequest hurried = request().timeout(Duration.ofSeconds(2)).build();
        for (boolean collapses : new boolean[] {false, true}) {
            try (SlowBody slow = new SlowBody()) {
                WatchedClient watched = new WatchedClient(JdkClients.PLAIN);
                HttpClient client = collapses ? over(watched) : watched;
                CompletableFuture<HttpResponse<String>> response = client.sendAsync(
                        HttpRequest.newBuilder(hurried, (name, value) -> true)
                                .uri(slow.uri())
                                .build(),
                        BodyHandlers.ofString());
                slow.headSent.await();
                CompletableFuture<Void> later = new CompletableFuture<>();
                assertThatThrownBy(() ->
                                later.orTimeout(2_500, TimeUnit.MILLISECONDS).join())
                        .hasCauseInstanceOf(TimeoutException.class);
                slow.rest.countDown();
                if (Runtime.version().feature() < 26) {
                    assertThat(valueOf(response).body()).isEqualTo("/a");
                } else {
                    assertThat(failureOf(response)).isInstanceOf(HttpTimeoutException.class);
                }
            }
        }
    }

    /** A server that sends the head of a response and a half of its body at once, and the rest when it is told to. */
    private static final class SlowBody implements AutoCloseable {

        final CountDownLatch headSent = new CountDownLatch(1);
        final CountDownLatch rest = new CountDownLatch(1);
        private final HttpServer server;

        SlowBody() throws IOException {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.createContext("/", exchange -> {
                exchange.sendResponseHeaders(200, 2);
                try (OutputStream out = exchange.getResponseBody()) {
                    out.write('/');
                    out.flush();
                    headSent.countDown();
                    rest.await();
                    out.write('a');
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            server.start();
        }

        URI uri() {
            return URI.create("http://localhost:" + server.getAddress().getPort() + "/a");
        }

        @Override
        public void close() {
            rest.countDown();
            server.stop(0);
        }
    }

    @Test
    void H25_aTimeoutThatDoesNotPassChangesNothing() throws Exception {
        HttpRequest request = request().timeout(Duration.ofDays(1_000_000_000L)).build();
        HttpResponse<String> response = collapsing().send(request, BodyHandlers.ofString());
        assertThat(response.body()).isEqualTo("/a");
        assertThat(response.request()).isSameAs(request);
    }

    @Test
    void H22_failuresKeepTheTypeThatTheClientThrows() throws Exception {
        URI noTls = URI.create(origin.uri("/a").toString().replace("http:", "https:"));
        HttpClient client = collapsing();
        try (RefusedAddress nobody = new RefusedAddress()) {
            HttpRequest refused =
                    HttpRequest.newBuilder(URI.create(nobody.url("/a"))).build();
            for (int i = 0; i < 2; i++) {
                assertThat(failureOf(client.sendAsync(refused, BodyHandlers.ofString())))
                        .isInstanceOf(ConnectException.class);
                assertThatThrownBy(() -> client.send(refused, BodyHandlers.ofString()))
                        .isInstanceOf(ConnectException.class);
                assertThatThrownBy(
                                () -> client.send(HttpRequest.newBuilder(noTls).build(), BodyHandlers.ofString()))
                        .isInstanceOf(SSLException.class);
            }
        }
    }

    @Test
    void aRequestTooManyFailsLikeARequestThatCannotBeSent() throws Exception {
        HttpClient client = new CollapseHttpClient(
                JdkClients.PLAIN,
                everything().build(),
                IN_FLIGHT.toBuilder().maxPending(1).build());
        Hold hold = origin.hold();
        CompletableFuture<HttpResponse<String>> leader = sendAsync(client);
        hold.await(1);
        assertThat(failureOf(sendAsync(client))).isInstanceOf(RejectedExecutionException.class);
        assertThatThrownBy(() -> client.send(get(), BodyHandlers.ofString()))
                .isInstanceOf(IOException.class)
                .hasCauseInstanceOf(RejectedExecutionException.class);
        hold.release();
        assertThat(valueOf(leader).body()).isEqualTo("/a");
    }

    @Test
    void sendFailsAsTheClientDoesIfAHandlerThrows() {
        BodyHandler<String> illegal = info -> {
            throw new IllegalArgumentException("handler");
        };
        BodyHandler<String> broken = info -> {
            throw new IllegalStateException("handler");
        };
        for (HttpClient client : List.of(JdkClients.PLAIN, fresh())) {
            assertThatThrownBy(() -> client.send(get(), illegal)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> client.send(get(), broken))
                    .isInstanceOf(IOException.class)
                    .hasCauseInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void H39_threadsThatRefuseFailTheCaller() throws Exception {
        Executor refusing = task -> {
            throw new RejectedExecutionException("full");
        };
        HttpClient client = over(new WatchedClient(JdkClients.PLAIN) {
            @Override
            public Optional<Executor> executor() {
                return Optional.of(refusing);
            }
        });
        assertThat(failureOf(sendAsync(client))).isInstanceOf(RejectedExecutionException.class);
    }

    @Test
    void theConfigurationOfTheWrappedClientIsShown() {
        HttpClient plain = HttpClient.newBuilder()
                .cookieHandler(new CookieManager())
                .connectTimeout(Duration.ofSeconds(7))
                .executor(Runnable::run)
                .version(HttpClient.Version.HTTP_1_1)
                .build();
        HttpClient client = collapsing(plain);
        assertThat(client.cookieHandler()).isEqualTo(plain.cookieHandler());
        assertThat(client.connectTimeout()).contains(Duration.ofSeconds(7));
        assertThat(client.executor()).isEqualTo(plain.executor());
        assertThat(client.version()).isEqualTo(HttpClient.Version.HTTP_1_1);
        assertThat(client.followRedirects()).isEqualTo(plain.followRedirects());
        assertThat(client.proxy()).isEqualTo(plain.proxy());
        assertThat(client.authenticator()).isEmpty();
        assertThat(client.sslContext()).isSameAs(plain.sslContext());
        assertThat(client.sslParameters().getProtocols())
                .isEqualTo(plain.sslParameters().getProtocols());
        assertThat(client.newWebSocketBuilder()).isNotNull();
    }

    /** {@code HttpClient} has these methods since Java 21, and its {@code close()} calls them. */
    @Test
    void closingClosesTheWrappedClient() throws Exception {
        HttpClient plain = HttpClient.newHttpClient();
        CollapseHttpClient client = new CollapseHttpClient(plain, everything().build());
        if (Runtime.version().feature() < 21) {
            assertThatThrownBy(client::shutdown)
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("Java 21");
            return;
        }
        assertThat(client.isTerminated()).isFalse();
        closeOf(client);
        assertThat(client.isTerminated()).isTrue();
        assertThat(client.awaitTermination(Duration.ofSeconds(1))).isTrue();
        client.shutdownNow();
        assertThatThrownBy(() -> plain.send(get(), BodyHandlers.ofString())).isInstanceOf(IOException.class);
    }

    private static void closeOf(@Nullable Object client) throws Exception {
        ((AutoCloseable) client).close();
    }
}
