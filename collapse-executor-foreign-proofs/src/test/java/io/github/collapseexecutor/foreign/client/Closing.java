package io.github.collapseexecutor.foreign.client;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;

/** The things that a set-up has opened, and places where it is seen how many connections calls hold. */
final class Closing implements AutoCloseable {

    // mutable, confined to one thread
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final List<IntSupplier> counts = new ArrayList<>();

    void add(AutoCloseable one) {
        opened.add(one);
    }

    void counting(IntSupplier inUse) {
        counts.add(inUse);
    }

    int inUse() {
        return counts.stream().mapToInt(IntSupplier::getAsInt).sum();
    }

    @Override
    public void close() {
        for (AutoCloseable one : opened) {
            try {
                one.close();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
