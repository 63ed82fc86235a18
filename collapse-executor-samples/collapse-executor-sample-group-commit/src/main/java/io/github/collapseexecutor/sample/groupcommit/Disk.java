package io.github.collapseexecutor.sample.groupcommit;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a commit waits for.
 *
 * @param durability what the server syncs; null if it is left as it is
 * @param syncDelay what the {@link SlowDisk} adds to each sync
 */
record Disk(@Nullable Durability durability, Duration syncDelay) {

    /** What a reader of the page is told. */
    String title() {
        String server = durability == null ? "the database as it is set" : durability.toString();
        return syncDelay.isZero() ? server : server + ", +" + syncDelay.toNanos() / 1e6 + " ms a sync";
    }
}
