package io.github.collapseexecutor.spring.annotation;

import static java.util.Objects.requireNonNull;

import io.github.collapseexecutor.core.CollapseOptions;
import java.util.Map;

/**
 * How annotated methods gather, where their annotation does not say otherwise. A bean of this type replaces the defaults.
 *
 * @param options the options of every executor; each gets a name of its own
 * @param inTransaction what becomes of calls inside a transaction
 * @param named the options of the executors of these names, in place of {@code options}
 */
public record CollapsingSettings(
        CollapseOptions options, CallInTransaction inTransaction, Map<String, CollapseOptions> named) {

    /**
     * Checks that nothing is null, and copies the map.
     *
     * @param options the options of every executor
     * @param inTransaction what becomes of calls inside a transaction
     * @param named the options of the executors of these names
     */
    public CollapsingSettings {
        requireNonNull(options, "options");
        requireNonNull(inTransaction, "inTransaction");
        named = Map.copyOf(named);
    }

    /**
     * Settings that are the same for every executor.
     *
     * @param options the options of every executor; each gets a name of its own
     * @param inTransaction what becomes of calls inside a transaction
     */
    public CollapsingSettings(CollapseOptions options, CallInTransaction inTransaction) {
        this(options, inTransaction, Map.of());
    }

    /**
     * Returns the settings of an application that has none.
     *
     * @return default options; calls inside a transaction pass
     */
    public static CollapsingSettings defaults() {
        return new CollapsingSettings(CollapseOptions.defaults(), CallInTransaction.PASS);
    }
}
