package io.github.collapseexecutor.spring.boot.registry;

import io.github.collapseexecutor.core.Failures;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;

/** Tells each of several listeners, and throws afterwards what the first of them threw. */
public final class ListenersInTurn {

    private ListenersInTurn() {}

    /**
     * Returns what is to be told, as one: the own listener of what is observed, what observes it by itself, and the beans, each in order.
     *
     * @param own null if there is none
     * @param of null for nothing
     * @param combined makes one of several
     * @return null for nothing
     */
    public static <O, L> @Nullable L of(
            @Nullable L own,
            ObjectProvider<O> observers,
            Function<O, @Nullable L> of,
            ObjectProvider<L> beans,
            Function<List<L>, L> combined) {
        List<L> all = Stream.of(
                        Stream.ofNullable(own), observers.orderedStream().map(of), beans.orderedStream())
                .flatMap(Function.identity())
                .flatMap(Stream::ofNullable)
                .toList();
        return switch (all.size()) {
            case 0 -> null;
            case 1 -> all.get(0);
            default -> combined.apply(all);
        };
    }

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
            throw Failures.rethrow(first); // also what a listener in another language does not declare
        }
    }
}
