package io.github.collapseexecutor.cluster;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** What the groups of an executor, or the keys of a function, are called in the cluster: its name, and the value. */
final class PlainKeys {

    private static final System.Logger LOGGER = System.getLogger(ClusterCalls.class.getName());

    // immutable
    private final String name;

    // mutable, thread-safe
    private final AtomicBoolean warned = new AtomicBoolean();

    PlainKeys(String name) {
        this.name = name;
    }

    /** Returns null if the value has no form that is the same on all instances, for which one warning tells the remedy. */
    @Nullable String of(@Nullable Object value) {
        try {
            return new String(PlainValues.keyOf(Arrays.asList(name, value)), StandardCharsets.ISO_8859_1);
        } catch (IllegalArgumentException refused) {
            if (warned.compareAndSet(false, true)) {
                LOGGER.log(
                        System.Logger.Level.WARNING,
                        "The executor or function {0} does not share a call with other instances: {1}. Make groups and keys of"
                                + " texts, numbers, enums, UUIDs, dates and lists of them",
                        new Object[] {name, refused.getMessage()});
            }
            return null;
        }
    }
}
