package io.github.collapseexecutor.jdbc;

import io.github.collapseexecutor.core.CollapseExecutor;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Has the JVM close an executor when it ends, unless that is closed before. */
final class CloseAtShutdown {

    // immutable
    private final @Nullable Thread hook;

    private CloseAtShutdown(@Nullable Thread hook) {
        this.hook = hook;
    }

    /** @param drain how long the JVM waits at most; null for no hook */
    static CloseAtShutdown of(@Nullable Duration drain, CollapseExecutor executor) {
        if (drain == null) {
            return new CloseAtShutdown(null);
        }
        Thread hook = new Thread(
                () -> {
                    boolean unused = executor.close(drain);
                },
                "collapse-executor-shutdown");
        Runtime.getRuntime().addShutdownHook(hook);
        return new CloseAtShutdown(hook);
    }

    /** Leaves nothing to the JVM, which would keep the executor for as long as it runs. */
    void cancel() {
        if (hook == null) {
            return;
        }
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException alreadyEnding) {
            // Then the hook closes, too.
        }
    }
}
