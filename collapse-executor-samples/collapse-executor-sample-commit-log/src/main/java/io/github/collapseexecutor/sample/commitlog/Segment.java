package io.github.collapseexecutor.sample.commitlog;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * An open segment: a file whose name says the LSN of its first record.
 *
 * @param identity tells it from any other file that comes to have its name
 */
record Segment(Path path, long firstLsn, LogFile file, Object identity) {

    private static final Pattern NAME = Pattern.compile("(\\d{20})\\.log");

    static Path path(Path directory, long firstLsn) {
        return directory.resolve(String.format(Locale.ROOT, "%020d.log", firstLsn));
    }

    /** The first LSNs of the segments in a directory, in order; other files are not looked at. */
    static List<Long> firstLsns(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> NAME.matcher(file.getFileName().toString()))
                    .filter(name -> name.matches())
                    .map(name -> Long.valueOf(name.group(1)))
                    .sorted()
                    .toList();
        }
    }

    static Segment open(LogFiles files, Path directory, long firstLsn) throws IOException {
        Path path = path(directory, firstLsn);
        LogFile file = files.open(path);
        try {
            return new Segment(path, firstLsn, file, files.identity(path));
        } catch (Throwable thrown) {
            file.close();
            throw thrown;
        }
    }

    /** Creates a segment without records, which is durable when this returns; if it fails, it leaves none. */
    static Segment create(LogFiles files, Path directory, long firstLsn) throws IOException {
        Path path = path(directory, firstLsn);
        LogFile file = files.create(path);
        try {
            file.writeAll(RecordFormat.segmentHeader(firstLsn), 0);
            file.force();
            files.forceDirectory(directory);
            return new Segment(path, firstLsn, file, files.identity(path));
        } catch (Throwable thrown) {
            discard(files, path, file, thrown);
            throw thrown;
        }
    }

    /** Takes the creation back. */
    void discard(LogFiles files, Throwable cause) {
        discard(files, path, file, cause);
    }

    private static void discard(LogFiles files, Path path, LogFile file, Throwable cause) {
        try {
            file.close();
            files.delete(path);
        } catch (Throwable alsoThrown) {
            cause.addSuppressed(alsoThrown);
        }
    }

    /**
     * Checks that its name still leads to it, so that its records will be found when the log is opened again.
     *
     * @throws IOException if it was deleted, moved or replaced
     */
    void checkInPlace(LogFiles files) throws IOException {
        files.checkInPlace(path, identity);
    }
}
