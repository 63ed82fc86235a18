package io.github.collapseexecutor.core;

import java.lang.reflect.Method;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * Where batches run without an executor of the user's: a virtual thread each where the JDK has them, else a {@link DaemonPool},
 * whose tasks cannot exhaust it by waiting for each other.
 *
 * <p>Its threads inherit nothing of the caller that happened to come first.
 */
final class DefaultExecutor {

    static final int POOL_SIZE = Math.max(16, 8 * Runtime.getRuntime().availableProcessors());

    private DefaultExecutor() {}

    static Executor get() {
        return Holder.INSTANCE;
    }

    /** {@code Executors.newThreadPerTaskExecutor(Thread.ofVirtual()…)}, or null before Java 21. */
    static @Nullable Executor virtualThreads() {
        try {
            Class<?> builderType = Class.forName("java.lang.Thread$Builder");
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            builderType.getMethod("name", String.class, long.class).invoke(builder, "collapse-executor-", 0L);
            builderType
                    .getMethod("inheritInheritableThreadLocals", boolean.class)
                    .invoke(builder, false);
            Object factory = builderType.getMethod("factory").invoke(builder);
            Method perTask = Executors.class.getMethod("newThreadPerTaskExecutor", ThreadFactory.class);
            return (Executor) perTask.invoke(null, factory);
        } catch (ReflectiveOperationException e) {
            return null; // before Java 21, or its previews of 19 and 20
        }
    }

    static DaemonPool daemonPool(EngineScheduler scheduler) {
        return new DaemonPool(POOL_SIZE, "collapse-executor-", scheduler, DaemonThreads.OWN);
    }

    /** Loaded with the first use. */
    private static final class Holder {

        static final Executor INSTANCE = choose();

        private static Executor choose() {
            Executor virtual = virtualThreads();
            return virtual == null ? daemonPool(SystemScheduler.INSTANCE) : virtual;
        }
    }
}
