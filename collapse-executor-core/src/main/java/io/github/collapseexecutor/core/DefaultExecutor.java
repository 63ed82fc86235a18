package io.github.collapseexecutor.core;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * Where batches run without an executor of the user's: a virtual thread each where the JDK has them, else a {@link DaemonPool},
 * whose tasks cannot exhaust it by waiting for each other.
 *
 * <p>Its threads inherit no thread-locals and no context class loader of the caller that happened to come first.
 */
final class DefaultExecutor {

    static final int POOL_SIZE = Math.max(16, 8 * Runtime.getRuntime().availableProcessors());

    private static final @Nullable Constructor<Thread> THREAD_WITHOUT_INHERITANCE = threadWithoutInheritance();

    private DefaultExecutor() {}

    static Executor get() {
        return Holder.INSTANCE;
    }

    /** A daemon thread that inherits nothing but, on Java 8, inheritable thread-locals. */
    static Thread daemon(Runnable runnable, String name) {
        Thread thread = newThread(runnable, name);
        thread.setDaemon(true);
        thread.setContextClassLoader(DefaultExecutor.class.getClassLoader());
        return thread;
    }

    private static Thread newThread(Runnable runnable, String name) {
        if (THREAD_WITHOUT_INHERITANCE != null) {
            try {
                return THREAD_WITHOUT_INHERITANCE.newInstance(null, runnable, name, 0L, false);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("The JDK's public constructor of Thread cannot be called", e);
            }
        }
        return new Thread(runnable, name);
    }

    private static @Nullable Constructor<Thread> threadWithoutInheritance() {
        try {
            return Thread.class.getConstructor(
                    ThreadGroup.class, Runnable.class, String.class, long.class, boolean.class);
        } catch (NoSuchMethodException e) {
            return null; // Java 8
        }
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
        return new DaemonPool(POOL_SIZE, "collapse-executor-", scheduler);
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
