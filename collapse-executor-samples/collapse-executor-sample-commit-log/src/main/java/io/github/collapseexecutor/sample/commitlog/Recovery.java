package io.github.collapseexecutor.sample.commitlog;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** What was found in a log's directory when it was opened, made ready to go on with. */
final class Recovery {

    private static final long FIRST_LSN = 1;

    // immutable
    private final List<Long> sealed;
    private final Segment last;
    private final int[] offsets;
    private final int end;

    private Recovery(List<Long> sealed, Segment last, int[] offsets, int end) {
        this.sealed = sealed;
        this.last = last;
        this.offsets = offsets;
        this.end = end;
    }

    static Recovery of(Path directory, LogFiles files) throws IOException {
        List<Long> firstLsns = Segment.firstLsns(directory);
        if (firstLsns.isEmpty()) {
            return created(directory, files, FIRST_LSN);
        }
        int index = firstLsns.size() - 1;
        long lastBegin = firstLsns.get(index);
        Segment last = Segment.open(files, directory, lastBegin);
        try {
            SegmentScan scan = SegmentScan.of(last, false);
            if (!scan.isWithoutHeader()) {
                return mended(firstLsns.subList(0, index), last, scan);
            }
        } catch (Throwable thrown) {
            last.file().close();
            throw thrown;
        }
        last.file().close(); // the crash came while the segment was begun
        if (index == 0) {
            files.delete(last.path());
            return created(directory, files, lastBegin);
        }
        Segment full = Segment.open(files, directory, firstLsns.get(index - 1));
        try {
            SegmentScan scan = SegmentScan.of(full, true);
            checkNext(full, scan, lastBegin);
            files.delete(last.path());
            return mended(firstLsns.subList(0, index - 1), full, scan);
        } catch (Throwable thrown) {
            full.file().close();
            throw thrown;
        }
    }

    private static Recovery created(Path directory, LogFiles files, long firstLsn) throws IOException {
        return new Recovery(
                List.of(), Segment.create(files, directory, firstLsn), new int[0], RecordFormat.SEGMENT_HEADER_SIZE);
    }

    /**
     * Cuts a torn tail, and makes durable what is kept. That is written again, because a file that could not be forced may
     * be read back from the operating system's memory while the device does not hold it, and forcing it would say it does.
     */
    private static Recovery mended(List<Long> sealed, Segment last, SegmentScan scan) throws IOException {
        if (scan.isTorn()) {
            last.file().truncate(scan.end());
        }
        last.write(scan.whole(), 0);
        last.file().force();
        return new Recovery(List.copyOf(sealed), last, scan.offsets(), scan.end());
    }

    /** Holds a segment that has a successor to ending where that begins. */
    static void checkNext(Segment segment, SegmentScan scan, long nextLsn) throws CorruptLogException {
        if (scan.nextLsn() != nextLsn) {
            throw new CorruptLogException(
                    segment.path(),
                    scan.end(),
                    "it ends before record " + scan.nextLsn() + ", but the next segment begins with record " + nextLsn);
        }
    }

    /**
     * The first LSNs of the segments before the last, which are not looked into: each was durable as a whole before its
     * successor was begun.
     */
    List<Long> sealed() {
        return sealed;
    }

    /** The segment that is written to. */
    Segment last() {
        return last;
    }

    /** Where its records begin; for whoever asks to keep. */
    int[] offsets() {
        return offsets;
    }

    /** Where its records end. */
    int end() {
        return end;
    }

    /** The LSN of the last record. */
    long lastLsn() {
        return last.firstLsn() + offsets.length - 1;
    }
}
