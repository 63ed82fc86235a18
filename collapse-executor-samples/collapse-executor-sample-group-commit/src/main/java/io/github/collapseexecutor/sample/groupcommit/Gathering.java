package io.github.collapseexecutor.sample.groupcommit;

import io.github.collapseexecutor.jdbc.WriteOptions;
import java.time.Duration;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/** How rows gather. */
enum Gathering {
    /** While one group is written the next one gathers; the size of groups follows the load, and nobody waits without one. */
    NO_WINDOW("no window", 200, Duration.ZERO, 1),

    /** A group leaves with 20 rows or after 1 ms, whatever other groups do. */
    GROUPS_OF_20("groups of 20, 1 ms", 20, Duration.ofMillis(1), Gathering.CONNECTIONS),

    /** A group leaves with 200 rows or after 5 ms, whatever other groups do. */
    GROUPS_OF_200("groups of 200, 5 ms", 200, Duration.ofMillis(5), Gathering.CONNECTIONS);

    /** Groups with a window do not wait for one another: as many are written at a time as the pool has connections. */
    private static final int CONNECTIONS = 40;

    // immutable
    private final String title;
    private final int size;
    private final Duration window;
    private final int concurrent;

    Gathering(String title, int size, Duration window, int concurrent) {
        this.title = title;
        this.size = size;
        this.window = window;
        this.concurrent = concurrent;
    }

    /** What {@code shop.gathering} says. */
    static Gathering of(Environment environment) {
        return Binder.get(environment).bind("shop.gathering", Gathering.class).get();
    }

    String title() {
        return title;
    }

    WriteOptions options() {
        return WriteOptions.builder()
                .maxBatchSize(size)
                .collectingWaitTime(window)
                .maxConcurrentBatches(concurrent)
                .build();
    }
}
