package io.github.collapseexecutor.sample.commitlog;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What was found in a log's directory when it was opened, made ready to go on with.
 *
 * <p>The directory has to hold the segments that the {@link Manifest} lists, and no other. A directory without a manifest is
 * a new log, or one from before there were manifests: it is taken as it is found, and gets one.
 */
final class Recovery {

    private static final long FIRST_LSN = 1;

    /** The segments, of which the last is ready to be written to. */
    private static final class Found {

        // immutable
        final List<Long> sealed;
        final Segment last;
        final int[] offsets;
        final int end;

        Found(List<Long> sealed, Segment last, int[] offsets, int end) {
            this.sealed = sealed;
            this.last = last;
            this.offsets = offsets;
            this.end = end;
        }
    }

    // immutable
    private final Found found;
    private final Manifest manifest;

    private Recovery(Found found, Manifest manifest) {
        this.found = found;
        this.manifest = manifest;
    }

    static Recovery of(Path directory, LogFiles files) throws IOException {
        Manifest manifest = Manifest.open(directory, files);
        if (manifest == null) {
            return withNewManifest(asFound(directory, files), directory, files);
        }
        try {
            return new Recovery(asListed(manifest.lines(), directory, files), manifest);
        } catch (Throwable thrown) {
            manifest.close();
            throw thrown;
        }
    }

    private static Recovery withNewManifest(Found found, Path directory, LogFiles files) throws IOException {
        try {
            List<Manifest.Line> lines = new ArrayList<>();
            for (long firstLsn : found.sealed) {
                lines.add(new Manifest.Line(firstLsn, Files.size(Segment.path(directory, firstLsn))));
            }
            lines.add(new Manifest.Line(found.last.firstLsn(), found.end));
            return new Recovery(found, Manifest.create(directory, files, lines));
        } catch (Throwable thrown) {
            found.last.file().close();
            throw thrown;
        }
    }

    private static Found asListed(List<Manifest.Line> lines, Path directory, LogFiles files) throws IOException {
        List<Long> present = Segment.firstLsns(directory);
        int sealed = lines.size() - 1;
        for (int i = 0; i < sealed; i++) {
            checkSealed(lines.get(i), lines.get(i + 1).firstLsn(), directory);
        }
        Manifest.Line line = lines.get(sealed);
        Segment last = lastListed(line.firstLsn(), directory, files);
        try {
            SegmentScan scan = SegmentScan.of(last, false);
            if (scan.end() < line.size()) {
                throw CorruptLogException.unexpected(
                        last.path(),
                        "has whole records up to offset " + scan.end() + ", but " + line.size()
                                + " bytes of it were durable",
                        restoreOrGiveUp(directory));
            }
            List<Long> listed = lines.stream().map(Manifest.Line::firstLsn).toList();
            deleteUnlisted(present, Set.copyOf(listed), scan.nextLsn(), directory, files);
            return mended(listed.subList(0, sealed), last, scan);
        } catch (Throwable thrown) {
            last.file().close();
            throw thrown;
        }
    }

    private static void checkSealed(Manifest.Line line, long nextLsn, Path directory) throws IOException {
        Path path = Segment.path(directory, line.firstLsn());
        long size;
        try {
            size = Files.size(path);
        } catch (NoSuchFileException missing) {
            throw CorruptLogException.unexpected(
                    path,
                    "is missing, which held the records from " + line.firstLsn() + " to " + (nextLsn - 1),
                    CorruptLogException.RESTORE);
        }
        if (size != line.size()) {
            throw CorruptLogException.unexpected(
                    path,
                    "has " + size + " bytes, but had " + line.size() + " when the next segment was begun",
                    CorruptLogException.RESTORE);
        }
    }

    private static Segment lastListed(long firstLsn, Path directory, LogFiles files) throws IOException {
        try {
            return Segment.open(files, directory, firstLsn);
        } catch (NoSuchFileException missing) {
            throw CorruptLogException.unexpected(
                    Segment.path(directory, firstLsn),
                    "is missing, which held the records from " + firstLsn + " on",
                    restoreOrGiveUp(directory));
        }
    }

    private static String restoreOrGiveUp(Path directory) {
        return CorruptLogException.RESTORE + ". If its records are lost for good, delete " + Manifest.path(directory)
                + ": then the log is opened as it is found, and gives their LSNs out again";
    }

    /** Deletes a segment that a crash has left before it was listed; refuses any other. */
    private static void deleteUnlisted(
            List<Long> present, Set<Long> listed, long nextLsn, Path directory, LogFiles files) throws IOException {
        for (long firstLsn : present) {
            if (!listed.contains(firstLsn)) {
                Path path = Segment.path(directory, firstLsn);
                if (firstLsn != nextLsn || Files.size(path) > RecordFormat.SEGMENT_HEADER_SIZE) {
                    throw CorruptLogException.unexpected(
                            path,
                            "is no segment of this log: " + Manifest.path(directory) + " does not list it",
                            "move it to another directory. If it belongs to this log, because the manifest is from an"
                                    + " older copy, delete the manifest: then the log is opened as it is found");
                }
                files.delete(path);
                files.forceDirectory(directory); // so that it does not come back when records stand where it begins
            }
        }
    }

    private static Found asFound(Path directory, LogFiles files) throws IOException {
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

    private static Found created(Path directory, LogFiles files, long firstLsn) throws IOException {
        return new Found(
                List.of(), Segment.create(files, directory, firstLsn), new int[0], RecordFormat.SEGMENT_HEADER_SIZE);
    }

    /**
     * Cuts a torn tail, and makes durable what is kept. That is written again, because a file that could not be forced may
     * be read back from the operating system's memory while the device does not hold it, and forcing it would say it does.
     */
    private static Found mended(List<Long> sealed, Segment last, SegmentScan scan) throws IOException {
        if (scan.isTorn()) {
            last.file().truncate(scan.end());
        }
        last.file().writeAll(scan.whole(), 0);
        last.file().force();
        return new Found(List.copyOf(sealed), last, scan.offsets(), scan.end());
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

    /** The list of the segments, to go on with. */
    Manifest manifest() {
        return manifest;
    }

    /**
     * The first LSNs of the segments before the last, which are not looked into: each was durable as a whole before its
     * successor was begun.
     */
    List<Long> sealed() {
        return found.sealed;
    }

    /** The segment that is written to. */
    Segment last() {
        return found.last;
    }

    /** Where its records begin; for the caller to keep. */
    int[] offsets() {
        return found.offsets;
    }

    /** Where its records end. */
    int end() {
        return found.end;
    }

    /** The LSN of the last record. */
    long lastLsn() {
        return found.last.firstLsn() + found.offsets.length - 1;
    }
}
