package io.github.collapseexecutor.sample.springboot.live;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/**
 * The slow backend of the live page. For each side it makes a few calls at a time, as a service with a small pool of database
 * connections does; further ones wait. No thread of the server waits.
 */
@RestController
class LiveBackend implements DisposableBean {

    static final int CAPACITY = 10;

    private static final String BEARER = "Bearer ";

    // immutable
    private final Map<LiveSide, ExecutorService> places = new EnumMap<>(LiveSide.class);
    private final Map<LiveSide, AtomicLong> calls = new EnumMap<>(LiveSide.class);

    // mutable, thread-safe
    private final ConcurrentMap<String, AtomicLong> callsByCredentials = new ConcurrentHashMap<>();
    private volatile long millis = LiveSettings.FIRST.backendMillis();

    LiveBackend() {
        for (LiveSide side : LiveSide.values()) {
            places.put(side, Executors.newFixedThreadPool(CAPACITY));
            calls.put(side, new AtomicLong());
        }
    }

    @GetMapping("/live/{side:with|without}/user/{id}")
    CompletableFuture<LiveUser> user(@PathVariable String side, @PathVariable long id) {
        LiveSide of = side.equals(LiveSide.WITH.word()) ? LiveSide.WITH : LiveSide.WITHOUT;
        counter(of).incrementAndGet();
        return slowly(of, () -> LiveUser.of(id));
    }

    /** Answers with the user on whose behalf it is asked. */
    @GetMapping("/live/me")
    CompletableFuture<LiveUser> me(@RequestHeader("Authorization") String credentials) {
        String name = credentials.substring(BEARER.length());
        callsByCredentials.computeIfAbsent(name, absent -> new AtomicLong()).incrementAndGet();
        return slowly(LiveSide.WITH, () -> new LiveUser(name));
    }

    static String credentialsOf(String name) {
        return BEARER + name;
    }

    private CompletableFuture<LiveUser> slowly(LiveSide side, Supplier<LiveUser> answer) {
        ExecutorService place = places.get(side);
        if (place == null) {
            throw new IllegalStateException("There is no backend for " + side);
        }
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        Thread.sleep(millis);
                    } catch (InterruptedException e) { // the application ends
                        Thread.currentThread().interrupt();
                        throw new IllegalStateException("The backend was stopped", e);
                    }
                    return answer.get();
                },
                place);
    }

    private AtomicLong counter(LiveSide side) {
        AtomicLong counter = calls.get(side);
        if (counter == null) {
            throw new IllegalStateException("There is no backend for " + side);
        }
        return counter;
    }

    /** Returns how many calls for users have arrived since the start. */
    long calls(LiveSide side) {
        return counter(side).get();
    }

    /** Returns how many calls with these credentials have arrived since the start. */
    long callsOf(String name) {
        AtomicLong counter = callsByCredentials.get(name);
        return counter == null ? 0 : counter.get();
    }

    void take(long newMillis) {
        millis = newMillis;
    }

    @Override
    public void destroy() {
        places.values().forEach(ExecutorService::shutdownNow);
    }
}
