package io.github.collapseexecutor.benchmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The ways that are compared do what they are said to do. */
class WayTests {

    @ParameterizedTest
    @EnumSource
    void aLoneCallerGetsItsOwnAnswerAndNoneIsKept(Way way) throws Exception {
        Calls calls = way.calls(0.1);
        assertThat(calls.call("key", () -> 1)).isEqualTo(1);
        assertThat(calls.call("key", () -> 2)).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource
    void aFailureIsTheCallersAndIsNotKept(Way way) throws Exception {
        Calls calls = way.calls(0.1);
        assertThatThrownBy(() -> calls.call("key", () -> {
                    throw new IOException("down");
                }))
                .isExactlyInstanceOf(IOException.class);
        assertThat(calls.call("key", () -> 2)).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(names = {"IN_FLIGHT", "MAP_OF_FUTURES", "CAFFEINE"})
    void aCallInFlightIsJoined(Way way) throws Exception {
        assertThat(secondOfTwo(way)).isEqualTo("first");
    }

    @Test
    void aBareCallIsNotJoined() throws Exception {
        assertThat(secondOfTwo(Way.BARE)).isEqualTo("second");
    }

    @ParameterizedTest
    @EnumSource(names = {"FRESH", "FRESH_AT_ONCE"})
    void aCallInFlightIsNotJoinedWhereAnswersAreFresh(Way way) throws Exception {
        assertThat(secondOfTwo(way)).isEqualTo("second");
    }

    /** What a caller gets who comes while the call of another is in flight, which ends when the second one has it or waits. */
    private static Object secondOfTwo(Way way) throws Exception {
        Calls calls = way.calls(0.1);
        CountDownLatch inFlight = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        FutureTask<Object> first = new FutureTask<>(() -> calls.call("key", () -> {
            inFlight.countDown();
            go.await();
            return "first";
        }));
        FutureTask<Object> second = new FutureTask<>(() -> calls.call("key", () -> "second"));
        new Thread(first).start();
        inFlight.await();
        Thread caller = new Thread(second);
        caller.start();
        while (caller.getState() != Thread.State.WAITING && caller.getState() != Thread.State.TERMINATED) {
            Thread.onSpinWait();
        }
        go.countDown();
        assertThat(first.get(1, TimeUnit.MINUTES)).isEqualTo("first");
        return second.get(1, TimeUnit.MINUTES);
    }
}
