package io.github.collapseexecutor.sample.rpcmerge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.stream.DoubleStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.util.ListStatistics;

/** The comparison with two senders runs, checks its calls, and says when a difference is within the errors. */
class SendersComparisonTests {

    @BeforeAll
    static void letOtherMeasurementsOfTheMachineBe() {
        System.setProperty("jmh.ignoreLock", "true");
    }

    private static ListStatistics of(double... scores) {
        ListStatistics statistics = new ListStatistics();
        DoubleStream.of(scores).forEach(statistics::addValue);
        return statistics;
    }

    @Test
    void theTableHasALineForEveryWay() throws Exception {
        String table = new SendersComparison(
                        1,
                        new OptionsBuilder()
                                .forks(0)
                                .warmupIterations(0)
                                .measurementIterations(3)
                                .measurementTime(TimeValue.milliseconds(50)))
                .run(8);
        for (SendingWay way : SendingWay.values()) {
            assertThat(table)
                    .containsPattern("\\| 8 \\| " + way
                            + " \\| \\d+ ± \\d+ µs \\| \\d+ ± \\d+ µs \\| [\\d.]+ \\| \\w+ \\| 0.73 \\|");
        }
    }

    @Test
    void twoSendersAreTwoConnections() throws Exception {
        for (int senders = 1; senders <= 2; senders++) {
            SendersBenchmark benchmark = new SendersBenchmark();
            benchmark.senders = senders;
            benchmark.start();
            try {
                benchmark.callBothKinds();
                benchmark.check();
                assertThat(Thread.getAllStackTraces().keySet())
                        .filteredOn(thread -> thread.getName().startsWith(RpcClient.THREADS))
                        .as("threads of " + senders + " senders")
                        .hasSize(senders);
            } finally {
                benchmark.stop();
            }
        }
    }

    @Test
    void aCallThatWasMadeTwiceFailsTheMeasurement() throws Exception {
        SendersBenchmark benchmark = new SendersBenchmark();
        benchmark.start();
        try (RpcClient other = new RpcClient(RpcOptions.defaults())) {
            benchmark.callBothKinds();
            benchmark.check();
            other.call(benchmark.address(), RpcMergeSample.STOCK, "once more").get();
            assertThatIllegalStateException()
                    .isThrownBy(benchmark::check)
                    .withMessage(
                            "Of each kind 1 calls were made, but the server has answered 1 for prices and 2 for stocks");
        } finally {
            benchmark.stop();
        }
    }

    @Test
    void aDifferenceWithinTheErrorsIsNoDifference() {
        ListStatistics hundred = of(99, 100, 101, 100, 100);
        assertThat(SendersComparison.line(8, SendingWay.MERGED, hundred, of(79, 80, 81, 80, 80)))
                .isEqualToIgnoringNewLines("| 8 | merged | 100 ± 3 µs | 80 ± 3 µs | 0.80 | yes | 0.73 |");
        assertThat(SendersComparison.line(16, SendingWay.POLLED, hundred, of(97, 99, 101, 98, 100)))
                .contains("| 0.99 | no | 0.81 |");
    }

    @Test
    void argumentsThatAreNoneAreNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SendersComparison.main(new String[] {"none"}))
                .withMessage("rounds is none: it must be a number from 1 to 9999");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SendersComparison.main(new String[] {"1", "8,0"}))
                .withMessage("threads is 0: it must be a number from 1 to 9999");
    }
}
