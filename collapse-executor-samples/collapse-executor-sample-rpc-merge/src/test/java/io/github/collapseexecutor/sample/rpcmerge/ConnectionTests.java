package io.github.collapseexecutor.sample.rpcmerge;

import static io.github.collapseexecutor.sample.rpcmerge.Calls.ECHO;
import static io.github.collapseexecutor.sample.rpcmerge.Calls.answer;
import static io.github.collapseexecutor.sample.rpcmerge.Calls.assertFailed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.collapseexecutor.sample.rpcmerge.RawServer.Connection;
import io.github.collapseexecutor.sample.rpcmerge.RpcException.Reason;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A connection that closes ends the calls that were sent by it, and nothing else; the next call opens another. */
class ConnectionTests {

    private final RpcClient client = new RpcClient(RpcOptions.defaults());

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void aConnectionThatClosesFailsItsOwnCallsAlone() throws Exception {
        try (RawServer closing = new RawServer();
                RawServer staying = new RawServer()) {
            List<CompletableFuture<String>> lost = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                lost.add(client.call(closing.address(), ECHO, "lost " + i));
            }
            CompletableFuture<String> answered = lost.remove(4);
            CompletableFuture<String> elsewhere = client.call(staying.address(), ECHO, "elsewhere");
            try (Connection other = staying.accept()) {
                Message request = other.readFrame().get(0);
                try (Connection connection = closing.accept()) {
                    List<Message> requests = connection.read(5);
                    connection.write(RawServer.frame(RawServer.reply(requests.get(4), "just in time")));
                    assertThat(answer(answered)).isEqualTo("just in time");
                }
                for (CompletableFuture<String> call : lost) {
                    assertFailed(call, Reason.CONNECTION)
                            .hasMessageContaining(closing.address().toString())
                            .hasMessageContaining("closed before the answer came");
                }
                assertThat(elsewhere).isNotDone();
                other.write(RawServer.frame(RawServer.reply(request, "here")));
                assertThat(answer(elsewhere)).isEqualTo("here");
            }
        }
    }

    @Test
    void theNextCallOpensAnotherConnection() throws Exception {
        try (RawServer server = new RawServer()) {
            CompletableFuture<String> lost = client.call(server.address(), ECHO, "lost");
            server.accept().close();
            assertFailed(lost, Reason.CONNECTION);
            CompletableFuture<String> next = client.call(server.address(), ECHO, "next");
            try (Connection connection = server.accept()) {
                connection.write(
                        RawServer.frame(RawServer.reply(connection.readFrame().get(0), "again")));
                assertThat(answer(next)).isEqualTo("again");
            }
        }
    }

    @Test
    void aServerThatIsNotThereFailsEachCallUntilItIs() throws Exception {
        SocketAddress address;
        try (RawServer server = new RawServer()) {
            address = server.address();
        }
        for (int i = 0; i < 2; i++) {
            assertFailed(client.call(address, ECHO, "nobody"), Reason.CONNECTION)
                    .hasMessageContaining("Cannot connect to " + address)
                    .hasMessageContaining("refused");
        }
        try (RpcServer server = RpcServer.builder(RpcOptions.defaults())
                .handlerWithoutThreads(ECHO, CompletableFuture::completedFuture)
                .start(address)) {
            assertThat(answer(client.call(server.address(), ECHO, "somebody"))).isEqualTo("somebody");
        }
    }

    @Test
    void anAddressThatIsTakenIsAnErrorThatNamesIt() throws Exception {
        try (RawServer server = new RawServer()) {
            assertThatThrownBy(() -> RpcServer.builder(RpcOptions.defaults()).start(server.address()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("Cannot listen at " + server.address());
        }
    }

    @Test
    void aClientThatIsClosedFailsItsCallsAndTakesNoMore() throws Exception {
        try (RawServer server = new RawServer()) {
            CompletableFuture<String> call = client.call(server.address(), ECHO, "call");
            try (Connection connection = server.accept()) {
                assertThat(connection.readFrame()).hasSize(1);
                client.close();
                assertFailed(call, Reason.CONNECTION).hasMessageContaining("the client was closed");
                assertThat(connection.isClosedByPeer()).isTrue();
            }
            assertThatThrownBy(() -> client.call(server.address(), ECHO, "late"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("client is closed");
        }
    }
}
