package io.github.collapseexecutor.spring.boot.observe;

import java.lang.ref.WeakReference;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.ToDoubleFunction;

/**
 * What the gauges of one name show: the sum over all that have this name and are in use. A registry keeps one gauge of a name, so a gauge
 * of each would show the first only. None of them is kept reachable.
 */
final class Watched<T> {

    // mutable, thread-safe
    private final CopyOnWriteArrayList<WeakReference<T>> all = new CopyOnWriteArrayList<>();

    void add(T one) {
        all.removeIf(reference -> reference.refersTo(null));
        all.add(new WeakReference<>(one));
    }

    double sum(ToDoubleFunction<T> part) {
        double sum = 0;
        for (WeakReference<T> reference : all) {
            T present = reference.get();
            if (present != null) {
                sum += part.applyAsDouble(present);
            }
        }
        return sum;
    }
}
