package io.github.collapseexecutor.cluster;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A register in the memory of the test. */
final class LocalRegister implements Register {

    private final AtomicLong value = new AtomicLong();
    private final AtomicLong ended = new AtomicLong();
    private final AtomicInteger reads = new AtomicInteger();
    private final int leastMillis;
    private final int mostMillis;

    /** A read takes this time. */
    LocalRegister(int readMillis) {
        this(readMillis, readMillis);
    }

    /** A read takes a time between these two. */
    LocalRegister(int leastMillis, int mostMillis) {
        this.leastMillis = leastMillis;
        this.mostMillis = mostMillis;
    }

    @Override
    public long read() throws InterruptedException {
        reads.incrementAndGet();
        long read = value.get();
        Thread.sleep(ThreadLocalRandom.current().nextInt(leastMillis, mostMillis + 1)); // the answer is on its way
        return read;
    }

    @Override
    public void write() {
        ended.accumulateAndGet(value.incrementAndGet(), Math::max);
    }

    @Override
    public long ended() {
        return ended.get();
    }

    int reads() {
        return reads.get();
    }
}
