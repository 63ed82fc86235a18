package io.github.collapseexecutor.sample.commitlog;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Reads a segment as a whole and checks everything in it.
 *
 * <p>A crash may leave a torn tail behind: a last record, or a header, that is not whole. It was not acknowledged,
 * because nothing is before it is durable. A record that is not whole but followed by one that is, or in a segment that
 * is not the last, was damaged otherwise, and may have been acknowledged: that is not for a program to mend.
 */
final class SegmentScan {

    // immutable
    private final Segment segment;
    private final boolean sealed;
    private final ByteBuffer bytes;

    // mutable, confined to the thread that scans
    private int[] offsets = new int[64];
    private int count;
    private int end;

    private SegmentScan(Segment segment, boolean sealed, ByteBuffer bytes) {
        this.segment = segment;
        this.sealed = sealed;
        this.bytes = bytes;
    }

    /**
     * Scans a segment.
     *
     * @param sealed whether it has a successor, so that everything in it was durable before that was begun
     */
    static SegmentScan of(Segment segment, boolean sealed) throws IOException {
        ByteBuffer bytes = segment.file()
                .readAll(ByteBuffer.allocate(Math.toIntExact(segment.file().size())), 0);
        SegmentScan scan = new SegmentScan(segment, sealed, bytes);
        scan.scan();
        return scan;
    }

    private void scan() throws CorruptLogException {
        if (!RecordFormat.isSegmentHeader(bytes, segment.firstLsn())) {
            if (sealed || isFollowedByRecord(0, segment.firstLsn() - 1)) {
                throw new CorruptLogException(
                        segment.path(),
                        0,
                        RecordFormat.namedHeaderChecksum(bytes),
                        RecordFormat.headerChecksum(bytes),
                        "this is not the header of a segment that begins with record " + segment.firstLsn());
            }
            return;
        }
        end = RecordFormat.SEGMENT_HEADER_SIZE;
        while (end < bytes.limit() && RecordFormat.isWhole(bytes, end) && RecordFormat.lsn(bytes, end) == nextLsn()) {
            add(end);
            end = RecordFormat.end(bytes, end);
        }
        if (end < bytes.limit() && (sealed || isFollowedByRecord(end, nextLsn()))) {
            throw new CorruptLogException(
                    segment.path(),
                    end,
                    RecordFormat.namedChecksum(bytes, end),
                    RecordFormat.checksum(bytes, end),
                    "record " + nextLsn() + " is not there or damaged");
        }
    }

    /** Whether a whole record with a later LSN, which was therefore written later, stands anywhere behind an offset. */
    private boolean isFollowedByRecord(int offset, long lsn) {
        for (int at = offset; at <= bytes.limit() - RecordFormat.HEADER_SIZE; at++) {
            long later = RecordFormat.lsn(bytes, at) - lsn;
            if (later > 0 && later <= bytes.limit() && RecordFormat.isWhole(bytes, at)) {
                return true;
            }
        }
        return false;
    }

    private void add(int offset) {
        if (count == offsets.length) {
            offsets = Arrays.copyOf(offsets, 2 * count);
        }
        offsets[count++] = offset;
    }

    /** Hands over the whole records, in order. */
    void forEach(LogStore.RecordReader reader) throws IOException {
        for (int i = 0; i < count; i++) {
            reader.read(segment.firstLsn() + i, RecordFormat.data(bytes, offsets[i]));
        }
    }

    /** Whether not even the header is whole, so that the segment holds nothing and never has. */
    boolean isWithoutHeader() {
        return end == 0;
    }

    /** Where the whole records end, in bytes from the beginning of the file. */
    int end() {
        return end;
    }

    boolean isTorn() {
        return end < bytes.limit();
    }

    /** The LSN of the record that would come next. */
    long nextLsn() {
        return segment.firstLsn() + count;
    }

    /** Where the records begin, in order of their LSNs. */
    int[] offsets() {
        return Arrays.copyOf(offsets, count);
    }

    /** The header and the whole records. */
    ByteBuffer whole() {
        return bytes.slice(0, end);
    }
}
