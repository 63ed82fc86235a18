package io.github.collapseexecutor.http.okhttp;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.gate.OnEachJdk;
import io.github.collapseexecutor.http.fixture.Callers.Caller;
import io.github.collapseexecutor.http.fixture.OriginReply;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import okhttp3.Call;
import okhttp3.Callback;
import okhttp3.ConnectionPool;
import okhttp3.Dispatcher;
import okhttp3.OkHttpClient;
import okhttp3.Response;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * H39: a thread that is interrupted while OkHttp connects gets an {@link InterruptedException}, which no method of OkHttp
 * declares.
 */
@OnEachJdk
class InterruptedConnectingTests extends OkHttpFixture {

    private final CountDownLatch connecting = new CountDownLatch(1);
    private final CountDownLatch given = new CountDownLatch(1);
    private final AtomicBoolean first = new AtomicBoolean(true);

    @AfterEach
    void giveUp() {
        given.countDown();
    }

    /** Its first connection is not established before the end of the test. */
    private OkHttpClient.Builder unconnected(OkHttpClient.Builder builder) {
        return builder.connectionPool(new ConnectionPool()).socketFactory(new UnconnectedSockets() {
            @Override
            public Socket createSocket() {
                return first.getAndSet(false) ? new Unconnected() : new Socket();
            }
        });
    }

    private final class Unconnected extends Socket {
        @Override
        public void connect(SocketAddress address, int timeout) throws IOException {
            connecting.countDown();
            try {
                given.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            throw new SocketException("not connected");
        }
    }

    private static OkHttpClient.Builder fresh() {
        return OkHttpClients.PLAIN
                .newBuilder()
                .addInterceptor(new CollapseOkHttpInterceptor(everything().build(), CollapseOptions.defaults()));
    }

    /** What a caller sees of the failure of its call, with the interrupt status of its thread. */
    private record Seen(Class<?> type, boolean interrupted) {}

    private Caller<Seen> connect(OkHttpClient client) throws InterruptedException {
        Caller<Seen> caller = callers.start(() -> {
            try {
                throw new AssertionError("It got " + bodyOf(callOf(client)));
            } catch (Exception e) {
                return new Seen(e.getClass(), Thread.currentThread().isInterrupted());
            }
        });
        connecting.await();
        return caller;
    }

    private void assertInterruptedAsWithoutCollapsing(OkHttpClient client) throws Exception {
        Caller<Seen> caller = connect(client);
        caller.thread().interrupt();
        assertThat(caller.get()).isEqualTo(new Seen(InterruptedException.class, false));
    }

    @Test
    void withoutCollapsing() throws Exception {
        assertInterruptedAsWithoutCollapsing(
                unconnected(OkHttpClients.PLAIN.newBuilder()).build());
    }

    @Test
    void H39_theInterruptionOfACallThatOthersMayJoin() throws Exception {
        assertInterruptedAsWithoutCollapsing(unconnected(collapsing()).build());
    }

    @Test
    void H39_theInterruptionOfALoneCall() throws Exception {
        assertInterruptedAsWithoutCollapsing(unconnected(fresh()).build());
    }

    @Test
    void H23_aFollowerOfAnInterruptedLeaderMakesTheCall() throws Exception {
        origin.answer(request -> OriginReply.ok("again"));
        OkHttpClient client = unconnected(collapsing()).build();
        Caller<Seen> leader = connect(client);
        Caller<String> follower = callers.start(() -> bodyOf(callOf(client)));
        follower.awaitJoined();
        leader.thread().interrupt();
        assertThat(leader.get()).isEqualTo(new Seen(InterruptedException.class, false));
        assertThat(follower.get()).isEqualTo("again");
        assertThat(origin.requests()).hasSize(1);
    }

    private void assertStoppedAsWithoutCollapsing(OkHttpClient.Builder builder) throws Exception {
        OkHttpClient client = unconnected(builder.dispatcher(new Dispatcher())).build();
        CompletableFuture<IOException> failed = new CompletableFuture<>();
        callOf(client).enqueue(new Callback() {
            @Override
            public void onFailure(Call call, IOException e) {
                failed.complete(e);
            }

            @Override
            public void onResponse(Call call, Response response) {
                response.close();
            }
        });
        connecting.await();
        client.dispatcher().executorService().shutdownNow();
        assertThat(failed.get(1, TimeUnit.MINUTES))
                .hasMessageStartingWith("canceled due to")
                .hasCauseInstanceOf(InterruptedException.class);
    }

    @Test
    void H39_aStoppedDispatcherWithACallThatOthersMayJoin() throws Exception {
        assertStoppedAsWithoutCollapsing(collapsing());
    }

    @Test
    void H39_aStoppedDispatcherWithALoneCall() throws Exception {
        assertStoppedAsWithoutCollapsing(fresh());
    }
}
