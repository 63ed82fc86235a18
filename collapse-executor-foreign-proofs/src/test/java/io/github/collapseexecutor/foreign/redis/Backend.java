package io.github.collapseexecutor.foreign.redis;

import io.github.collapseexecutor.core.KeyedResult;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** What all instances ask: a value for each key, which callers write now and then. */
final class Backend {

    static final String MISSING = "missing";
    static final String FAILING = "failing";

    /** A user and a key each, but for two. */
    static final List<String> KEYS = List.of("ann/1", "ann/2", "bob/1", "bob/2", MISSING, FAILING);

    // immutable
    private final int millis;
    private final String padding;

    // mutable, thread-safe
    private final Map<String, AtomicLong> begun = new ConcurrentHashMap<>();
    private final Map<String, AtomicLong> ended = new ConcurrentHashMap<>();
    private final AtomicLong calls = new AtomicLong();

    /**
     * Makes one.
     *
     * @param millis what a call takes
     * @param size of a value, at least
     */
    Backend(int millis, int size) {
        this.millis = millis;
        this.padding = ".".repeat(size);
    }

    @Nullable String read(String key) throws InterruptedException {
        KeyedResult<String, String> result = readAll(List.of(key));
        if (result.failures().get(key) instanceof IllegalStateException failure) {
            throw failure;
        }
        return result.get(key);
    }

    KeyedResult<String, String> readAll(Collection<String> keys) throws InterruptedException {
        boolean fails = calls.incrementAndGet() % 2 == 0;
        Map<String, String> values = new HashMap<>();
        Map<String, Throwable> failures = new HashMap<>();
        for (String key : keys) {
            if (key.equals(FAILING) && fails) {
                failures.put(key, new IllegalStateException(FAILING));
            } else if (!key.equals(MISSING)) {
                values.put(key, key + "#" + of(begun, key) + "#" + padding);
            }
        }
        TimeUnit.MILLISECONDS.sleep(millis); // the answer is on its way
        return KeyedResult.of(values, failures);
    }

    void write(String key) {
        long version = of(begun, key).incrementAndGet();
        of(ended, key).accumulateAndGet(version, Math::max);
    }

    /** The last version whose write has ended. */
    long written(String key) {
        return of(ended, key).get();
    }

    private static AtomicLong of(Map<String, AtomicLong> versions, String key) {
        return versions.computeIfAbsent(key, unused -> new AtomicLong());
    }

    long calls() {
        return calls.get();
    }

    /** Says what is wrong with an answer; nothing if it is right. */
    String wrongness(String key, long atLeast, @Nullable String answer, @Nullable Throwable failure) {
        if (failure != null) {
            boolean own = key.equals(FAILING)
                    && failure instanceof IllegalStateException
                    && FAILING.equals(failure.getMessage());
            return own ? "" : "fails: " + failure;
        } else if (answer == null) {
            return key.equals(MISSING) ? "" : "null";
        } else if (!answer.startsWith(key + "#") || !answer.endsWith("#" + padding)) {
            return "another's: " + answer.substring(0, Math.min(40, answer.length()));
        }
        long version = Long.parseLong(answer.substring(key.length() + 1, answer.lastIndexOf('#')));
        return version < atLeast ? "old" : "";
    }
}
