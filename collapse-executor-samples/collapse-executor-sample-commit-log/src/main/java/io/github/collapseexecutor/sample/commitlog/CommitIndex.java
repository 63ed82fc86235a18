package io.github.collapseexecutor.sample.commitlog;

import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * Where each record begins, in memory: 4 bytes a record, and nothing for segments that were there when the log was opened
 * and have not been read from.
 *
 * <p>Records are applied by one thread at a time, in order of their LSNs; any thread may look them up. A record is found
 * once {@link #lastLsn} has reached it.
 */
final class CommitIndex {

    /** The records of one segment. */
    static final class Offsets {

        // immutable
        final long firstLsn;

        // mutable; null until somebody has looked into the segment. Its content is published by lastLsn
        private volatile int @Nullable [] begins;

        private Offsets(long firstLsn, int @Nullable [] begins) {
            this.firstLsn = firstLsn;
            this.begins = begins;
        }

        boolean isKnown() {
            return begins != null;
        }

        /** Fills in a segment that is not written to any more. */
        void fillIn(int[] offsets) {
            begins = offsets;
        }

        /** Where a record begins, or -1 if it is not in the segment. */
        int of(long lsn) {
            int[] known = begins;
            long index = lsn - firstLsn;
            return known == null || index >= known.length ? -1 : known[(int) index];
        }

        private void add(int index, int offset) {
            int[] known = begins;
            if (known == null || index == known.length) {
                known = known == null ? new int[64] : Arrays.copyOf(known, 2 * Math.max(32, index));
                begins = known;
            }
            known[index] = offset;
        }
    }

    // immutable
    private final ConcurrentSkipListMap<Long, Offsets> segments = new ConcurrentSkipListMap<>();

    // mutable, written by the thread that applies
    private volatile long lastLsn;

    CommitIndex(Recovery recovery) {
        recovery.sealed().forEach(firstLsn -> segments.put(firstLsn, new Offsets(firstLsn, null)));
        long last = recovery.last().firstLsn();
        segments.put(last, new Offsets(last, recovery.offsets()));
        lastLsn = recovery.lastLsn();
    }

    void apply(Group group) {
        long applied = lastLsn;
        for (Entry entry : group.entries()) {
            if (entry.lsn() != applied + 1) {
                throw new IllegalStateException("Record " + entry.lsn() + " was to be applied after " + applied);
            }
            applied = entry.lsn();
            Offsets segment = segments.computeIfAbsent(entry.segmentLsn(), firstLsn -> new Offsets(firstLsn, null));
            segment.add(Math.toIntExact(applied - segment.firstLsn), entry.offset());
        }
        lastLsn = applied;
    }

    /** The LSN of the last record that was applied; if there is none, the one before the first. */
    long lastLsn() {
        return lastLsn;
    }

    /** The segment that holds a record, or null if none does. */
    @Nullable Offsets segmentOf(long lsn) {
        Map.Entry<Long, Offsets> segment = lsn > lastLsn ? null : segments.floorEntry(lsn);
        return segment == null ? null : segment.getValue();
    }

    /** The LSN that the segment after the given one begins with, or null if that is the last. */
    @Nullable Long successorOf(Offsets segment) {
        return segments.higherKey(segment.firstLsn);
    }
}
