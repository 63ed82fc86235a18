package io.github.collapseexecutor.sample.commitlog;

import java.util.concurrent.atomic.AtomicReference;

/** A record on its way through the stages. */
final class Entry {

    /** SUBMITTED -> TAKEN by the flush stage, which writes it; or -> WITHDRAWN by its caller, and it is not written. */
    private enum State {
        SUBMITTED,
        TAKEN,
        WITHDRAWN
    }

    // immutable
    private final byte[] data;
    private final boolean last;

    // mutable, by CAS
    private final AtomicReference<State> state = new AtomicReference<>(State.SUBMITTED);

    // mutable, confined to one stage after the other, each of which hands it on to the next and at last to the caller
    private long lsn;
    private long segmentLsn;
    private int offset;

    private Entry(byte[] data, boolean last) {
        this.data = data;
        this.last = last;
    }

    static Entry of(byte[] data) {
        return new Entry(data, false);
    }

    /** What is submitted when the log closes: no record, and none is written after it. */
    static Entry last() {
        return new Entry(new byte[0], true);
    }

    boolean isLast() {
        return last;
    }

    byte[] data() {
        return data;
    }

    /** Takes the entry to be written; false if its caller was quicker to withdraw it. */
    boolean take() {
        return state.compareAndSet(State.SUBMITTED, State.TAKEN);
    }

    /** Takes the entry back; false if the flush stage was quicker to take it. */
    boolean withdraw() {
        return state.compareAndSet(State.SUBMITTED, State.WITHDRAWN);
    }

    void place(long lsn, Segment segment, int offset) {
        this.lsn = lsn;
        this.segmentLsn = segment.firstLsn();
        this.offset = offset;
    }

    long lsn() {
        return lsn;
    }

    /** The first LSN of the segment that holds the record. */
    long segmentLsn() {
        return segmentLsn;
    }

    /** Where the record begins in its segment. */
    int offset() {
        return offset;
    }
}
