package io.github.collapseexecutor.sample.rpcmerge;

import static io.github.collapseexecutor.sample.rpcmerge.Calls.ECHO;
import static io.github.collapseexecutor.sample.rpcmerge.Calls.LENGTH;
import static io.github.collapseexecutor.sample.rpcmerge.Calls.answer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.collapseexecutor.sample.rpcmerge.RawServer.Connection;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** What waits for one server leaves as one frame, within the limits; answers find their calls by their ids. */
class MergingTests {

    private static Connection open(RpcClient client, RawServer server) throws Exception {
        CompletableFuture<String> opening = client.call(server.address(), ECHO, "opening");
        Connection connection = server.accept();
        connection.write(RawServer.frame(RawServer.reply(connection.readFrame().get(0), "open")));
        assertThat(answer(opening)).isEqualTo("open");
        return connection;
    }

    @Test
    void callsOfAllTypesThatWaitForOneServerLeaveAsOneFrame() throws Exception {
        try (RawServer server = new RawServer();
                RpcClient client = new RpcClient(RpcOptions.defaults());
                Connection connection = open(client, server)) {
            CountDownLatch goOn = Calls.holdUp(client, server, connection);
            CompletableFuture<String> echo = client.call(server.address(), ECHO, "a");
            CompletableFuture<Long> length = client.call(server.address(), LENGTH, "bb");
            CompletableFuture<String> another = client.call(server.address(), ECHO, "c");
            goOn.countDown();

            List<Message> frame = connection.readFrame();
            assertThat(frame).extracting(message -> message.type).containsExactly(1, 2, 1);
            assertThat(frame).extracting(RawServer::text).containsExactly("a", "bb", "c");

            // Answered in another order, the last one alone.
            connection.write(RawServer.frame(RawServer.reply(frame.get(2), "C"), RawServer.reply(frame.get(1), 2)));
            connection.write(RawServer.frame(RawServer.reply(frame.get(0), "A")));
            assertThat(answer(echo)).isEqualTo("A");
            assertThat(answer(length)).isEqualTo(2);
            assertThat(answer(another)).isEqualTo("C");
        }
    }

    @Test
    void callsForDifferentServersDoNotShareAFrame() throws Exception {
        try (RawServer one = new RawServer();
                RawServer other = new RawServer();
                RpcClient client = new RpcClient(RpcOptions.defaults());
                Connection toOne = open(client, one);
                Connection toOther = open(client, other)) {
            CountDownLatch goOn = Calls.holdUp(client, one, toOne);
            CompletableFuture<String> first = client.call(one.address(), ECHO, "one");
            CompletableFuture<String> second = client.call(other.address(), ECHO, "other");
            goOn.countDown();
            Message atOne = toOne.readFrame().get(0);
            Message atOther = toOther.readFrame().get(0);
            assertThat(RawServer.text(atOne)).isEqualTo("one");
            assertThat(RawServer.text(atOther)).isEqualTo("other");
            toOther.write(RawServer.frame(RawServer.reply(atOther, "2")));
            assertThat(answer(second)).isEqualTo("2");
            assertThat(first).isNotDone();
            toOne.write(RawServer.frame(RawServer.reply(atOne, "1")));
            assertThat(answer(first)).isEqualTo("1");
        }
    }

    @Test
    void aFrameHasNoMoreMessagesThanPermitted() throws Exception {
        RpcOptions options = RpcOptions.builder().maxFrameMessages(4).build();
        assertThat(sizesOfFrames(options, 10, "x")).containsExactly(4, 4, 2);
    }

    @Test
    void aFrameHasNoMoreBytesThanPermitted() throws Exception {
        // 4 bytes, and 15 + 45 a message.
        RpcOptions options = RpcOptions.builder().maxFrameBytes(4 + 3 * 60).build();
        assertThat(sizesOfFrames(options, 8, "x".repeat(45))).containsExactly(3, 3, 2);
    }

