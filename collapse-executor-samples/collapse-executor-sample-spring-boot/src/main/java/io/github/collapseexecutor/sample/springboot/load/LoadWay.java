package io.github.collapseexecutor.sample.springboot.load;

import java.util.Locale;

/** How requests are served. */
enum LoadWay {
    /** Each by a run of its own. */
    OFF,
    /** Collapsed, by a run that begins after the request. */
    FRESH,
    /** Collapsed, by one that may be in flight already. */
    IN_FLIGHT;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
