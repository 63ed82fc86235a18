package io.github.collapseexecutor.foreign.writes;

import java.util.Random;
import java.util.function.Consumer;
import javax.sql.DataSource;

/** A library between an application and its driver, by its class; {@link Layers} lists them. */
interface Layer {

    /** Whether it keeps connections. Of two pools, the inner one may commit what the outer one gives back in the middle of a transaction. */
    default boolean isPool() {
        return false;
    }

    /** Whether it wants a driver's connections: over others it does not start, or gives none. */
    default boolean isInnermost() {
        return false;
    }

    /** Whether rows of a shape are the same below it, be they in a batch or alone. */
    default boolean takes(Shape shape) {
        return true;
    }

    /**
     * Puts the library around a data source.
     *
     * @param random chooses its options
     * @param closing is given what has to be closed when the rows are written
     */
    DataSource around(Server server, DataSource target, Random random, Consumer<AutoCloseable> closing)
            throws Exception;
}
