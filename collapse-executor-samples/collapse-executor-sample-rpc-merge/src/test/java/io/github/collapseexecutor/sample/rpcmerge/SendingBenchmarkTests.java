package io.github.collapseexecutor.sample.rpcmerge;

import static io.github.collapseexecutor.sample.rpcmerge.Calls.ECHO;
import static io.github.collapseexecutor.sample.rpcmerge.Calls.assertFailed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.collapseexecutor.sample.rpcmerge.RpcException.Reason;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The benchmark runs, and every way that it compares is a way to call. */
class SendingBenchmarkTests {

    @Test
    void theTablesHaveALineForEveryGoalAndForEveryWay() throws Exception {
        String tables = new SendingBenchmark(1, Duration.ofMillis(100)).run(1, 256);
        assertThat(tables)
                .contains("| threads: 1, p50: merged at most 1.05 of unmerged |")
                .contains("| threads: 256, processor time a call: merged at most 1.00 of unmerged |")
                .contains("| threads: 256, p99: merged at most 1.00 of polled every 1 ms |");
        for (SendingWay way : SendingWay.values()) {
            assertThat(tables).contains("| 1 | " + way + " |").contains("| 256 | " + way + " |");
        }
    }

    @Test
    void withoutMergingEveryRequestAndEveryAnswerIsAFrame() throws Exception {
        SendingFigures unmerged = SendingLoad.run(SendingWay.UNMERGED, 16, Duration.ofMillis(100));
        assertThat(unmerged.framesPerCall()).isBetween(1.5, 2.5); // counted while calls are under way
        SendingFigures merged = SendingLoad.run(SendingWay.MERGED, 16, Duration.ofMillis(100));
        assertThat(merged.framesPerCall()).isLessThan(unmerged.framesPerCall());
    }

    @ParameterizedTest
    @EnumSource(SendingWay.class)
    void noWayLetsACallToNobodyHang(SendingWay way) throws Exception {
        SocketAddress nobody;
        try (RawServer server = new RawServer()) {
            nobody = server.address();
        }
        try (RpcClient client = new RpcClient(RpcOptions.defaults(), way::ofRequests)) {
            assertFailed(client.call(nobody, ECHO, "nobody"), Reason.CONNECTION)
                    .hasMessageContaining("Cannot connect to " + nobody);
        }
    }

    @ParameterizedTest
    @EnumSource(SendingWay.class)
    void everyWayBoundsWhatIsPending(SendingWay way) throws Exception {
        RpcOptions two = RpcOptions.builder().maxPending(2).build();
        try (RawServer server = new RawServer();
                RpcClient client = new RpcClient(two, way::ofRequests)) {
            CompletableFuture<String> first = client.call(server.address(), ECHO, "first");
            CompletableFuture<String> second = client.call(server.address(), ECHO, "second");
            assertThatThrownBy(() -> client.call(server.address(), ECHO, "third"))
                    .isInstanceOf(RejectedExecutionException.class)
                    .hasMessageContaining("maxPending = 2");
            assertThat(first.cancel(true)).isTrue();
            assertThat(client.call(server.address(), ECHO, "third")).isNotDone();
            assertThat(second).isNotDone();
        }
    }

    @Test
    void argumentsThatAreNoneAreNamed() {
        assertThatThrownBy(() -> SendingBenchmark.main(new String[] {"0"}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("rounds is 0: it must be a number from 1 to 9999999");
        assertThatThrownBy(() -> SendingBenchmark.main(new String[] {"1", "1.5"}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("milliseconds is 1.5: it must be a number from 1 to 9999999");
    }

    @Test
    void theMedianIsTheMiddle() {
        assertThat(SendingFigures.median(3, 1, 2)).isEqualTo(2);
        assertThat(SendingFigures.median(4, 1, 2, 3)).isEqualTo(2.5);
    }
}
