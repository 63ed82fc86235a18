package io.github.collapseexecutor.sample.commitlog;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * How a segment and its records look in a file; all numbers are big-endian.
 *
 * <pre>
 * segment   magic (8 bytes), LSN of its first record (8), CRC-32C of those (4), then records without gaps
 * record    length of the data (4 bytes), CRC-32C of length, LSN and data (4), LSN (8), data
 * </pre>
 */
final class RecordFormat {

    static final int SEGMENT_HEADER_SIZE = 20;
    static final int HEADER_SIZE = 16;

    private static final long MAGIC = 0x434f4d4d_4c4f4731L; // COMMLOG1
    private static final int CHECKSUM_OFFSET = 4;
    private static final int LSN_OFFSET = 8;
    private static final int SEGMENT_CHECKSUM_OFFSET = 16;

    private RecordFormat() {}

    static ByteBuffer segmentHeader(long firstLsn) {
        ByteBuffer header = ByteBuffer.allocate(SEGMENT_HEADER_SIZE);
        header.putLong(MAGIC)
                .putLong(firstLsn)
                .putInt(checksum(header.duplicate().flip()));
        return header.flip();
    }

    /** Whether a segment begins as one must that was created for the LSN. */
    static boolean isSegmentHeader(ByteBuffer segment, long firstLsn) {
        return segment.limit() >= SEGMENT_HEADER_SIZE
                && segment.slice(0, SEGMENT_HEADER_SIZE).equals(segmentHeader(firstLsn));
    }

    /** The checksum that a segment's header names, or 0 if it is too short to name one. */
    static int namedHeaderChecksum(ByteBuffer segment) {
        return segment.limit() < SEGMENT_HEADER_SIZE ? 0 : segment.getInt(SEGMENT_CHECKSUM_OFFSET);
    }

    /** The checksum of what a segment's header says. */
    static int headerChecksum(ByteBuffer segment) {
        return checksum(segment.slice(0, Math.min(segment.limit(), SEGMENT_CHECKSUM_OFFSET)));
    }

    static ByteBuffer header(long lsn, byte[] data) {
        ByteBuffer header = ByteBuffer.allocate(HEADER_SIZE);
        header.putInt(data.length)
                .putInt(checksum(data.length, lsn, ByteBuffer.wrap(data)))
                .putLong(lsn);
        return header.flip();
    }

    /** Says whether there is a whole record at an offset, whatever its LSN. */
    static boolean isWhole(ByteBuffer segment, int offset) {
        return hasRoom(segment, offset) && namedChecksum(segment, offset) == checksum(segment, offset);
    }

    private static boolean hasRoom(ByteBuffer segment, int offset) {
        int room = segment.limit() - offset - HEADER_SIZE;
        if (room < 0) {
            return false;
        }
        int length = length(segment, offset);
        return length >= 0 && length <= room;
    }

    static int length(ByteBuffer segment, int offset) {
        return segment.getInt(offset);
    }

    static long lsn(ByteBuffer segment, int offset) {
        return segment.getLong(offset + LSN_OFFSET);
    }

    /** Where the record after the one at an offset begins. */
    static int end(ByteBuffer segment, int offset) {
        return offset + HEADER_SIZE + length(segment, offset);
    }

    static ByteBuffer data(ByteBuffer segment, int offset) {
        return segment.slice(offset + HEADER_SIZE, length(segment, offset));
    }

    /** The checksum that a record names, or 0 if it is too short to name one. */
    static int namedChecksum(ByteBuffer segment, int offset) {
        return segment.limit() - offset < HEADER_SIZE ? 0 : segment.getInt(offset + CHECKSUM_OFFSET);
    }

    /** The checksum of what a record says, as far as there is one. */
    static int checksum(ByteBuffer segment, int offset) {
        int room = segment.limit() - offset - HEADER_SIZE;
        if (room < 0) {
            return checksum(segment.slice(offset, segment.limit() - offset));
        }
        int data = hasRoom(segment, offset) ? length(segment, offset) : room;
        return checksum(length(segment, offset), lsn(segment, offset), segment.slice(offset + HEADER_SIZE, data));
    }

    private static int checksum(int length, long lsn, ByteBuffer data) {
        ByteBuffer numbers = ByteBuffer.allocate(Integer.BYTES + Long.BYTES);
        numbers.putInt(length).putLong(lsn).flip();
        CRC32C checksum = new CRC32C();
        checksum.update(numbers);
        checksum.update(data);
        return (int) checksum.getValue();
    }

    private static int checksum(ByteBuffer bytes) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes);
        return (int) checksum.getValue();
    }
}
