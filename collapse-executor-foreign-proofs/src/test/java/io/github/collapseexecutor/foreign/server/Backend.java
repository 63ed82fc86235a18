package io.github.collapseexecutor.foreign.server;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** What handlers ask, which takes a time, so that requests meet; it counts how often each was asked. */
final class Backend {

    private final AtomicLong nanos = new AtomicLong();
    private final Map<String, AtomicInteger> runs = new ConcurrentHashMap<>();

    /** How long an answer takes; the answer is the same. */
    void takes(long time) {
        nanos.set(time);
    }

    /** Answers a handler. */
    String read(String guest, Object what) {
        runs.computeIfAbsent(guest, name -> new AtomicInteger()).incrementAndGet();
        long until = System.nanoTime() + nanos.get();
        long left = nanos.get();
        while (left > 0) {
            LockSupport.parkNanos(left);
            left = until - System.nanoTime();
        }
        return guest + " has " + what;
    }

    int runs(String guest) {
        AtomicInteger known = runs.get(guest);
        return known == null ? 0 : known.get();
    }
}
