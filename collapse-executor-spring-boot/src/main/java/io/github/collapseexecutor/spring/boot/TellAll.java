package io.github.collapseexecutor.spring.boot;

import java.util.List;
import java.util.function.Consumer;

/** Tells each of several listeners, and throws afterwards what the first of them threw. */
final class TellAll {

    private TellAll() {}

    static <L> void tell(List<L> listeners, Consumer<L> event) {
        RuntimeException first = null;
        for (L listener : listeners) {
            try {
                event.accept(listener);
            } catch (RuntimeException thrown) {
                if (first == null) {
                    first = thrown;
                } else if (first != thrown) {
                    first.addSuppressed(thrown);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
