package io.github.collapseexecutor.sample.rpcmerge;

import static io.github.collapseexecutor.sample.rpcmerge.Calls.ECHO;
import static io.github.collapseexecutor.sample.rpcmerge.Calls.LENGTH;
import static io.github.collapseexecutor.sample.rpcmerge.Calls.answer;
import static io.github.collapseexecutor.sample.rpcmerge.Calls.assertFailed;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.sample.rpcmerge.RawServer.Connection;
import io.github.collapseexecutor.sample.rpcmerge.RpcException.Reason;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * An answer that is none fails its own call, with an error that says why; the calls beside it get theirs, even if the
 * listener throws.
 */
class BrokenReplyTests {

    private static final int MOST = 64;

    private final BlockingQueue<String> strays = new LinkedBlockingQueue<>();
    private final RpcClient client = new RpcClient(RpcOptions.builder()
            .maxFrameBytes(Frame.LENGTH_BYTES + Frame.HEADER_BYTES + MOST)
            .listener((peer, description) -> {
                strays.add(description);
                throw new IllegalStateException("thrown by the listener");
            })
            .build());

    private final Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    private final BlockingQueue<Throwable> uncaught = new LinkedBlockingQueue<>();
    private RawServer server;
    private Connection connection;
    private CompletableFuture<Long> broken;
    private CompletableFuture<Long> beside;
    private Message requestOfBroken;
    private Message requestOfBeside;

