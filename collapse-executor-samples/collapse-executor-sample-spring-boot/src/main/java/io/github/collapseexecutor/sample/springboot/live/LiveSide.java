package io.github.collapseexecutor.sample.springboot.live;

import java.util.Locale;

/** The two halves of the page; each has callers and a backend of its own. */
enum LiveSide {
    WITHOUT,
    WITH;

    /** As in the address of its backend. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
