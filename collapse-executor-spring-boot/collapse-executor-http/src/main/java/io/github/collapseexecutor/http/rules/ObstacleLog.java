package io.github.collapseexecutor.http.rules;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Says once why requests are not collapsed; names, but no values, of a request are in it (H33). */
final class ObstacleLog {

    /** A client that changes ever other headers must not fill the log. */
    private static final int MOST_WARNINGS = 20;

    private static final System.Logger LOGGER = System.getLogger(SharingRules.class.getName());

    // mutable, thread-safe
    private final Set<String> logged = ConcurrentHashMap.newKeySet();

    void warnOnce(String obstacle) {
        if (logged.size() < MOST_WARNINGS && logged.add(obstacle)) {
            LOGGER.log(System.Logger.Level.WARNING, "Requests are not collapsed: {0}", obstacle);
        }
    }
}
