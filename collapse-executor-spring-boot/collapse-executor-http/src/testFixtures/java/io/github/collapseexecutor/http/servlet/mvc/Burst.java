package io.github.collapseexecutor.http.servlet.mvc;

import io.github.collapseexecutor.http.servlet.CollapseServletFilter;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Requests that are in a server at once. They wait behind a gate in front of all filters until all of them are there. Then
 * those that come to their handler wait until each of the others is in its handler too, or waits for another's.
 */
final class Burst implements AutoCloseable {

    /** Headers of the browser do not tell requests apart. */
    static final String HEADER = "Sec-Test-Burst";

    private static final long PATIENCE_SECONDS = 30;

    private static final AtomicInteger NAMES = new AtomicInteger();
    private static final Map<String, Burst> ALL = new ConcurrentHashMap<>();

    private enum Stage {
        /** Behind the gate, or between it and a handler. */
        ON_ITS_WAY,
        /** In a handler, or its handler has run. */
        IN_HANDLER,
        /** It has left the filters; the response may come later. */
        RETURNED
    }

    // immutable
    private final String name = Integer.toString(NAMES.incrementAndGet());
    private final CountDownLatch present;
    private final CountDownLatch released = new CountDownLatch(1);

    // mutable, guarded by this
    private final Stage[] stages;
    private final @Nullable Thread[] threads;
    private int runs;

    private Burst(int size) {
        this.present = new CountDownLatch(size);
        this.stages = new Stage[size];
        this.threads = new Thread[size];
        Arrays.fill(stages, Stage.ON_ITS_WAY);
    }

    static Burst of(int size) {
        Burst burst = new Burst(size);
        ALL.put(burst.name, burst);
        return burst;
    }

    /** A request's place in a burst. */
    record Place(Burst burst, int index) {

        static @Nullable Place of(HttpServletRequest request) {
            String header = request.getHeader(HEADER);
            if (header == null) {
                return null;
            }
            String[] parts = header.split(":", -1);
            Burst burst = ALL.get(parts[0]);
            return burst == null ? null : new Place(burst, Integer.parseInt(parts[1]));
        }

        void arrive() {
            synchronized (burst) {
                burst.threads[index] = Thread.currentThread();
            }
            burst.present.countDown();
            awaitOrFail(burst.present, "all requests of a burst in front of the filters");
        }

        void enterHandler() {
            synchronized (burst) {
                if (burst.stages[index] == Stage.IN_HANDLER) {
                    return;
                }
                burst.stages[index] = Stage.IN_HANDLER;
                burst.runs++;
            }
            awaitOrFail(burst.released, "all requests of a burst in handlers, or waiting");
        }

        void leaveFilters() {
            synchronized (burst) {
                if (burst.stages[index] == Stage.ON_ITS_WAY) {
                    burst.stages[index] = Stage.RETURNED;
                }
                burst.threads[index] = null;
            }
        }
    }

    private static void awaitOrFail(CountDownLatch latch, String what) {
        try {
            if (!latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("Expected " + what);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    String headerOf(int index) {
        return name + ":" + index;
    }

    /** Lets the handlers go on once nothing more gathers. */
    void releaseOnceGathered() {
        awaitOrFail(present, "all requests of a burst in front of the filters");
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!isGathered()) {
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException("Expected all requests of a burst in handlers, or waiting; they are "
                        + Arrays.toString(stages));
            }
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(500));
        }
        released.countDown();
    }

    private synchronized boolean isGathered() {
        boolean someRan = false;
        for (int i = 0; i < stages.length; i++) {
            someRan |= stages[i] == Stage.IN_HANDLER;
            if (stages[i] == Stage.ON_ITS_WAY && !waitsInFilter(threads[i])) {
                return false;
            }
        }
        return someRan || Arrays.stream(stages).allMatch(stage -> stage == Stage.RETURNED);
    }

    /** Whether a request waits for another on its own thread. */
    private static boolean waitsInFilter(@Nullable Thread thread) {
        if (thread == null
                || (thread.getState() != Thread.State.WAITING && thread.getState() != Thread.State.TIMED_WAITING)) {
            return false;
        }
        return Arrays.stream(thread.getStackTrace())
                .anyMatch(frame -> frame.getClassName().equals(CollapseServletFilter.class.getName()));
    }

    synchronized int runs() {
        return runs;
    }

    @Override
    public void close() {
        released.countDown();
        ALL.remove(name);
    }
}
