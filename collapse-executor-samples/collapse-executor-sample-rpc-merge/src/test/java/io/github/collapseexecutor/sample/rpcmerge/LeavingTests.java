package io.github.collapseexecutor.sample.rpcmerge;

import static io.github.collapseexecutor.sample.rpcmerge.Calls.ECHO;
import static io.github.collapseexecutor.sample.rpcmerge.Calls.answer;
import static io.github.collapseexecutor.sample.rpcmerge.Calls.failure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.sample.rpcmerge.RawServer.Connection;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each call has its own time; what is pending is bounded; a server that takes nothing holds up itself alone. */
class LeavingTests {

    private static final int MOST = 50;

    private final BlockingQueue<String> strays = new LinkedBlockingQueue<>();
    private final RpcClient client = new RpcClient(RpcOptions.builder()
            .maxPending(MOST)
            .callTimeout(Duration.ofMinutes(5))
            .listener((peer, description) -> strays.add(description))
            .build());
    private RawServer server;

    @BeforeEach
    void open() throws Exception {
        server = new RawServer();
    }

    @AfterEach
    void close() throws Exception {
        client.close();
        server.close();
    }

    @Test
    void eachCallHasItsOwnTime() throws Exception {
        CompletableFuture<String> patient = client.call(server.address(), ECHO, "patient");
        try (Connection connection = server.accept()) {
            Message first = connection.readFrame().get(0);
            CompletableFuture<String> hasty = client.call(server.address(), ECHO, "hasty", Duration.ofMillis(30));
            Message second = connection.readFrame().get(0);
            assertThat(failure(hasty))
                    .isInstanceOf(TimeoutException.class)
                    .hasMessage("No answer to call " + second.id + " of type echo (1) within 30 ms");
            assertThat(patient).isNotDone();

            connection.write(RawServer.frame(RawServer.reply(second, "too late"), RawServer.reply(first, "in time")));
            assertThat(answer(patient)).isEqualTo("in time");
            assertThat(strays.poll(30, TimeUnit.SECONDS))
                    .contains("message " + second.id)
                    .contains("timed out");
        }
    }

    @Test
    void aCallThatWasAnsweredIsLeftInPeaceByItsTimer() throws Exception {
        CompletableFuture<String> call = client.call(server.address(), ECHO, "call", Duration.ofMinutes(1));
        try (Connection connection = server.accept()) {
            connection.write(
                    RawServer.frame(RawServer.reply(connection.readFrame().get(0), "answer")));
            assertThat(answer(call)).isEqualTo("answer");
            CompletableFuture<String> later = client.call(server.address(), ECHO, "later", Duration.ofMillis(1));
            assertThat(failure(later)).isInstanceOf(TimeoutException.class);
            assertThat(call).isCompletedWithValue("answer");
        }
    }

