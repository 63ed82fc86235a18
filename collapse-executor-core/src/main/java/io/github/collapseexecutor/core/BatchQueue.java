package io.github.collapseexecutor.core;

import org.jspecify.annotations.Nullable;

/** Batches of a group in one order, linked by themselves; a batch stands in one queue at most. Guarded by the group's lock. */
final class BatchQueue<I extends @Nullable Object, O extends @Nullable Object> {

    // mutable
    private @Nullable Batch<I, O> first;
    private @Nullable Batch<I, O> last;

    @Nullable Batch<I, O> first() {
        return first;
    }

    boolean isEmpty() {
        return first == null;
    }

    void addLast(Batch<I, O> batch) {
        if (last == null) {
            first = batch;
        } else {
            last.nextInQueue = batch;
            batch.previousInQueue = last;
        }
        last = batch;
    }

    void addFirst(Batch<I, O> batch) {
        if (first == null) {
            last = batch;
        } else {
            first.previousInQueue = batch;
            batch.nextInQueue = first;
        }
        first = batch;
    }

    void remove(Batch<I, O> batch) {
        Batch<I, O> before = batch.previousInQueue;
        Batch<I, O> after = batch.nextInQueue;
        if (before == null) {
            first = after;
        } else {
            before.nextInQueue = after;
        }
        if (after == null) {
            last = before;
        } else {
            after.previousInQueue = before;
        }
        batch.previousInQueue = null;
        batch.nextInQueue = null;
    }
}
