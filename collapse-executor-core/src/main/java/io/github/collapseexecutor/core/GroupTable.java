package io.github.collapseexecutor.core;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The groups that have callers, by their keys; and the work on all of them, one after another, each under its own lock.
 *
 * <p>A lone call enters its group and takes it out again, by one CAS each; a hash map needs several times as long. So the table has a fixed number of
 * slots, by the hash of the key. A slot holds nothing, a group, or a few groups in an array that is never changed. A slot that has
 * held {@linkplain #MOST_IN_ARRAY more} at a time keeps its groups in a map from then on, by their hashes, in the same two forms.
 *
 * <p>Keys are compared by the caller that looks for one, and never to take a group out. So code of the user's runs for the
 * caller alone that brought it.
 */
final class GroupTable<I extends @Nullable Object, O extends @Nullable Object> {

    /** A power of two. */
    private static final int SLOTS = 256;

    private static final int MOST_IN_ARRAY = 8;

    // mutable, by itself
    /** Null, a {@link Group}, an array of groups, or a {@link ByHash} in each slot. */
    private final AtomicReferenceArray<@Nullable Object> slots = new AtomicReferenceArray<>(SLOTS);

    /** What a slot holds for good that has held many groups: a group, or an array of those whose hashes are equal. */
    private static final class ByHash extends ConcurrentHashMap<Integer, Object> {

        private static final long serialVersionUID = 1;

        static ByHash of(Object[] groups) {
            ByHash created = new ByHash();
            for (Object group : groups) {
                int hash = ((Group<?, ?>) group).key.hashCode();
                created.put(hash, plus(created.get(hash), group));
            }
            return created;
        }

        /** Puts something into the place of what is held for a hash, if that has not changed; null stands for nothing. */
        boolean compareAndSet(int hash, @Nullable Object held, @Nullable Object next) {
            if (held == null) {
                return next == null || putIfAbsent(hash, next) == null;
            }
            return next == null ? remove(hash, held) : replace(hash, held, next);
        }
    }

    private static int slotOf(UserKey key) {
        int hash = key.hashCode();
        hash ^= hash >>> 16;
        hash ^= hash >>> 8;
        return hash & (SLOTS - 1);
    }

    /** Returns the group of a key, which may be about to leave the table; null if there is none. */
    @Nullable Group<I, O> find(UserKey key) {
        Object held = slots.get(slotOf(key));
        return held == null ? null : among(held instanceof ByHash ? ((ByHash) held).get(key.hashCode()) : held, key);
    }

    /** Adds a group, unless its key has one: then it returns that. */
    @Nullable Group<I, O> addIfAbsent(Group<I, O> created) {
        int slot = slotOf(created.key);
        for (; ; ) {
            Object held = slots.get(slot);
            if (held instanceof ByHash) {
                return addIfAbsent(created, (ByHash) held);
            }
            Group<I, O> present = among(held, created.key);
            if (present != null) {
                return present;
            }
            if (slots.compareAndSet(slot, held, held == null ? created : few(plus(held, created)))) {
                return null;
            }
        }
    }

    private @Nullable Group<I, O> addIfAbsent(Group<I, O> created, ByHash groups) {
        int hash = created.key.hashCode();
        for (; ; ) {
            Object held = groups.get(hash);
            Group<I, O> present = among(held, created.key);
            if (present != null || groups.compareAndSet(hash, held, plus(held, created))) {
                return present;
            }
        }
    }

    /** Removes a group that has gone, which another thread may have done before. */
    void remove(Group<I, O> group) {
        int slot = slotOf(group.key);
        int hash = group.key.hashCode();
        boolean removed = false;
        while (!removed) {
            Object held = slots.get(slot);
            if (held instanceof ByHash) {
                ByHash groups = (ByHash) held;
                Object equal = groups.get(hash);
                removed = groups.compareAndSet(hash, equal, minus(equal, group));
            } else {
                removed = slots.compareAndSet(slot, held, minus(held, group));
            }
        }
    }

    /** Returns the group of a key among what is held, or null. */
    private @Nullable Group<I, O> among(@Nullable Object held, UserKey key) {
        if (held instanceof Object[]) {
            for (Object group : (Object[]) held) {
                if (key.equals(((Group<?, ?>) group).key)) {
                    return cast(group);
                }
            }
            return null;
        }
        return held != null && key.equals(((Group<?, ?>) held).key) ? cast(held) : null;
    }

    /** The groups of a table are of its kind. */
    private Group<I, O> cast(Object group) {
        return ResultSlot.<Group<I, O>>cast(group);
    }

    /** What is held with one group more. */
    private static Object plus(@Nullable Object held, Object group) {
        if (held == null) {
            return group;
        }
        if (!(held instanceof Object[])) {
            return new Object[] {held, group};
        }
        Object[] before = (Object[]) held;
        Object[] more = Arrays.copyOf(before, before.length + 1);
        more[before.length] = group;
        return more;
    }

    /** What is held without a group; the same if the group is not there. */
    private static @Nullable Object minus(@Nullable Object held, Object group) {
        if (held == group) {
            return null;
        }
        if (!(held instanceof Object[])) {
            return held;
        }
        List<Object> rest = new ArrayList<>(Arrays.asList((Object[]) held));
        if (!rest.remove(group)) { // by identity: a group has no other equals
            return held;
        }
        return rest.size() == 1 ? rest.get(0) : rest.toArray();
    }

    /** An array, if it is short; else a map with the same groups. */
    private static Object few(Object held) {
        boolean many = held instanceof Object[] && ((Object[]) held).length > MOST_IN_ARRAY;
        return many ? ByHash.of((Object[]) held) : held;
    }

    /** The groups that are there, slot by slot. */
    List<Group<I, O>> all() {
        List<Group<I, O>> all = new ArrayList<>();
        for (int slot = 0; slot < SLOTS; slot++) {
            Object held = slots.get(slot);
            if (held instanceof ByHash) {
                ((ByHash) held).values().forEach(groups -> addTo(all, groups));
            } else {
                addTo(all, held);
            }
        }
        return all;
    }

    private void addTo(List<Group<I, O>> all, @Nullable Object held) {
        if (held instanceof Object[]) {
            for (Object group : (Object[]) held) {
                all.add(cast(group));
            }
        } else if (held != null) {
            all.add(cast(held));
        }
    }

    /** Asked for each group that leaves while the executor is being closed, so that it looks no further than to the first that is there. */
    boolean isEmpty() {
        for (int slot = 0; slot < SLOTS; slot++) {
            Object held = slots.get(slot);
            // not by the map's own isEmpty, whose count comes after the entry
            if (held instanceof ByHash ? ((ByHash) held).keySet().iterator().hasNext() : held != null) {
                return false;
            }
        }
        return true;
    }

    CollapseCounts counts() {
        int callers = 0;
        int gathering = 0;
        int inFlight = 0;
        int present = 0;
        for (Group<I, O> group : all()) {
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
        for (Group<I, O> group : all()) {
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
