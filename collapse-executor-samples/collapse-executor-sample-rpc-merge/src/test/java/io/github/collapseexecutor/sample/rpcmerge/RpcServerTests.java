package io.github.collapseexecutor.sample.rpcmerge;

import static io.github.collapseexecutor.sample.rpcmerge.Calls.ECHO;
import static io.github.collapseexecutor.sample.rpcmerge.Calls.LENGTH;
import static io.github.collapseexecutor.sample.rpcmerge.Calls.answer;
import static io.github.collapseexecutor.sample.rpcmerge.Calls.assertFailed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.sample.rpcmerge.RawServer.Connection;
import io.github.collapseexecutor.sample.rpcmerge.RpcException.Reason;
import java.io.IOException;
import java.io.UncheckedIOException;
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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A server answers each type apart from the others, and whatever is wrong with a request is told to its caller alone. */
class RpcServerTests {

    private static final int MOST_UNWRITTEN = 4;

    private final BlockingQueue<String> strays = new LinkedBlockingQueue<>();
    private final RpcOptions options = RpcOptions.builder()
            .maxFrameBytes(1_000)
            .maxUnwritten(MOST_UNWRITTEN)
            .listener((peer, description) -> strays.add(description))
            .build();
    private final CountDownLatch finish = new CountDownLatch(1);
    private final BlockingQueue<String> begun = new LinkedBlockingQueue<>();
    private final RpcServer server = RpcServer.builder(options)
            .handler(
                    ECHO,
                    text -> {
                        begun.add(text);
                        Calls.await(finish);
                        return text;
                    },
                    1)
            .handlerWithoutThreads(LENGTH, text -> switch (text) {
                case "thrown" -> throw new IllegalStateException("cannot measure that");
                case "failed" -> CompletableFuture.failedFuture(new AssertionError("not measured"));
                case "null" -> null;
                default -> CompletableFuture.completedFuture((long) text.length());
            })
            .start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    private final RpcClient client =
            new RpcClient(RpcOptions.builder().maxFrameBytes(2_000).build());

    @AfterEach
    void close() {
        finish.countDown();
        client.close();
        server.close();
    }

    @Test
    void aSlowTypeDelaysNoOther() throws Exception {
        CompletableFuture<String> slow = client.call(server.address(), ECHO, "slow");
        CompletableFuture<String> behind = client.call(server.address(), ECHO, "behind");
        assertThat(begun.poll(30, TimeUnit.SECONDS)).isEqualTo("slow");
        for (int i = 0; i < 100; i++) {
            assertThat(answer(client.call(server.address(), LENGTH, "x".repeat(i))))
                    .isEqualTo(i);
        }
        assertThat(slow).isNotDone();
        finish.countDown();
        assertThat(answer(slow)).isEqualTo("slow");
        assertThat(answer(behind)).isEqualTo("behind");
    }

    @Test
    void aFailureOfTheHandlerIsToldToItsCaller() throws Exception {
        assertFailed(client.call(server.address(), LENGTH, "thrown"), Reason.REMOTE)
                .hasMessageContaining("says: the request failed: java.lang.IllegalStateException: cannot measure that");
        assertFailed(client.call(server.address(), LENGTH, "failed"), Reason.REMOTE)
                .hasMessageContaining("java.lang.AssertionError: not measured");
        assertFailed(client.call(server.address(), LENGTH, "null"), Reason.REMOTE)
                .hasMessageContaining("NullPointerException");
        assertThat(answer(client.call(server.address(), LENGTH, "fine"))).isEqualTo(4);
    }

    @Test
    void aTypeWithoutAHandlerIsRefused() throws Exception {
        MessageType<String, String> unknown = new MessageType<>(99, "unknown", Codec.UTF_8, Codec.UTF_8);
        assertFailed(client.call(server.address(), unknown, "x"), Reason.REMOTE)
                .hasMessageContaining("is of a type that this server has no handler for");
        assertThat(answer(client.call(server.address(), LENGTH, "fine"))).isEqualTo(4);
    }

    @Test
    void aRequestThatIsTooLargeForTheServerIsRefusedAndDropped() throws Exception {
        assertFailed(client.call(server.address(), LENGTH, "x".repeat(1_500)), Reason.REMOTE)
                .hasMessageContaining("is too large: it has 1500 bytes, and maxFrameBytes permits 981");
        assertThat(answer(client.call(server.address(), LENGTH, "fine"))).isEqualTo(4);
    }

    @Test
    void aReplyThatIsTooLargeIsAFailure() throws Exception {
        MessageType<String, String> twice = new MessageType<>(3, "twice", Codec.UTF_8, Codec.UTF_8);
        try (RpcServer doubling = RpcServer.builder(options)
                .handlerWithoutThreads(twice, text -> CompletableFuture.completedFuture(text + text))
                .start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            assertFailed(client.call(doubling.address(), twice, "x".repeat(500)), Reason.REMOTE)
                    .hasMessageContaining("the reply has 1000 bytes: maxFrameBytes = 1000 permits 981");
            assertThat(answer(client.call(doubling.address(), twice, "x"))).isEqualTo("xx");
        }
    }

