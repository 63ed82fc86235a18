package io.github.collapseexecutor.spring.boot.observe;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;

/** Meters, one for each constant of an enum. Each is made when it is first needed; to find it again makes no object. */
final class MadeMeters<E extends Enum<E>, M> {

    // immutable
    private final Function<E, M> maker;

    // mutable, thread-safe
    private final ConcurrentMap<E, M> made = new ConcurrentHashMap<>();

    MadeMeters(Function<E, M> maker) {
        this.maker = maker;
    }

    M of(E constant) {
        M present = made.get(constant);
        // computeIfAbsent may lock even where there is something
        return present != null ? present : made.computeIfAbsent(constant, maker);
    }
}
