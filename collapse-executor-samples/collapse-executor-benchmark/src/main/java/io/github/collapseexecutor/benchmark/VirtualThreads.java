package io.github.collapseexecutor.benchmark;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;

/** Virtual threads, of a JDK that is newer than the one that this is compiled for. */
final class VirtualThreads {

    /** The first JDK that has them. */
    static final int SINCE = 21;

    private VirtualThreads() {}

    static boolean exist() {
        return Runtime.version().feature() >= SINCE;
    }

    /** {@code Thread.ofVirtual().factory()}. */
    static ThreadFactory factory() {
        if (!exist()) {
            throw new IllegalStateException("Virtual threads need a JDK of version " + SINCE
                    + " or newer, but this is version " + Runtime.version().feature());
        }
        try {
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            return (ThreadFactory) Class.forName("java.lang.Thread$Builder")
                    .getMethod("factory")
                    .invoke(builder);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("The JDK's public Thread.ofVirtual() cannot be called", e);
        }
    }

    /** {@code Executors.newVirtualThreadPerTaskExecutor()}. */
    static ExecutorService executor() {
        ThreadFactory factory = factory();
        try {
            return (ExecutorService) Executors.class
                    .getMethod("newThreadPerTaskExecutor", ThreadFactory.class)
                    .invoke(null, factory);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("The JDK's public method of Executors cannot be called", e);
        }
    }
}
