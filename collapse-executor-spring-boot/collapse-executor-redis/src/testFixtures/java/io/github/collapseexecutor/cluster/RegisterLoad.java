package io.github.collapseexecutor.cluster;

import io.github.collapseexecutor.core.BlockingCallableGroupCollapseExecutor;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

/** Callers of some instances that read a register again and again, write it at times, and check every answer. */
final class RegisterLoad {

    static final String KEY = "register of user alice@example.org";

    static final ResultCodec<Long> NUMBER = ResultCodec.of(
            number -> Long.toString(number).getBytes(StandardCharsets.US_ASCII),
            bytes -> Long.valueOf(new String(bytes, StandardCharsets.US_ASCII)));

    private final Register register;
    private final int writePercent;
    private final boolean shared;
    private final List<Thread> callers = new ArrayList<>();
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final LongAdder answers = new LongAdder();
    private final LongAdder stale = new LongAdder();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final Queue<Long> nanos = new ConcurrentLinkedQueue<>();

    /** Begins. Each instance has an executor of its own, and calls are shared through Redis. */
    RegisterLoad(Register register, int writePercent, int callersEach, List<ClusterCalls> instances) {
        this(register, writePercent, callersEach, instances, true);
    }

    /** Begins. If calls are not shared, the executors gather, and nothing else. */
    RegisterLoad(Register register, int writePercent, int callersEach, List<ClusterCalls> instances, boolean shared) {
        this.register = register;
        this.writePercent = writePercent;
        this.shared = shared;
        for (ClusterCalls instance : instances) {
            BlockingCallableGroupCollapseExecutor executor = new BlockingCallableGroupCollapseExecutor();
            for (int i = 0; i < callersEach; i++) {
                callers.add(new Thread(() -> readOn(executor, instance)));
            }
        }
        callers.forEach(Thread::start);
    }

    private void readOn(BlockingCallableGroupCollapseExecutor executor, ClusterCalls instance) {
        while (!stopped.get()) {
            long begun = System.nanoTime();
            try {
                if (writePercent > 0 && ThreadLocalRandom.current().nextInt(100) < writePercent) {
                    register.write();
                }
                long atLeast = writePercent > 0 ? register.ended() : 0;
                begun = System.nanoTime();
                Callable<Long> call = shared ? instance.shared(KEY, register::read, NUMBER) : register::read;
                long read = executor.execute(KEY, call);
                answers.increment();
                if (read < atLeast) {
                    stale.increment();
                }
            } catch (Throwable failure) {
                failures.add(failure);
            } finally {
                nanos.add(System.nanoTime() - begun);
            }
        }
    }

    long answers() {
        return answers.sum();
    }

    long stale() {
        return stale.sum();
    }

    Queue<Throwable> failures() {
        return failures;
    }

    /** Forgets the times of answers until now. */
    void forgetTimes() {
        nanos.clear();
    }

    /** Returns the time that was not exceeded by this part of the answers and failures, in microseconds. */
    long microsOf(double part) {
        List<Long> sorted = nanos.stream().sorted().toList();
        return sorted.isEmpty() ? 0 : sorted.get((int) Math.min(sorted.size() - 1, sorted.size() * part)) / 1000;
    }

    /** Stops, and waits for the last answers. */
    void end() throws InterruptedException {
        stopped.set(true);
        for (Thread caller : callers) {
            caller.join();
        }
    }
}
