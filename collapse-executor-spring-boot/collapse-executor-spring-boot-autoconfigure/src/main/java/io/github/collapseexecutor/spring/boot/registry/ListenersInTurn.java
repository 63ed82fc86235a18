package io.github.collapseexecutor.spring.boot.registry;

import java.util.List;
import java.util.function.Consumer;

/** Tells each of several listeners, and throws afterwards what the first of them threw. */
public final class ListenersInTurn {

    private ListenersInTurn() {}

    public static <L> void tell(List<L> listeners, Consumer<L> event) {
        Throwable first = null;
        for (L listener : listeners) {
            try {
                event.accept(listener);
            } catch (Throwable thrown) { // an Error, too, is the listener's own
                if (first == null) {
                    first = thrown;
                } else if (first != thrown) {
                    first.addSuppressed(thrown);
                }
            }
        }
        if (first != null) {
            ListenersInTurn.<RuntimeException>rethrow(first);
        }
    }

    /** As it is: a listener in another language may throw what it does not declare. */
    @SuppressWarnings("unchecked") // erased to Throwable
    private static <T extends Throwable> void rethrow(Throwable thrown) throws T {
        throw (T) thrown;
    }
}
