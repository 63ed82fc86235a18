package io.github.collapseexecutor.sample.rpcmerge;

import static io.github.collapseexecutor.sample.rpcmerge.Calls.ECHO;
import static io.github.collapseexecutor.sample.rpcmerge.Calls.LENGTH;
import static io.github.collapseexecutor.sample.rpcmerge.Calls.answer;
import static io.github.collapseexecutor.sample.rpcmerge.Calls.assertFailed;
import static io.github.collapseexecutor.sample.rpcmerge.Calls.failure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.collapseexecutor.sample.rpcmerge.RawServer.Connection;
import io.github.collapseexecutor.sample.rpcmerge.RpcException.Reason;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
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
import org.junit.jupiter.api.Test;

/** A type of request that is never answered takes its own places, and gives them back; others go on. */
class PlacesPerTypeTests {

    /** Requests of type {@code ECHO} that a handler has taken and not answered. */
    private final BlockingQueue<CompletableFuture<String>> held = new LinkedBlockingQueue<>();

    private RpcServer holding(RpcOptions options) {
        return RpcServer.builder(options)
                .handlerWithoutThreads(ECHO, text -> {
                    CompletableFuture<String> never = new CompletableFuture<>();
                    held.add(never);
                    return never;
                })
                .handlerWithoutThreads(LENGTH, text -> CompletableFuture.completedFuture((long) text.length()))
                .start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    private static RpcClient patient() {
        return new RpcClient(RpcOptions.builder()
                .maxPending(30_000)
                .maxPerType(30_000)
                .callTimeout(Duration.ofMinutes(5))
                .build());
    }

    @Test
    void tenThousandRequestsThatAreNeverAnsweredDoNotHoldUpAConnection() throws Exception {
        try (RpcServer server = holding(RpcOptions.defaults());
                RpcClient client = patient()) {
            List<CompletableFuture<String>> calls = new ArrayList<>();
            for (int i = 0; i < 12_000; i++) {
                calls.add(client.call(server.address(), ECHO, "never"));
            }
            assertThat(answer(client.call(server.address(), LENGTH, "other"))).isEqualTo(5);
            assertFailed(calls.get(11_999), Reason.REMOTE)
                    .hasMessageContaining("maxPerType = 5000 requests of its type and connection have no answer yet");
            assertThat(held).hasSize(5_000);
            assertThat(calls.get(0)).isNotDone();
        }
    }

    @Test
    void aServerGivesEachConnectionItsOwnPlaces() throws Exception {
        try (RpcServer server = holding(RpcOptions.builder().maxPerType(2).build());
                RpcClient first = patient();
                RpcClient second = patient()) {
            CompletableFuture<String> call = first.call(server.address(), ECHO, "held");
            CompletableFuture<String> another = first.call(server.address(), ECHO, "held");
            CompletableFuture<String> answered = held.poll(30, TimeUnit.SECONDS);
            assertFailed(first.call(server.address(), ECHO, "one too many"), Reason.REMOTE)
                    .hasMessageContaining("maxPerType = 2");
            CompletableFuture<String> ofSecond = second.call(server.address(), ECHO, "held");
            assertThat(held.poll(30, TimeUnit.SECONDS)).isNotNull();
            assertThat(held.poll(30, TimeUnit.SECONDS)).isNotNull();
            answered.complete("answered");
            assertThat(answer(CompletableFuture.anyOf(call, another))).isEqualTo("answered");
            CompletableFuture<String> inItsPlace = first.call(server.address(), ECHO, "held");
            held.poll(30, TimeUnit.SECONDS).complete("too");
            assertThat(answer(inItsPlace)).isEqualTo("too");
            assertThat(ofSecond).isNotDone();
        }
    }

    @Test
    void aRequestThatTakesTooLongGivesItsPlaceBackAndItsLateAnswerIsDropped() throws Exception {
        RpcOptions options = RpcOptions.builder()
                .maxPerType(2)
                .handlerTimeout(Duration.ofMillis(50))
                .build();
        try (RpcServer server = holding(options);
                Connection raw = Connection.to(server.address())) {
            raw.write(RawServer.frame(request(1, ECHO), request(2, ECHO)));
            for (Message told : raw.read(2)) {
                assertThat(told.kind).isEqualTo(Frame.FAILURE);
                assertThat(RawServer.text(told)).contains("TimeoutException: no answer within 50 ms");
            }
            held.forEach(late -> late.complete("late"));
            raw.write(RawServer.frame(request(3, ECHO), request(4, LENGTH)));
            List<Message> rest = raw.read(2);
            assertThat(rest).extracting(message -> message.id).containsExactlyInAnyOrder(3L, 4L);
            assertThat(rest)
                    .filteredOn(message -> message.id == 3)
                    .extracting(RawServer::text)
                    .allMatch(text -> text.contains("no answer within 50 ms"), "that was taken, and held");
        }
    }

    private static byte[] request(long id, MessageType<?, ?> type) {
        return RawServer.message(id, type.number(), Frame.REQUEST, "text".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aRequestWhoseTimeIsOverBeforeAThreadIsFreeIsNotRun() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        BlockingQueue<String> begun = new LinkedBlockingQueue<>();
        try (RpcServer server = RpcServer.builder(RpcOptions.builder()
                                .handlerTimeout(Duration.ofMillis(50))
                                .build())
                        .handler(
                                ECHO,
                                text -> {
                                    begun.add(text);
                                    Calls.await(release);
                                    return text;
                                },
                                1)
                        .start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                RpcClient client = patient()) {
            CompletableFuture<String> slow = callThatBegins("slow", client, server, begun);
            CompletableFuture<String> behind = client.call(server.address(), ECHO, "behind");
            assertFailed(slow, Reason.REMOTE).hasMessageContaining("no answer within 50 ms");
            assertFailed(behind, Reason.REMOTE).hasMessageContaining("no answer within 50 ms");
            release.countDown();
            CompletableFuture<String> unused = callThatBegins("later", client, server, begun);
        }
    }

    /** On a slow machine, the time of a call may be over before even a free thread takes it: then another is made. */
    private static CompletableFuture<String> callThatBegins(
            String text, RpcClient client, RpcServer server, BlockingQueue<String> begun) throws InterruptedException {
        CompletableFuture<String> call = client.call(server.address(), ECHO, text);
        String first = begun.poll(10, TimeUnit.MILLISECONDS);
        while (first == null) {
            if (call.isDone()) {
                call = client.call(server.address(), ECHO, text);
            }
            first = begun.poll(10, TimeUnit.MILLISECONDS);
        }
        assertThat(first).isEqualTo(text);
        return call;
    }

    @Test
    void aClientKeepsRoomForOtherTypesAndServers() throws Exception {
        RpcOptions options = RpcOptions.builder().maxPending(5).maxPerType(3).build();
        try (RawServer server = new RawServer();
                RawServer otherServer = new RawServer();
                RpcClient client = new RpcClient(options)) {
            for (int i = 0; i < 3; i++) {
                CompletableFuture<String> unused = client.call(server.address(), ECHO, "never");
            }
            assertThatThrownBy(() -> client.call(server.address(), ECHO, "one more"))
                    .isInstanceOf(RejectedExecutionException.class)
                    .hasMessageContaining("maxPerType = 3 calls of type echo (1) to " + server.address())
                    .hasMessageContaining("raise maxPerType");
            CompletableFuture<Long> length = client.call(server.address(), LENGTH, "other type");
            try (Connection connection = server.accept()) {
                Message request = connection.read(4).get(3);
                connection.write(RawServer.frame(RawServer.reply(request, 10)));
                assertThat(answer(length)).isEqualTo(10);
            }
            CompletableFuture<String> elsewhere = client.call(otherServer.address(), ECHO, "other server");
            try (Connection connection = otherServer.accept()) {
                connection.write(
                        RawServer.frame(RawServer.reply(connection.readFrame().get(0), "answer")));
                assertThat(answer(elsewhere)).isEqualTo("answer");
            }
        }
    }

    @Test
    void howeverACallEndsItGivesItsPlaceBack() throws Exception {
        RpcOptions options = RpcOptions.builder().maxPerType(1).maxPending(2).build();
        try (RawServer server = new RawServer();
                RpcClient client = new RpcClient(options)) {
            CompletableFuture<String> answered = client.call(server.address(), ECHO, "answered");
            Connection connection = server.accept();
            connection.write(
                    RawServer.frame(RawServer.reply(connection.readFrame().get(0), "answer")));
            assertThat(answer(answered)).isEqualTo("answer");

            CompletableFuture<String> timedOut =
                    client.call(server.address(), ECHO, "timed out", Duration.ofMillis(20));
            assertThat(failure(timedOut)).isInstanceOf(TimeoutException.class);
            assertThat(client.call(server.address(), ECHO, "cancelled").cancel(true))
                    .isTrue();
            assertThat(client.call(server.address(), ECHO, "completed").complete("by its caller"))
                    .isTrue();

            CompletableFuture<String> failed = client.call(server.address(), ECHO, "failed");
            List<Message> requests;
            do {
                requests = connection.readFrame();
            } while (!RawServer.text(requests.get(requests.size() - 1)).equals("failed"));
            connection.write(RawServer.frame(
                    RawServer.message(requests.get(requests.size() - 1).id, 1, Frame.FAILURE, new byte[0])));
            assertFailed(failed, Reason.REMOTE);

            CompletableFuture<Long> other = client.call(server.address(), LENGTH, "other");
            CompletableFuture<String> lost = client.call(server.address(), ECHO, "lost");
            MessageType<String, String> third = new MessageType<>(3, "third", Codec.UTF_8, Codec.UTF_8);
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> client.call(server.address(), third, "refused"))
                        .isInstanceOf(RejectedExecutionException.class)
                        .hasMessageContaining("maxPending = 2");
            }
            assertThat(connection.read(2)).hasSize(2); // or they would be sent by the next connection
            connection.close();
            assertFailed(lost, Reason.CONNECTION);
            assertFailed(other, Reason.CONNECTION);
            CompletableFuture<String> last = client.call(server.address(), third, "in the place of the refused");
            try (Connection next = server.accept()) {
                next.write(RawServer.frame(RawServer.reply(next.readFrame().get(0), "answer")));
                assertThat(answer(last)).isEqualTo("answer");
            }
        }
    }

    @Test
    void aCallerThatCallsAgainAsSoonAsItIsAnsweredFindsItsPlace() throws Exception {
        RpcOptions options = RpcOptions.builder().maxPerType(1).build();
        try (RpcServer server = holding(RpcOptions.defaults());
                RpcClient client = new RpcClient(options)) {
            CompletableFuture<Long> chain = client.call(server.address(), LENGTH, "");
            for (int i = 0; i < 100; i++) {
                chain = chain.thenCompose(
                        length -> client.call(server.address(), LENGTH, "x".repeat(length.intValue() + 1)));
            }
            assertThat(answer(chain)).isEqualTo(100);
            CompletableFuture<String> afterItsTime = client.call(server.address(), ECHO, "never", Duration.ofMillis(20))
                    .exceptionallyCompose(timeout -> client.call(server.address(), ECHO, "again"));
            CompletableFuture<String> first = held.poll(30, TimeUnit.SECONDS);
            CompletableFuture<String> second = held.poll(30, TimeUnit.SECONDS);
            first.complete("late");
            second.complete("answer");
            assertThat(answer(afterItsTime)).isEqualTo("answer");
        }
    }
}