    @Test
    void aTimeThatIsNoneIsRefused() {
        assertThatThrownBy(() -> client.call(server.address(), ECHO, "call", Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("timeout is PT0S: it must be positive");
    }

    @Test
    void oneCallMoreThanPermittedIsRefusedUntilAnotherHasEnded() throws Exception {
        List<CompletableFuture<String>> calls = new ArrayList<>();
        for (int i = 0; i < MOST; i++) {
            calls.add(client.call(server.address(), ECHO, "call " + i));
        }
        try (Connection connection = server.accept()) {
            List<Message> requests = connection.read(MOST);
            assertThatThrownBy(() -> client.call(server.address(), ECHO, "one more"))
                    .isInstanceOf(RejectedExecutionException.class)
                    .hasMessageContaining("maxPending = " + MOST);

            connection.write(RawServer.frame(RawServer.reply(requests.get(7), "answer")));
            assertThat(answer(calls.get(7))).isEqualTo("answer");
            assertThat(calls.get(8).cancel(true)).isTrue();
            List<CompletableFuture<String>> more = List.of(
                    client.call(server.address(), ECHO, "in place of the answered"),
                    client.call(server.address(), ECHO, "in place of the cancelled"));
            for (Message request : connection.read(2)) {
                connection.write(RawServer.frame(RawServer.reply(request, "too")));
            }
            for (CompletableFuture<String> call : more) {
                assertThat(answer(call)).isEqualTo("too");
            }
        }
    }

    @Test
    void nothingHoldsACallThatHasEnded() throws Exception {
        try (Connection connection = openedBy(client.call(server.address(), ECHO, "first"))) {
            List<WeakReference<?>> ended = answeredTimedOutAndCancelled(connection);
            await().atMost(Duration.ofSeconds(30)).until(() -> {
                System.gc();
                return ended.stream().allMatch(call -> call.get() == null);
            });
        }
    }

    private Connection openedBy(CompletableFuture<String> call) throws Exception {
        Connection connection = server.accept();
        connection.write(RawServer.frame(RawServer.reply(connection.readFrame().get(0), "open")));
        assertThat(answer(call)).isEqualTo("open");
        return connection;
    }

    private List<WeakReference<?>> answeredTimedOutAndCancelled(Connection connection) throws Exception {
        CompletableFuture<String> answered = client.call(server.address(), ECHO, "answered");
        connection.write(RawServer.frame(RawServer.reply(connection.readFrame().get(0), "answer")));
        assertThat(answer(answered)).isEqualTo("answer");
        CompletableFuture<String> cancelled = client.call(server.address(), ECHO, "cancelled");
        assertThat(connection.readFrame()).hasSize(1);
        assertThat(cancelled.cancel(true)).isTrue();
        CompletableFuture<String> timedOut = client.call(server.address(), ECHO, "timed out", Duration.ofMillis(20));
        assertThat(failure(timedOut)).isInstanceOf(TimeoutException.class);
        return List.of(new WeakReference<>(answered), new WeakReference<>(cancelled), new WeakReference<>(timedOut));
    }

    @Test
    void aRequestThatAServerDoesNotTakeWaitsAndTimesOutAndHoldsUpNobodyElse() throws Exception {
        // More than the system keeps between two ends that do not read.
        String large = "x".repeat(60_000);
        List<CompletableFuture<String>> stuck = new ArrayList<>();
        try (RawServer other = new RawServer()) {
            RpcOptions options = RpcOptions.builder().maxPending(2_000).build();
            try (RpcClient both = new RpcClient(options)) {
                stuck.add(both.call(server.address(), ECHO, "first", Duration.ofMinutes(5)));
                try (Connection connection = server.accept()) {
                    connection.readFrame();
                    CountDownLatch goOn = Calls.holdUp(both, server, connection); // so that all are in one batch
                    for (int i = 0; i < 500; i++) {
                        stuck.add(both.call(server.address(), ECHO, large, Duration.ofSeconds(1)));
                    }
                    goOn.countDown();
                    CompletableFuture<String> elsewhere = both.call(other.address(), ECHO, "elsewhere");
                    try (Connection toOther = other.accept()) {
                        toOther.write(RawServer.frame(
                                RawServer.reply(toOther.readFrame().get(0), "not held up")));
                        assertThat(answer(elsewhere)).isEqualTo("not held up");
                    }
                    for (CompletableFuture<String> call : stuck.subList(1, stuck.size())) {
                        assertThat(failure(call)).isInstanceOf(TimeoutException.class);
                    }
                    assertThat(stuck.get(0)).isNotDone();
                    long framesBefore = both.framesSent();
                    for (int i = 0; i < 5; i++) {
                        assertThat(failure(both.call(server.address(), ECHO, "more", Duration.ofMillis(20))))
                                .isInstanceOf(TimeoutException.class);
                    }
                    assertThat(both.framesSent())
                            .as("nothing is piled upon a frame that is not taken")
                            .isEqualTo(framesBefore);
                    // A call whose caller left while it waited is never sent.
                    CompletableFuture<String> last = both.call(server.address(), ECHO, "last", Duration.ofMinutes(5));
                    int frames = 0;
                    List<Message> frame;
                    do {
                        frame = connection.readFrame();
                        frames++;
                    } while (!RawServer.text(frame.get(0)).equals("last"));
                    assertThat(frames).isLessThan(400);
                    connection.write(RawServer.frame(RawServer.reply(frame.get(0), "taken")));
                    assertThat(answer(last)).isEqualTo("taken");
                }
            }
        }
    }
}
