package io.github.collapseexecutor.http.rules;

import io.github.collapseexecutor.http.message.RequestTarget;
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
 *
 * <p>A server's client may have the response before the handler has ended, and read at once. So while an unsafe request is under
 * way there, a read joins no call that is running, but may gather with others for one that starts later. Public for the adapters only.
 */
public final class UnsafeRequests {

    private static final int COUNTERS = 1 << 12;
    private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS", "TRACE");

    // mutable, atomically
    private final AtomicIntegerArray counters = new AtomicIntegerArray(COUNTERS);
    private final AtomicIntegerArray underWay = new AtomicIntegerArray(COUNTERS);

    /** Whether a request of this method may change something (RFC 9110 section 9.2.1). */
    public static boolean isUnsafe(String method) {
        return !SAFE.contains(method);
    }

    void count(URI uri) {
        counters.incrementAndGet(counterOf(RequestTarget.of("", uri)));
    }

    /** An unsafe request begins, which {@linkplain #end ends} once. */
    void begin(URI uri) {
        underWay.incrementAndGet(counterOf(RequestTarget.of("", uri)));
    }

    /** An unsafe request that began has ended, and has been counted if it counts. */
    void end(URI uri) {
        underWay.decrementAndGet(counterOf(RequestTarget.of("", uri)));
    }

    /** Whether one is under way; to be asked before {@link #epochOf}, so that one that ends meanwhile is seen there. */
    boolean isUnderWay(RequestTarget target) {
        return underWay.get(counterOf(target)) > 0;
    }

    int epochOf(RequestTarget target) {
        return counters.get(counterOf(target));
    }

    private static int counterOf(RequestTarget target) {
        String host = target.host() == null ? "" : target.host().toLowerCase(Locale.ROOT);
        String path = target.path() == null || target.path().isEmpty() ? "/" : target.path();
        int hash = 31 * (31 * host.hashCode() + target.port()) + path.hashCode();
        return (hash ^ (hash >>> 16)) & (COUNTERS - 1);
    }
}
