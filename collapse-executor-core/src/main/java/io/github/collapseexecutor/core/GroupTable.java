package io.github.collapseexecutor.core;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The groups that have callers, by their keys; and the work on all of them, one after another, each under its own lock. */
final class GroupTable<I extends @Nullable Object, O extends @Nullable Object> {

    // mutable, by itself
    private final ConcurrentHashMap<UserKey, Group<I, O>> groups = new ConcurrentHashMap<>();

    /** Returns the group of a key, which may be about to leave the table; null if there is none. */
    @Nullable Group<I, O> find(UserKey key) {
        return groups.get(key);
    }

    /** Adds a group, unless its key has one: then it returns that. */
    @Nullable Group<I, O> addIfAbsent(Group<I, O> created) {
        return groups.putIfAbsent(created.key, created);
    }

    /** Removes a group that has gone, which another thread may have done before. */
    void remove(Group<I, O> group) {
        group.key.retire();
        groups.remove(group.key, group);
    }

    int size() {
        return groups.size();
    }

    boolean isEmpty() {
        return !groups.keySet().iterator().hasNext();
    }

    CollapseCounts counts() {
        int callers = 0;
        int gathering = 0;
        int inFlight = 0;
        int present = 0;
        for (Group<I, O> group : groups.values()) {
            group.lock();
            try {
                if (!group.isGone()) {
                    callers += group.callerCount();
                    gathering += group.gatheringCount();
                    inFlight += group.inFlightCount();
                    present++;
                }
            } finally {
                group.unlock();
            }
        }
        return new CollapseCounts(callers, gathering, inFlight, present);
    }

    /**
     * Ends the batches that have not started, with a failure for their callers.
     *
     * @param gone takes the groups that are left without a batch, which are to be removed
     */
    List<Batch<I, O>> endUnstarted(ExecutorClosedException failure, LongSupplier nanoTime, List<Group<I, O>> gone) {
        List<Batch<I, O>> ended = new ArrayList<>();
        for (Group<I, O> group : groups.values()) {
            group.lock();
            try {
                for (Batch<I, O> batch = group.endFirstUnstarted(); batch != null; batch = group.endFirstUnstarted()) {
                    batch.fail(failure);
                    batch.endUnstartedAt(nanoTime.getAsLong());
                    ended.add(batch);
                }
                if (group.retireIfIdle()) {
                    gone.add(group);
                }
            } finally {
                group.unlock();
            }
        }
        return ended;
    }
}
