package io.github.collapseexecutor.spring.annotation;

import static java.util.Objects.requireNonNull;

import io.github.collapseexecutor.core.CollapseOptions;

/**
 * How annotated methods gather, where their annotation does not say otherwise. A bean of this type replaces the defaults.
 *
 * @param options the options of every executor; each gets a name of its own
 * @param inTransaction what becomes of calls inside a transaction
 */
public record CollapsingSettings(CollapseOptions options, InTransaction inTransaction) {

    /**
     * Checks that nothing is null.
     *
     * @param options the options of every executor
     * @param inTransaction what becomes of calls inside a transaction
     */
    public CollapsingSettings {
        requireNonNull(options, "options");
        requireNonNull(inTransaction, "inTransaction");
    }

    /**
     * Returns the settings of an application that has none.
     *
     * @return default options; calls inside a transaction pass
     */
    public static CollapsingSettings defaults() {
        return new CollapsingSettings(CollapseOptions.defaults(), InTransaction.PASS);
    }
}
