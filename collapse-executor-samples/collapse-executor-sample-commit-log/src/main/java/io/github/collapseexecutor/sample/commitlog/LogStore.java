package io.github.collapseexecutor.sample.commitlog;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * The log without its stages: what each of them does, on files and in memory.
 *
 * <p>Each of {@link #write}, {@link #append} and {@link #commit} is called by one thread at a time, in the order in which
 * {@code write} returned the groups; {@link #sync} is called by any number. Different ones may be called at the same time.
 */
public final class LogStore implements Closeable {

    /** Is handed records. */
    public interface RecordReader {

        /**
         * Takes a record.
         *
         * @param lsn its LSN
         * @param data what was appended; valid until this returns
         * @throws IOException if it cannot be understood
         */
        void read(long lsn, ByteBuffer data) throws IOException;
    }

    // immutable
    private final Path directory;
    private final LogFiles files;
    private final DirectoryLock lock;
    private final Segments segments;
    private final CommitIndex index;

    private LogStore(Path directory, CommitLogOptions options, LogFiles files, DirectoryLock lock, Recovery recovery) {
        this.directory = directory;
        this.files = files;
        this.lock = lock;
        this.segments = new Segments(directory, files, options.segmentSize(), recovery);
        this.index = new CommitIndex(recovery);
    }

    /**
     * Opens the log in a directory, and recovers what is there.
     *
     * @param directory the log's own; it is created if it does not exist
     * @param options sizes
     * @param files where its files come from
     * @return the log
     * @throws IOException if another log is open on the directory, or it cannot be read or written, or is corrupt
     */
    public static LogStore open(Path directory, CommitLogOptions options, LogFiles files) throws IOException {
        DirectoryLock lock = DirectoryLock.acquire(directory);
        try {
            return new LogStore(directory, options, files, lock, Recovery.of(directory, files));
        } catch (Throwable thrown) {
            lock.close();
            throw thrown;
        }
    }

    Path directory() {
        return directory;
    }

    Group write(List<Entry> entries) throws IOException {
        return segments.write(entries);
    }

    /**
     * Writes records behind one another, all of them or none.
     *
     * @param records at least one
     * @return the LSN of the last one; those before it have the LSNs before it
     * @throws UncertainAppendException if it cannot be said whether any of them is in the log
     * @throws IOException if none of them is in the log
     */
    public long append(List<byte[]> records) throws IOException {
        return write(records.stream().map(Entry::of).toList()).lastLsn();
    }

    /**
     * Says whether the next write begins another segment; for the thread that writes.
     *
     * @return whether the last segment is full
     */
    public boolean isFull() {
        return segments.isFull();
    }

    /**
     * Returns when a record and all before it are durable.
     *
     * @param lsn the record's
     * @throws UncertainAppendException if that is not known and cannot be known until the log is opened again
     */
    public void sync(long lsn) throws UncertainAppendException {
        segments.sync(lsn);
    }

    void commit(Group group) {
        index.apply(group);
    }

    /**
     * Returns the LSN of the last record that was found when the log was opened, or was committed since.
     *
     * @return an LSN, or 0 if there is none
     */
    public long lastLsn() {
        return index.lastLsn();
    }

    /**
     * Reads a committed record. Each call opens the file for itself, because a caller who is interrupted closes the channel
     * that it reads from.
     */
    byte[] read(long lsn) throws IOException {
        CommitIndex.Offsets offsets = index.segmentOf(lsn);
        if (offsets == null) {
            throw new NoSuchElementException(
                    "The log in " + directory + " has no record " + lsn + ": its last one is " + lastLsn());
        }
        Segment segment = opened(offsets.firstLsn);
        try (LogFile file = segment.file()) {
            if (!offsets.isKnown()) {
                lookInto(segment, offsets);
            }
            return data(segment, offsets.of(lsn), lsn, file.size());
        }
    }

    /**
     * Reads all records, in order; for a time when none is written.
     *
     * @param reader is handed each
     * @throws IOException if a segment is damaged or cannot be read, or the reader says so
     */
    public void scan(RecordReader reader) throws IOException {
        scan(0, Segment.firstLsns(directory), reader);
    }

    /**
     * Reads the records of the last segment, in order; for a time when none is written.
     *
     * @param reader is handed each
     * @throws IOException if the segment is damaged or cannot be read, or the reader says so
     */
    public void scanLastSegment(RecordReader reader) throws IOException {
        List<Long> firstLsns = Segment.firstLsns(directory);
        scan(firstLsns.size() - 1, firstLsns, reader);
    }

    private void scan(int begin, List<Long> firstLsns, RecordReader reader) throws IOException {
        for (int i = begin; i < firstLsns.size(); i++) {
            boolean sealed = i < firstLsns.size() - 1;
            Segment segment = opened(firstLsns.get(i));
            LogFile file = segment.file();
            try (file) {
                SegmentScan scan = SegmentScan.of(segment, sealed);
                if (sealed) {
                    Recovery.checkNext(segment, scan, firstLsns.get(i + 1));
                }
                scan.forEach(reader);
            }
        }
    }

    private Segment opened(long firstLsn) throws IOException {
        try {
            return Segment.open(files, directory, firstLsn);
        } catch (NoSuchFileException gone) {
            CorruptLogException missing = CorruptLogException.deleted(Segment.path(directory, firstLsn));
            missing.initCause(gone);
            throw missing;
        }
    }

    private void lookInto(Segment segment, CommitIndex.Offsets offsets) throws IOException {
        SegmentScan scan = SegmentScan.of(segment, true);
        Long nextLsn = index.successorOf(offsets);
        if (nextLsn != null) {
            Recovery.checkNext(segment, scan, nextLsn);
        }
        offsets.fillIn(scan.offsets());
    }

    private static byte[] data(Segment segment, int offset, long lsn, long fileSize) throws IOException {
        ByteBuffer header = segment.file().readAll(ByteBuffer.allocate(RecordFormat.HEADER_SIZE), offset);
        int length = header.limit() < RecordFormat.HEADER_SIZE ? 0 : RecordFormat.length(header, 0);
        int room = (int) (fileSize - offset - RecordFormat.HEADER_SIZE);
        ByteBuffer record = ByteBuffer.allocate(
                RecordFormat.HEADER_SIZE + Math.max(0, length < 0 || length > room ? room : length));
        segment.file().readAll(record, offset);
        if (!RecordFormat.isWhole(record, 0) || RecordFormat.lsn(record, 0) != lsn) {
            throw new CorruptLogException(
                    segment.path(),
                    offset,
                    RecordFormat.namedChecksum(record, 0),
                    RecordFormat.checksum(record, 0),
                    "record " + lsn + " is not there or damaged");
        }
        byte[] data = new byte[RecordFormat.length(record, 0)];
        RecordFormat.data(record, 0).get(data);
        return data;
    }

    @Override
    public void close() throws IOException {
        try (lock) {
            segments.close();
        }
    }
}
