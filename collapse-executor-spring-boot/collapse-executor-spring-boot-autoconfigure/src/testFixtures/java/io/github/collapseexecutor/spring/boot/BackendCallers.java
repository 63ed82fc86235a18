package io.github.collapseexecutor.spring.boot;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** BackendCallers of a held {@link Backend}, each on a thread of its own. */
final class BackendCallers {

    private static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(30);

    // immutable
    private final Backend backend;

    // mutable, confined to the test's thread
    private final List<FutureTask<String>> answers = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();

    BackendCallers(Backend backend) {
        this.backend = backend;
    }

    void add(int count, Callable<String> call) {
        for (int i = 0; i < count; i++) {
            FutureTask<String> answer = new FutureTask<>(call);
            Thread thread = new Thread(answer, "caller-" + threads.size());
            thread.setDaemon(true);
            answers.add(answer);
            threads.add(thread);
            thread.start();
        }
    }

    /** Waits until that many calls are held by the backend. */
    void awaitCalls(int count) {
        await(() -> backend.calls().size() >= count);
    }

    /** Lets the backend answer once every caller either has its call there, waits for another's or has failed. */
    List<String> answersOnceAllHaveArrived() throws Exception {
        await(() -> backend.calls().size() + waitingOrFailed() >= threads.size());
        backend.release();
        List<String> all = new ArrayList<>();
        for (FutureTask<String> answer : answers) {
            all.add(answer.get(30, TimeUnit.SECONDS));
        }
        return all;
    }

    private void await(BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > DEADLINE_NANOS) {
                throw new AssertionError("not all callers have arrived:" + describe());
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    private String describe() {
        StringBuilder text = new StringBuilder(" calls ").append(backend.calls());
        for (Thread thread : threads) {
            text.append(System.lineSeparator()).append(thread).append(' ').append(thread.getState());
            for (StackTraceElement frame : thread.getStackTrace()) {
                text.append(System.lineSeparator()).append("    at ").append(frame);
            }
        }
        return text.toString();
    }

    private long waitingOrFailed() {
        return threads.stream()
                .filter(thread -> !thread.isAlive() || waitsForAnotherCall(thread))
                .count();
    }

    /** Tells whether a thread is parked by this library, and not by the HTTP client that it calls. */
    private static boolean waitsForAnotherCall(Thread thread) {
        for (StackTraceElement frame : thread.getStackTrace()) {
            String type = frame.getClassName();
            if (!type.startsWith("java.") && !type.startsWith("jdk.") && !type.startsWith("sun.")) {
                return type.startsWith("io.github.collapseexecutor.") && isParked(thread);
            }
        }
        return false;
    }

    private static boolean isParked(Thread thread) {
        return switch (thread.getState()) {
            case WAITING, TIMED_WAITING -> true;
            default -> false;
        };
    }
}
