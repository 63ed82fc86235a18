package io.github.collapseexecutor.http.rules;

import io.github.collapseexecutor.http.HttpCollapseOptions;

/** The rules of an adapter without a name. */
public final class TestRules {

    private TestRules() {}

    /** Those of a client. */
    public static SharingRules of(HttpCollapseOptions options) {
        return of(options, Side.CLIENT, HttpTime.SYSTEM);
    }

    public static SharingRules of(HttpCollapseOptions options, Side side, HttpTime time) {
        return new SharingRules(options, side, time, "rules");
    }
}