    @Test
    void aFailureThatIsTooLargeIsCutOff() throws Exception {
        MessageType<String, String> wordy = new MessageType<>(3, "wordy", Codec.UTF_8, Codec.UTF_8);
        try (RpcServer failing = RpcServer.builder(options)
                .handlerWithoutThreads(
                        wordy, text -> CompletableFuture.failedFuture(new IllegalStateException(text.repeat(1_000))))
                .start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            assertFailed(client.call(failing.address(), wordy, "too long "), Reason.REMOTE)
                    .hasMessageContaining("java.lang.IllegalStateException: too long too long")
                    .satisfies(failure -> assertThat(failure.getMessage()).hasSizeLessThan(1_100));
        }
    }

    @Test
    void aMalformedRequestIsAnsweredWithItsMistake() throws Exception {
        try (Connection raw = Connection.to(server.address())) {
            raw.write(RawServer.frame(RawServer.message(5, 2, Frame.REPLY, new byte[1])));
            assertRefused(raw, 5, "the message is no request but of kind 2");
            raw.write(RawServer.frame(RawServer.message(6, 2, Frame.REQUEST, 8, new byte[1])));
            assertRefused(raw, 6, "says that it has 8 bytes, but its frame ends after 1");
            raw.write(RawServer.frame(new byte[3]));
            assertThat(strays.poll(30, TimeUnit.SECONDS)).contains("whose id is cut off");
            raw.write(RawServer.frame(RawServer.message(7, 2, Frame.REQUEST, new byte[] {(byte) 0xFF})));
            assertRefused(raw, 7, "MalformedInputException");
            raw.write(RawServer.frame(RawServer.message(8, 2, Frame.REQUEST, "fine".getBytes(StandardCharsets.UTF_8))));
            assertThat(raw.readFrame().get(0).kind).isEqualTo(Frame.REPLY);
            raw.write(new byte[4]);
            assertThat(strays.poll(30, TimeUnit.SECONDS)).contains("A frame says that it has 0 bytes");
            assertThat(raw.isClosedByPeer()).isTrue();
        }
    }

    private static void assertRefused(Connection raw, long id, String why) throws Exception {
        Message refusal = raw.readFrame().get(0);
        assertThat(refusal.id).isEqualTo(id);
        assertThat(refusal.kind).isEqualTo(Frame.FAILURE);
        assertThat(new String(refusal.payload, StandardCharsets.UTF_8)).contains(why);
    }

    @Test
    void aConnectionThatTakesNoAnswersIsNotReadFrom() throws Exception {
        LongAdder mirrored = new LongAdder();
        MessageType<String, String> mirror = new MessageType<>(3, "mirror", Codec.UTF_8, Codec.UTF_8);
        int requests = 40_000; // more than the system keeps, of them or of their answers, for one that does not read
        try (RpcServer mirroring = RpcServer.builder(options)
                        .handlerWithoutThreads(mirror, text -> {
                            mirrored.increment();
                            return CompletableFuture.completedFuture(text);
                        })
                        .handlerWithoutThreads(LENGTH, text -> CompletableFuture.completedFuture((long) text.length()))
                        .start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                Connection raw = Connection.to(mirroring.address())) {
            CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> {
                try {
                    byte[] frame = RawServer.frame(RawServer.message(9, 3, Frame.REQUEST, new byte[900]));
                    for (int i = 0; i < requests; i++) {
                        raw.write(frame);
                    }
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            await().atMost(Duration.ofSeconds(30)).until(() -> mirrored.sum() > MOST_UNWRITTEN);
            // Others are served all the while, by the same thread, which would read from this connection in between.
            long before;
            do {
                before = mirrored.sum();
                for (int i = 0; i < 500; i++) {
                    assertThat(answer(client.call(mirroring.address(), LENGTH, "other")))
                            .isEqualTo(5);
                }
            } while (mirrored.sum() > before);
            assertThat(before).isLessThan(requests);
            assertThat(writing).isNotDone();
            assertThat(raw.read(requests)).hasSize(requests);
            answer(writing);
        }
    }

    @Test
    void aTypeThatIsOverloadedRefusesTheRestAndDelaysNoOther() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        try (RpcServer overloaded = RpcServer.builder(RpcOptions.defaults())
                .handler(
                        ECHO,
                        text -> {
                            Calls.await(release);
                            return text;
                        },
                        1)
                .handlerWithoutThreads(LENGTH, text -> CompletableFuture.completedFuture((long) text.length()))
                .start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            int taken = 1 + RpcServer.Builder.MOST_WAITING;
            List<CompletableFuture<String>> calls = new ArrayList<>();
            for (int i = 0; i < taken; i++) {
                calls.add(client.call(overloaded.address(), ECHO, "taken"));
            }
            assertFailed(client.call(overloaded.address(), ECHO, "too many"), Reason.REMOTE)
                    .hasMessageContaining("echo (1) has 1000 requests waiting already");
            assertThat(answer(client.call(overloaded.address(), LENGTH, "other")))
                    .isEqualTo(5);
            release.countDown();
            for (CompletableFuture<String> call : calls) {
                assertThat(answer(call)).isEqualTo("taken");
            }
        }
    }

    @Test
    void aNumberThatIsTakenAndThreadsThatAreNoneAreRefused() {
        assertThatThrownBy(() -> RpcServer.builder(options)
                        .handler(ECHO, text -> text, 1)
                        .handler(ECHO, text -> text, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("number 1 of echo (1) has a handler already");
        assertThatThrownBy(() -> RpcServer.builder(options).handler(ECHO, text -> text, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("threads for echo (1) is 0");
        assertThatThrownBy(() -> new MessageType<>(65_536, "x", Codec.UTF_8, Codec.UTF_8))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("number of message type x is 65536");
    }
}
