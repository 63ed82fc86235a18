package io.github.collapseexecutor.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When Redis is given up and tried again, on a clock of the test's own. */
class BreakerTests {

    private static final long MILLI = 1_000_000;

    private final List<String> told = new ArrayList<>();
    private long now = Long.MAX_VALUE - 2; // the clock may overflow
    private final Breaker breaker = new Breaker(() -> now, new Breaker.Listener() {
        @Override
        public void fell(Throwable reason) {
            told.add("fell: " + Breaker.messageOf(reason));
        }

        @Override
        public void failedAgain(Throwable reason) {
            told.add("failed again: " + Breaker.messageOf(reason));
        }

        @Override
        public void recovered() {
            told.add("recovered");
        }
    });

    /** A question that fails a while after it was asked. */
    private void fail() {
        long askedAt = now;
        now += MILLI;
        breaker.failed(new IOException("wrapped", new IOException("down")), askedAt);
    }

    private void fall() {
        for (int i = 0; i < Breaker.FAILURES; i++) {
            assertThat(breaker.permits()).isTrue();
            fail();
        }
    }

    @Test
    void threeFailuresInARowAreAFall() {
        fall();
        assertThat(breaker.permits()).isFalse();
        assertThat(breaker.isClosed()).isFalse();
        assertThat(told).containsExactly("fell: down");
    }

    @Test
    void failuresWithSuccessesBetweenThemAreNone() {
        for (int i = 0; i < 10; i++) {
            fail();
            fail();
            breaker.succeeded();
        }
        assertThat(breaker.permits()).isTrue();
        assertThat(told).isEmpty();
    }

    @Test
    void questionsThatFailTogetherCountOnce() {
        long askedAt = now;
        now += MILLI;
        for (int i = 0; i < 100; i++) {
            breaker.failed(new IOException("paused"), askedAt);
        }
        assertThat(breaker.permits()).isTrue();
    }

    @Test
    void oneCallASecondProbes() {
        fall();
        now += Breaker.PAUSE_NANOS - 1;
        assertThat(breaker.permits()).isFalse();
        now += 1;
        assertThat(breaker.permits()).isTrue();
        assertThat(breaker.permits()).isFalse();
        fail();
        now += Breaker.PAUSE_NANOS - 1;
        assertThat(breaker.permits()).isFalse();
        now += 1;
        assertThat(breaker.permits()).isTrue();
        assertThat(told).containsExactly("fell: down", "failed again: down");
    }

    @Test
    void probeThatSucceedsIsARecovery() {
        fall();
        now += Breaker.PAUSE_NANOS;
        assertThat(breaker.permits()).isTrue();
        breaker.succeeded();
        assertThat(breaker.permits()).isTrue();
        assertThat(breaker.isClosed()).isTrue();
        assertThat(told).containsExactly("fell: down", "recovered");
    }

    @Test
    void answerThatComesAfterTheFallIsNoRecovery() {
        fall();
        breaker.succeeded();
        assertThat(breaker.permits()).isFalse();
        assertThat(told).containsExactly("fell: down");
    }

    @Test
    void probeThatNeverReportsKeepsNobodyFromRedis() {
        fall();
        now += Breaker.PAUSE_NANOS;
        assertThat(breaker.permits()).isTrue();
        now += Breaker.PAUSE_NANOS;
        assertThat(breaker.permits()).isTrue();
    }

    @Test
    void messageIsTheInnermost() {
        assertThat(Breaker.messageOf(new IOException("outer", new IOException("inner"))))
                .isEqualTo("inner");
        assertThat(Breaker.messageOf(new IOException((String) null))).isEqualTo("java.io.IOException");
    }
}
