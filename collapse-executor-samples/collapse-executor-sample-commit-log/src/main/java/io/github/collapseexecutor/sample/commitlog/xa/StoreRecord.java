package io.github.collapseexecutor.sample.commitlog.xa;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A record of the redo log or the binlog.
 *
 * <pre>
 * record    kind (1 byte: R, C or B), xid (8), rows without gaps
 * row       length of the key (4 bytes), key (UTF-8), length of the value (4), value (UTF-8)
 * </pre>
 *
 * @param rows what the transaction writes; empty in a mark
 */
record StoreRecord(Kind kind, long xid, Map<String, String> rows) {

    /** What a record says of a transaction. */
    enum Kind {
        /** In the redo log, that it is prepared; in the binlog, that it happened. */
        ROWS('R'),
        /** That it is committed; in the redo log only. */
        COMMIT('C'),
        /** That it is rolled back; in the redo log only. */
        ROLLBACK('B');

        // immutable
        private final byte code;

        Kind(char code) {
            this.code = (byte) code;
        }

        private static Kind of(byte code) throws IOException {
            for (Kind kind : values()) {
                if (kind.code == code) {
                    return kind;
                }
            }
            throw new IOException("A record is of the kind " + code + REMEDY);
        }
    }

    private static final String REMEDY =
            ", which no store has written: name the directory of a store, or restore it from a copy";

    private static final int HEAD_SIZE = 1 + Long.BYTES;

    static byte[] rows(long xid, Map<String, String> rows) {
        byte[][] parts = new byte[2 * rows.size()][];
        int size = HEAD_SIZE;
        int count = 0;
        for (Map.Entry<String, String> row : rows.entrySet()) {
            parts[count++] = row.getKey().getBytes(UTF_8);
            parts[count++] = row.getValue().getBytes(UTF_8);
            size += 2 * Integer.BYTES + parts[count - 2].length + parts[count - 1].length;
        }
        byte[] record = new byte[size];
        ByteBuffer target = ByteBuffer.wrap(record);
        target.put(Kind.ROWS.code).putLong(xid);
        for (byte[] part : parts) {
            target.putInt(part.length).put(part);
        }
        return record;
    }

    static byte[] mark(Kind kind, long xid) {
        byte[] record = new byte[HEAD_SIZE];
        ByteBuffer.wrap(record).put(kind.code).putLong(xid);
        return record;
    }

    static StoreRecord decoded(ByteBuffer record) throws IOException {
        try {
            Kind kind = Kind.of(record.get());
            long xid = record.getLong();
            Map<String, String> rows = new LinkedHashMap<>();
            while (record.hasRemaining()) {
                rows.put(text(record), text(record));
            }
            return new StoreRecord(kind, xid, rows);
        } catch (BufferUnderflowException | NegativeArraySizeException e) {
            throw new IOException("A record has lengths that do not fit it" + REMEDY, e);
        }
    }

    private static String text(ByteBuffer record) {
        byte[] text = new byte[Math.min(record.getInt(), record.remaining() + 1)];
        record.get(text);
        return new String(text, UTF_8);
    }
}
