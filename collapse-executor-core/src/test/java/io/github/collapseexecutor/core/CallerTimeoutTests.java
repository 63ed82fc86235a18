package io.github.collapseexecutor.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A bound that one caller brings along, beside the one that the options set for all. */
class CallerTimeoutTests {

    private final CountDownLatch called = new CountDownLatch(1);
    private final CountDownLatch gate = new CountDownLatch(1);

    @ParameterizedTest
    @CsvSource({", 1, timeout", "3600000, 1, timeout", "1, 3600000, callTimeout"})
    void aFollowerWaitsForTheLesserOfItsOwnTimeoutAndThatOfAll(Long callTimeout, long timeout, String named)
            throws Exception {
        BlockingCallableGroupCollapseExecutor executor =
                new BlockingCallableGroupCollapseExecutor(CollapseOptions.builder()
                        .name("users")
                        .joinMode(JoinMode.IN_FLIGHT)
                        .maxWait(Duration.ofHours(1))
                        .callTimeout(callTimeout == null ? null : Duration.ofMillis(callTimeout))
                        .build());
        CompletableFuture<String> leader = CompletableFuture.supplyAsync(() -> {
            try {
                return executor.execute("group", this::heldCall, within(1));
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        called.await();
        assertThatExceptionOfType(TimeoutException.class)
                .isThrownBy(() -> executor.execute("group", () -> "own", within(timeout)))
                .withMessage("No answer of \"users\" within " + named + " = 1 ms")
                .satisfies(failure -> assertThat(failure instanceof CallerTimeoutException)
                        .as("whose time-out it was")
                        .isEqualTo(named.equals("timeout")));
        gate.countDown();
        assertThat(leader.get(30, TimeUnit.SECONDS)).isEqualTo("held");
    }

    private static CallOptions within(long millis) {
        return CallOptions.defaults().timeout(Duration.ofMillis(millis));
    }

    private String heldCall() throws InterruptedException {
        called.countDown();
        gate.await();
        return "held";
    }
}
