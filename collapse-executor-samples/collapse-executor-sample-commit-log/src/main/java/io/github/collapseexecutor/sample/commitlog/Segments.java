package io.github.collapseexecutor.sample.commitlog;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Writes records to the last segment and makes them durable; knows nothing of stages.
 *
 * <p>{@link #write} is called by one thread at a time, {@link #sync} by any, and both at the same time. They share the
 * forcing of files, of which there is one at a time: the operating system reports a failure to write back only once, so of
 * two that force a file together one could be told that all is well.
 *
 * <p><b>Failure.</b> What could not be written is cut off again durably, and the log goes on; if it cannot be cut off, or if forcing
 * fails, nobody knows what is on the device, and nothing is written or acknowledged until the log is opened again. The same
 * holds when the segment is no longer found under its name after it was forced: its records would be lost with this process.
 */
final class Segments implements Closeable {

    private static final int BUFFER_SIZE = 256 << 10;

    // immutable
    private final Path directory;
    private final LogFiles files;
    private final int segmentSize;
    private final Manifest manifest;
    private final ReentrantLock forcing = new ReentrantLock();

    // mutable, confined to the thread that writes
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_SIZE);
    private int size;

    // mutable; written by the thread that writes
    private volatile Segment current;
    /** Advances when the records are in the file, so that a thread that has read it finds that file, or a later one, current. */
    private volatile long writtenLsn;

    // mutable; written under the lock
    private volatile long durableLsn;
    private volatile @Nullable Throwable failure;

    Segments(Path directory, LogFiles files, int segmentSize, Recovery recovery) {
        this.directory = directory;
        this.files = files;
        this.segmentSize = segmentSize;
        this.manifest = recovery.manifest();
        this.current = recovery.last();
        this.size = recovery.end();
        this.writtenLsn = recovery.lastLsn();
        this.durableLsn = recovery.lastLsn();
    }

    /**
     * Gives the entries the next LSNs, in order, and writes them.
     *
     * @throws UncertainAppendException if it cannot be said whether any of the records is in the log
     * @throws IOException if none of the records is in the log
     */
    Group write(List<Entry> entries) throws IOException {
        if (entries.isEmpty()) {
            return Group.EMPTY;
        }
        checkNotFailed();
        if (isFull()) {
            roll();
        }
        int begin = size;
        long lsn = writtenLsn;
        Segment segment = current;
        try {
            for (Entry entry : entries) {
                entry.place(++lsn, segment, size + buffer.position());
                put(segment, RecordFormat.header(lsn, entry.data()));
                put(segment, ByteBuffer.wrap(entry.data()));
            }
            drain(segment);
        } catch (Throwable thrown) {
            throw undone(segment, begin, thrown);
        }
        writtenLsn = lsn;
        return new Group(entries);
    }

    /** Whether the next write begins another segment; for the thread that writes. A segment without a record is never full. */
    boolean isFull() {
        return size >= segmentSize && size > RecordFormat.SEGMENT_HEADER_SIZE;
    }

    private void put(Segment segment, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            if (!buffer.hasRemaining()) {
                drain(segment);
            }
            int count = Math.min(bytes.remaining(), buffer.remaining());
            buffer.put(bytes.slice(bytes.position(), count));
            bytes.position(bytes.position() + count);
        }
    }

    private void drain(Segment segment) throws IOException {
        size += segment.file().writeAll(buffer.flip(), size);
        buffer.clear();
    }

    private IOException undone(Segment segment, int begin, Throwable cause) {
        buffer.clear();
        try {
            segment.file().truncate(begin);
            size = begin;
            forceCut(); // else a power failure could bring back what callers are told is not there
        } catch (Throwable thrown) {
            cause.addSuppressed(thrown);
            return new UncertainAppendException(
                    "Records could not be written to " + segment.path() + " at offset " + begin + " (" + cause
                            + "), and what was written of them could not be cut off (" + thrown
                            + "): close the log and open it again",
                    failed(cause));
        }
        return new IOException(
                "Records could not be written to " + segment.path() + " at offset " + begin + " (" + cause
                        + "). They are not in the log; append again when the cause is gone",
                cause);
    }

    private void forceCut() throws IOException {
        forcing.lock();
        try {
            checkNotFailed();
            force(writtenLsn);
        } finally {
            forcing.unlock();
        }
    }

    /** Begins the next segment when all of this one is durable, so that a crash can tear only the last one. */
    private void roll() throws IOException {
        forcing.lock();
        try {
            checkNotFailed();
            if (durableLsn < writtenLsn) {
                force(writtenLsn);
            }
        } catch (IOException e) {
            throw new IOException(
                    "Records are not in the log: the segment before them could not be forced. Close the log and open it"
                            + " again",
                    e);
        } finally {
            forcing.unlock();
        }
        checkDirectory();
        Segment full = current;
        current = begun(full);
        size = RecordFormat.SEGMENT_HEADER_SIZE;
        full.file().close(); // nobody forces it any more, because all that was written to it is durable
    }

    /** Checks that no segment is gone: the log would not open again, so it takes no more records either. */
    private void checkDirectory() throws IOException {
        try {
            Set<Long> present = Set.copyOf(Segment.firstLsns(directory));
            for (Manifest.Line line : manifest.lines()) {
                if (!present.contains(line.firstLsn())) {
                    throw CorruptLogException.deleted(Segment.path(directory, line.firstLsn()));
                }
            }
        } catch (IOException e) {
            failed(e);
            throw new IOException(
                    "Records are not in the log: not all segments before them are in its directory (" + e
                            + "). Close the log and open it again",
                    e);
        }
    }

    /** Creates the segment after the full one and lists it; the steps are those of {@link Manifest}. */
    private Segment begun(Segment full) throws IOException {
        Segment next;
        try {
            next = Segment.create(files, directory, writtenLsn + 1);
            try {
                manifest.write(List.of(
                        new Manifest.Line(full.firstLsn(), size),
                        new Manifest.Line(next.firstLsn(), RecordFormat.SEGMENT_HEADER_SIZE)));
            } catch (Throwable thrown) {
                next.discard(files, thrown);
                throw thrown;
            }
        } catch (IOException e) {
            throw new IOException(
                    "Records are not in the log, because no new segment could be created in " + directory + " (" + e
                            + "): append again when the cause is gone",
                    e);
        }
        try {
            manifest.force();
        } catch (Throwable thrown) {
            failed(thrown);
            next.file().close(); // but not deleted: it may be listed
            throw new IOException(
                    "Records are not in the log: the manifest could not be forced (" + thrown
                            + "). Close the log and open it again",
                    thrown);
        }
        return next;
    }

    /**
     * Returns when the record with an LSN and all before it are durable: it forces the file, unless the thread that did so last came
     * after they had been written.
     *
     * @throws UncertainAppendException if that is not known and cannot be known until the log is opened again
     */
    void sync(long lsn) throws UncertainAppendException {
        forcing.lock();
        try {
            if (lsn <= durableLsn) {
                return;
            }
            checkNotFailed();
            force(writtenLsn); // read before forcing: what is written meanwhile may not be covered
        } catch (IOException e) {
            throw new UncertainAppendException(
                    "Records up to " + lsn + " were written, but " + current.path() + " could not be forced (" + e
                            + "), so that they may be in the log or not: close it and open it again",
                    e);
        } finally {
            forcing.unlock();
        }
    }

    /** With the lock held. */
    private void force(long coveredLsn) throws IOException {
        Segment segment = current;
        try {
            segment.file().force();
            segment.checkInPlace(files); // of what use is a record on the device that no name leads to
        } catch (Throwable thrown) {
            throw new IOException(thrown.toString(), failed(thrown));
        }
        durableLsn = coveredLsn;
    }

    private Throwable failed(Throwable cause) {
        forcing.lock();
        try {
            if (failure == null) {
                failure = cause;
            }
        } finally {
            forcing.unlock();
        }
        return cause;
    }

    private void checkNotFailed() throws IOException {
        Throwable first = failure;
        if (first != null) {
            throw new IOException(
                    "The log in " + directory + " takes no records since a failure (" + first
                            + "): close it and open it again",
                    first);
        }
    }

    @Override
    public void close() throws IOException {
        if (failure == null && durableLsn == writtenLsn) {
            noteEnd();
        }
        try {
            manifest.close();
        } finally {
            current.file().close();
        }
    }

    /** Lists how much of the last segment is durable, so that a loss at its end is not taken for a torn tail. */
    private void noteEnd() {
        Manifest.Line end = new Manifest.Line(current.firstLsn(), size);
        if (!manifest.lines().contains(end)) {
            try {
                manifest.write(List.of(end));
                manifest.force();
            } catch (IOException e) {
                // The records are durable without it.
            }
        }
    }
}
