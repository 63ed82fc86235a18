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
 * <p>Each of {@link #write}, {@link #sync} and {@link #commit} is called by one thread at a time, in the order in which {@code
 * write} returned the groups; different ones may be called at the same time.
 */
final class LogStore implements Closeable {

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

    static LogStore open(Path directory, CommitLogOptions options, LogFiles files) throws IOException {
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

    void sync(long lsn) throws UncertainAppendException {
        segments.sync(lsn);
    }

    void commit(Group group) {
        index.apply(group);
    }

    long lastLsn() {
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
