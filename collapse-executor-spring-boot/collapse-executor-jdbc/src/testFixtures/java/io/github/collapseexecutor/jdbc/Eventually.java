package io.github.collapseexecutor.jdbc;

import java.time.Duration;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;

/** Waits for what other threads bring about: as long as it takes, within two minutes. */
final class Eventually {

    private Eventually() {}

    static void until(Callable<Boolean> condition) {
        Awaitility.await().atMost(Duration.ofMinutes(2)).until(condition);
    }
}
