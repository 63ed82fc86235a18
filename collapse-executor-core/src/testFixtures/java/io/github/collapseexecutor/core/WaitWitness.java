package io.github.collapseexecutor.core;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordingFile;

/** Sees threads of this package that wait in a way that holds up others: with a monitor, for a monitor, or pinned to their carrier. */
interface WaitWitness extends AutoCloseable {

    /** Makes the threads that it watches. */
    ThreadFactory threads();

    /** Waits for a moment in just the way that it is to see; to be called on one of its threads. */
    void waitBadly();

    /** Ends the watch and gives the stacks that it saw, one a line each. */
    List<String> stacks() throws Exception;

    @Override
    void close();

    static String packageName() {
        return WaitWitness.class.getPackageName() + ".";
    }

    /** Looks at all platform threads again and again, for one that waits or is blocked while it holds a monitor. */
    final class OfMonitors implements WaitWitness {

        private final Queue<String> stacks = new ConcurrentLinkedQueue<>();
        private final Thread looking = new Thread(this::look, "witness");
        private volatile boolean over;

        OfMonitors() {
            looking.setDaemon(true);
            looking.start();
        }

        private void look() {
            ThreadMXBean threads = ManagementFactory.getThreadMXBean();
            while (!over) {
                for (ThreadInfo thread : threads.dumpAllThreads(true, false)) {
                    String stack = Arrays.toString(thread.getStackTrace());
                    if (thread.getThreadState() != Thread.State.RUNNABLE
                            && thread.getLockedMonitors().length > 0
                            && stack.contains(packageName())) {
                        stacks.add(thread.getThreadState() + " " + stack);
                    }
                }
            }
        }

        @Override
        public ThreadFactory threads() {
            return Thread::new;
        }

        @Override
        public void waitBadly() {
            int seen = stacks.size();
            synchronized (stacks) {
                while (stacks.size() == seen && !over) {
                    LockSupport.parkNanos(1_000_000);
                }
            }
        }

        @Override
        public List<String> stacks() throws InterruptedException {
            over = true;
            looking.join();
            return List.copyOf(stacks);
        }

        @Override
        public void close() {
            over = true;
        }

        @Override
        public String toString() {
            return "monitors held by platform threads";
        }
    }

    /** Lets the JVM record events, of which each is a wait. */
    abstract class Recorded implements WaitWitness {

        private final Recording recording = new Recording();

        Recorded(String event) {
            recording.enable(event).withThreshold(Duration.ZERO).withStackTrace();
            recording.start();
        }

        /** Whether an event is one of those that are to be seen. */
        abstract boolean counts(RecordedEvent event);

        @Override
        public List<String> stacks() throws IOException {
            recording.stop();
            Path file = Files.createTempFile("waits", ".jfr");
            try {
                recording.dump(file);
                return RecordingFile.readAllEvents(file).stream()
                        .filter(this::counts)
                        .map(event -> stack(event.getStackTrace()))
                        .toList();
            } finally {
                Files.delete(file);
            }
        }

        static String stack(RecordedStackTrace trace) {
            if (trace == null) {
                return "";
            }
            return trace.getFrames().stream()
                    .map(frame -> frame.getMethod().getType().getName() + "."
                            + frame.getMethod().getName() + ":" + frame.getLineNumber())
                    .collect(Collectors.joining(", "));
        }

        @Override
        public void close() {
            recording.close();
        }
    }

    /** Sees every wait of a virtual thread that keeps its carrier; for Java 21 and newer. */
    final class OfPinning extends Recorded {

        OfPinning() {
            super("jdk.VirtualThreadPinned");
        }

        /** Waits while its class is initialized, which pins on every JDK; that happens once in a JVM. */
        private static final class PinnedByInitialization {

            static {
                LockSupport.parkNanos(1_000_000);
            }

            static void initialize() {}
        }

        @Override
        boolean counts(RecordedEvent event) {
            return stack(event.getStackTrace()).contains(packageName());
        }

        @Override
        public ThreadFactory threads() {
            return Threads.virtual();
        }

        @Override
        public void waitBadly() {
            PinnedByInitialization.initialize();
        }

        @Override
        public String toString() {
            return "pinned virtual threads";
        }
    }

    /** Sees every wait of a platform thread for the monitor of an object of this package; the JVM does not record those of virtual ones. */
    final class OfContention extends Recorded {

        OfContention() {
            super("jdk.JavaMonitorEnter");
        }

        @Override
        boolean counts(RecordedEvent event) {
            RecordedClass monitor = event.getClass("monitorClass");
            return monitor != null && monitor.getName().startsWith(packageName());
        }

        @Override
        public ThreadFactory threads() {
            return Thread::new;
        }

        @Override
        public void waitBadly() {
            CountDownLatch held = new CountDownLatch(1);
            Thread holder = new Thread(() -> {
                synchronized (this) {
                    held.countDown();
                    LockSupport.parkNanos(100_000_000);
                }
            });
            holder.start();
            try {
                held.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            synchronized (this) {
                assert Thread.holdsLock(this);
            }
        }

        @Override
        public String toString() {
            return "waits for monitors";
        }
    }
}
