package io.github.collapseexecutor.spring.boot.client;

import java.util.concurrent.atomic.AtomicInteger;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Counts the adapters that were made for one name, and says once if there are so many that each seems to be for one request: none of them
 * would ever share a call, and nothing else would tell.
 */
final class ClientTally {

    /** No application has so many injection points of one bean, nor so many tenants that it writes down their clients. */
    private static final int MANY = 1000;

    private static final Log logger = LogFactory.getLog(ClientTally.class);

    // immutable
    private final String name;

    // mutable, thread-safe
    private final AtomicInteger made = new AtomicInteger();

    /**
     * Creates a tally of none.
     *
     * @param name what the application calls the bean or the group
     */
    ClientTally(String name) {
        this.name = name;
    }

    /** Counts one more. */
    void made() {
        if (made.incrementAndGet() == MANY) {
            logger.warn(name + " has led to " + MANY
                    + " clients that each have a request factory or connector of their own,"
                    + " so that no two of them share a call. If the application makes a client for each request, nothing"
                    + " collapses: make one client for all requests, or build each by one singleton builder, and give that no"
                    + " new request factory or connector for each client. This is said once.");
        }
    }
}