    @BeforeEach
    void makeTwoCalls() throws Exception {
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> uncaught.add(thrown));
        server = new RawServer();
        broken = client.call(server.address(), LENGTH, "broken");
        connection = server.accept();
        requestOfBroken = connection.readFrame().get(0);
        beside = client.call(server.address(), LENGTH, "beside");
        requestOfBeside = connection.readFrame().get(0);
    }

    @AfterEach
    void close() throws Exception {
        client.close();
        connection.close();
        server.close();
        Thread.setDefaultUncaughtExceptionHandler(before);
        assertThat(uncaught).allSatisfy(thrown -> assertThat(thrown).hasMessage("thrown by the listener"));
    }

    /** The call beside is answered, and a later one too, by the same connection. */
    private void expectAllElseToGoOn() throws Exception {
        connection.write(RawServer.frame(RawServer.reply(requestOfBeside, 6)));
        assertThat(answer(beside)).isEqualTo(6);
        CompletableFuture<String> later = client.call(server.address(), ECHO, "later");
        connection.write(RawServer.frame(RawServer.reply(connection.readFrame().get(0), "still here")));
        assertThat(answer(later)).isEqualTo("still here");
        assertThat(strays).as("what else concerns no call").isEmpty();
    }

    private String stray() throws InterruptedException {
        String stray = strays.poll(30, TimeUnit.SECONDS);
        assertThat(uncaught.poll(30, TimeUnit.SECONDS)).hasMessage("thrown by the listener");
        return stray;
    }

    @Test
    void aReplyOfTooFewBytesFailsItsCall() throws Exception {
        connection.write(
                RawServer.frame(RawServer.message(requestOfBroken.id, LENGTH.number(), Frame.REPLY, new byte[3])));
        assertFailed(broken, Reason.PROTOCOL)
                .hasMessageContaining("call " + requestOfBroken.id + " of type length (2)")
                .hasMessageContaining("cannot be decoded from 3 bytes")
                .hasMessageContaining("a number has 8 bytes, but these are 3");
        expectAllElseToGoOn();
    }

    @Test
    void aReplyThatIsLongerThanItsFrameFailsItsCall() throws Exception {
        connection.write(
                RawServer.frame(RawServer.message(requestOfBroken.id, LENGTH.number(), Frame.REPLY, 8, new byte[5])));
        assertFailed(broken, Reason.PROTOCOL)
                .hasMessageContaining("says that it has 8 bytes, but its frame ends after 5");
        expectAllElseToGoOn();
    }

    @Test
    void aReplyOfANegativeLengthFailsItsCall() throws Exception {
        connection.write(
                RawServer.frame(RawServer.message(requestOfBroken.id, LENGTH.number(), Frame.REPLY, -1, new byte[8])));
        assertFailed(broken, Reason.PROTOCOL).hasMessageContaining("says that it has -1 bytes");
        expectAllElseToGoOn();
    }

    @Test
    void aReplyThatEndsInsideItsHeaderFailsItsCall() throws Exception {
        byte[] whole = RawServer.message(requestOfBroken.id, LENGTH.number(), Frame.REPLY, new byte[8]);
        connection.write(RawServer.frame(Arrays.copyOf(whole, 11)));
        assertFailed(broken, Reason.PROTOCOL).hasMessageContaining("its frame ends after 11 of the 15 header bytes");
        expectAllElseToGoOn();
    }

    @Test
    void aReplyThatEndsInsideItsIdFailsNobody() throws Exception {
        connection.write(RawServer.frame(RawServer.reply(requestOfBroken, 6), new byte[7]));
        assertThat(answer(broken)).isEqualTo(6);
        assertThat(stray()).contains("whose id is cut off").contains("after 7 of the 15 header bytes");
        expectAllElseToGoOn();
    }

    @Test
    void aReplyOfAnUnknownIdFailsNobody() throws Exception {
        connection.write(RawServer.frame(
                RawServer.message(4711, LENGTH.number(), Frame.REPLY, new byte[8]),
                RawServer.reply(requestOfBroken, 6)));
        assertThat(stray()).contains("message 4711").contains("answers no call that was ever made");
        assertThat(answer(broken)).isEqualTo(6);
        expectAllElseToGoOn();
    }

    @Test
    void theSecondOfTwoRepliesToOneCallFailsNobody() throws Exception {
        connection.write(RawServer.frame(RawServer.reply(requestOfBroken, 6), RawServer.reply(requestOfBroken, 7)));
        assertThat(answer(broken)).isEqualTo(6);
        assertThat(stray()).contains("message " + requestOfBroken.id).contains("was answered before");
        expectAllElseToGoOn();
    }

    @Test
    void aReplyThatIsTooLargeFailsItsCallAndIsNotKept() throws Exception {
        connection.write(RawServer.frame(
                RawServer.message(requestOfBroken.id, LENGTH.number(), Frame.REPLY, new byte[MOST + 1]),
                RawServer.reply(requestOfBeside, 6)));
        assertFailed(broken, Reason.PROTOCOL).hasMessageContaining("has 65 bytes, and maxFrameBytes permits 64");
        assertThat(answer(beside)).isEqualTo(6);
    }

    @Test
    void aReplyThatIsTooLargeFailsItsCallBeforeAllOfItIsThere() throws Exception {
        byte[] huge = RawServer.frame(
                RawServer.message(requestOfBroken.id, LENGTH.number(), Frame.REPLY, new byte[1_000_000]));
        connection.write(Arrays.copyOf(huge, 100_000));
        assertFailed(broken, Reason.PROTOCOL).hasMessageContaining("has 1000000 bytes");
        connection.write(Arrays.copyOfRange(huge, 100_000, huge.length));
        expectAllElseToGoOn();
    }

    @Test
    void aReplyOfAnotherTypeFailsItsCall() throws Exception {
        connection.write(
                RawServer.frame(RawServer.message(requestOfBroken.id, ECHO.number(), Frame.REPLY, new byte[8])));
        assertFailed(broken, Reason.PROTOCOL).hasMessageContaining("is of type 1");
        expectAllElseToGoOn();
    }

    @Test
    void aReplyOfAnUnknownKindFailsItsCall() throws Exception {
        connection.write(
                RawServer.frame(RawServer.message(requestOfBroken.id, LENGTH.number(), (byte) 9, new byte[8])));
        assertFailed(broken, Reason.PROTOCOL).hasMessageContaining("is of the unknown kind 9");
        expectAllElseToGoOn();
    }

    @Test
    void repliesThatArriveByteByByteAreAnswersAllTheSame() throws Exception {
        for (byte[] frame : List.of(
                RawServer.frame(RawServer.reply(requestOfBroken, 1)),
                RawServer.frame(RawServer.reply(requestOfBeside, 2)))) {
            for (byte one : frame) {
                connection.write(new byte[] {one});
            }
        }
        assertThat(answer(broken)).isEqualTo(1);
        assertThat(answer(beside)).isEqualTo(2);
    }

    @Test
    void aFrameWithoutALengthEndsTheConnectionAndItsCalls() throws Exception {
        connection.write(new byte[] {-1, -1, -1, -1, 1, 2, 3});
        for (CompletableFuture<?> call : List.of(broken, beside)) {
            assertFailed(call, Reason.CONNECTION)
                    .hasMessageContaining("closed before the answer came")
                    .hasMessageContaining("says that it has -1 bytes");
        }
        CompletableFuture<Long> later = client.call(server.address(), LENGTH, "later");
        try (Connection next = server.accept()) {
            next.write(RawServer.frame(RawServer.reply(next.readFrame().get(0), 5)));
            assertThat(answer(later)).isEqualTo(5);
        }
    }
}