    private static List<Integer> sizesOfFrames(RpcOptions options, int calls, String asked) throws Exception {
        try (RawServer server = new RawServer();
                RpcClient client = new RpcClient(options);
                Connection connection = open(client, server)) {
            CountDownLatch goOn = Calls.holdUp(client, server, connection);
            List<CompletableFuture<String>> answers = new ArrayList<>();
            for (int i = 0; i < calls; i++) {
                answers.add(client.call(server.address(), ECHO, asked));
            }
            goOn.countDown();
            List<Integer> sizes = new ArrayList<>();
            List<Message> received = new ArrayList<>();
            while (received.size() < calls) {
                List<Message> frame = connection.readFrame();
                sizes.add(frame.size());
                received.addAll(frame);
            }
            Collections.reverse(received);
            for (Message request : received) {
                connection.write(RawServer.frame(RawServer.reply(request, "answer to " + request.id)));
            }
            for (int i = 0; i < calls; i++) {
                assertThat(answer(answers.get(i))).isEqualTo("answer to " + (i + 3));
            }
            return sizes;
        }
    }

    @Test
    void aRequestThatFitsIntoNoFrameIsRefusedAndNoOther() throws Exception {
        RpcOptions options = RpcOptions.builder().maxFrameBytes(64).build();
        try (RawServer server = new RawServer();
                RpcClient client = new RpcClient(options);
                Connection connection = open(client, server)) {
            assertThatThrownBy(() -> client.call(server.address(), ECHO, "x".repeat(46)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("The request of type echo (1) has 46 bytes: maxFrameBytes = 64 permits 45");
            CompletableFuture<String> largest = client.call(server.address(), ECHO, "x".repeat(45));
            connection.write(
                    RawServer.frame(RawServer.reply(connection.readFrame().get(0), "fits")));
            assertThat(answer(largest)).isEqualTo("fits");
        }
    }

    @Test
    void aRequestThatCannotBeEncodedFailsItsOwnCaller() {
        MessageType<String, String> broken = new MessageType<>(
                1,
                "broken",
                new Codec<>() {
                    @Override
                    public byte[] encode(String value) throws Exception {
                        throw new IOException("no bytes for " + value);
                    }

                    @Override
                    public String decode(byte[] bytes) {
                        throw new AssertionError("never asked");
                    }
                },
                Codec.UTF_8);
        try (RpcClient client = new RpcClient(RpcOptions.defaults())) {
            assertThatThrownBy(() -> client.call(InetSocketAddress.createUnresolved("x", 1), broken, "a"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("type broken (1) cannot be encoded")
                    .hasMessageContaining("no bytes for a");
        }
    }

    @Test
    void manyThreadsGetTheirOwnAnswersInFewerFramesThanCalls() throws Exception {
        RpcOptions options = RpcOptions.defaults();
        try (RpcServer server = RpcServer.builder(options)
                        .handler(ECHO, text -> text, 4)
                        .handlerWithoutThreads(LENGTH, text -> CompletableFuture.completedFuture((long) text.length()))
                        .start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                RpcClient client = new RpcClient(options)) {
            int threads = 32;
            int callsOfEach = 100;
            List<CompletableFuture<Void>> callers = new ArrayList<>();
            for (int caller = 0; caller < threads; caller++) {
                String name = "x".repeat(caller);
                CompletableFuture<Void> done = new CompletableFuture<>();
                callers.add(done);
                new Thread(() -> {
                            try {
                                for (int i = 0; i < callsOfEach; i++) {
                                    CompletableFuture<String> echo = client.call(server.address(), ECHO, name + i);
                                    CompletableFuture<Long> length = client.call(server.address(), LENGTH, name);
                                    assertThat(answer(echo)).isEqualTo(name + i);
                                    assertThat(answer(length)).isEqualTo(name.length());
                                }
                                done.complete(null);
                            } catch (Throwable failed) {
                                done.completeExceptionally(failed);
                            }
                        })
                        .start();
            }
            for (CompletableFuture<Void> caller : callers) {
                answer(caller);
            }
            assertThat(client.framesSent()).isLessThan(2L * threads * callsOfEach);
        }
    }
}
