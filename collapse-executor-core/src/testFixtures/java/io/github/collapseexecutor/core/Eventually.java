package io.github.collapseexecutor.core;

import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** Waits for what other threads bring about: as long as it takes, within ten seconds. */
final class Eventually {

    private Eventually() {}

    static void until(Callable<Boolean> condition) {
        Awaitility.await()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .atMost(Duration.ofSeconds(10))
                .until(condition);
    }

    /** Waits until nothing is left; if something stays, says what. */
    static void untilEmpty(Callable<? extends Collection<?>> left) {
        AtomicReference<Collection<?>> last = new AtomicReference<>();
        try {
            until(() -> {
                last.set(left.call());
                return last.get().isEmpty();
            });
        } catch (ConditionTimeoutException e) {
            throw new AssertionError("There is still " + last, e);
        }
    }
}
