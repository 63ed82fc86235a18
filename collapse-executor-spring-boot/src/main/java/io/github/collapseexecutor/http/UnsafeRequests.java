package io.github.collapseexecutor.http;

import java.net.URI;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Counts the unsafe requests per address, so that a later read does not join an earlier one (H11).
 *
 * <p>The count is part of the key. It rises when an unsafe request has ended, unless it ended with an error response: that
 * changed nothing (RFC 9111 section 4.4), and must not be a means to keep reads apart. Addresses share a fixed number of
 * counters by their hash; a collision keeps two requests apart that might have shared, no more. The query does not take part,
 * because policies may ignore it.
 */
final class UnsafeRequests {

    private static final int COUNTERS = 1 << 12;
    private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS", "TRACE");

    // mutable, atomically
    private final AtomicIntegerArray counters = new AtomicIntegerArray(COUNTERS);

    static boolean isUnsafe(String method) {
        return !SAFE.contains(method);
    }

    void count(URI uri) {
        counters.incrementAndGet(counterOf(RequestKey.Target.of("", uri)));
    }

    int epochOf(RequestKey.Target target) {
        return counters.get(counterOf(target));
    }

    private static int counterOf(RequestKey.Target target) {
        String host = target.host() == null ? "" : target.host().toLowerCase(Locale.ROOT);
        String path = target.path() == null || target.path().isEmpty() ? "/" : target.path();
        int hash = 31 * (31 * host.hashCode() + target.port()) + path.hashCode();
        return (hash ^ (hash >>> 16)) & (COUNTERS - 1);
    }
}
