package io.github.collapseexecutor.core;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The places that all groups of an executor share, and the groups that wait for one, in their order.
 *
 * <p>The groups share its lock, too, so that a place goes from one group to another in one step. A group that waits is given one place at a
 * time and then stands behind the others. While a group that could take a place waits, there is none: newcomers do not overtake.
 */
final class TotalLimit<I extends @Nullable Object, O extends @Nullable Object> extends Places {

    // immutable
    final ReentrantLock lock = new ReentrantLock();

    // mutable, guarded by the lock
    /** The groups with a batch that waits for a place, by their turn. */
    private final TreeMap<Long, Group<I, O>> line = new TreeMap<>();

    private long firstTurn;
    private long lastTurn;
    /** Oldest first. */
    private final Set<Batch<I, O>> inFlight = new LinkedHashSet<>();

    private long lastStart;
    private List<Batch<I, O>> toSignal = Collections.emptyList();
    /** It was said that all places have been taken for long. */
    private boolean stallTold;

    TotalLimit(int maxConcurrentBatches) {
        super(maxConcurrentBatches);
    }

    /** Puts a group that does not wait yet behind those that wait. */
    void queue(Group<I, O> group) {
        if (group.turn == 0) {
            group.turn = ++lastTurn;
            line.put(group.turn, group);
        }
    }

    /** Puts a group before those that wait: it had a place, and nested calls have it now. */
    void queueFirst(Group<I, O> group) {
        leave(group);
        group.turn = --firstTurn;
        line.put(group.turn, group);
    }

    /** Takes a group out that waits no more, if it did. */
    void leave(Group<I, O> group) {
        if (group.turn != 0) {
            line.remove(group.turn);
            group.turn = 0;
        }
    }

    /** Gives places that are free to groups that wait. */
    void fill() {
        boolean filled = true;
        while (filled && !line.isEmpty() && hasPlace(hasNestedWaiting())) {
            filled = false;
            for (Iterator<Group<I, O>> groups = line.values().iterator(); groups.hasNext() && !filled; ) {
                filled = groups.next().releaseHead();
            }
        }
    }

    void started(Batch<I, O> batch, long now) {
        inFlight.add(batch);
        lastStart = now;
    }

    void ended(Batch<I, O> batch) {
        inFlight.remove(batch);
    }

    long lastStart() {
        return lastStart;
    }

    /** Oldest first. */
    Set<Batch<I, O>> inFlight() {
        return inFlight;
    }

    void tellStall() {
        stallTold = true;
    }

    boolean isStallTold() {
        return stallTold;
    }

    void toSignal(Batch<I, O> batch) {
        if (toSignal.isEmpty()) {
            toSignal = new ArrayList<>();
        }
        toSignal.add(batch);
    }

    List<Batch<I, O>> takeSignals() {
        List<Batch<I, O>> taken = toSignal;
        toSignal = Collections.emptyList();
        return taken;
    }
}
