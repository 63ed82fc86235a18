package io.github.collapseexecutor.sample.commitlog;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The list of a log's segments: without it, a segment that is gone could not be told from one that never was.
 *
 * <p>A text file of lines that are only ever appended:
 *
 * <pre>
 * line      LSN of a segment's first record (20 digits), space, bytes of it that are durable (10 digits), space,
 *           CRC-32C of what stands before (8 hexadecimal digits), end of line
 * </pre>
 *
 * <p>Of several lines about a segment the last one counts. A segment with a successor has exactly that many bytes; the last
 * segment has at least as many.
 *
 * <h2>Steps, and what a crash after each of them leaves</h2>
 *
 * <table>
 * <caption>Beginning a segment</caption>
 * <tr><th>Step</th><th>After a crash</th></tr>
 * <tr><td>1. the full segment is forced</td><td>nothing has changed</td></tr>
 * <tr><td>2. the next segment is created, its header and its name are forced</td>
 *     <td>a segment that is not listed, without records and no longer than its header: it is deleted</td></tr>
 * <tr><td>3. two lines are appended: the size of the full segment, the begin of the next</td>
 *     <td>as after 2, or after 4; a torn line is cut off</td></tr>
 * <tr><td>4. the manifest is forced</td><td>a segment that is listed, without records</td></tr>
 * <tr><td>5. records are written to the next segment</td><td>as ever</td></tr>
 * </table>
 *
 * <p>So a listed segment always exists, and a segment that holds a record is always listed. The first manifest is written to
 * another file, which is forced and renamed: there is a whole one or none.
 */
final class Manifest implements Closeable {

    /** What is known of a segment. */
    record Line(long firstLsn, long size) {}

    private static final String NAME = "manifest";
    private static final String NEW_NAME = "manifest.new";
    private static final int CHECKED_SIZE = 31;
    private static final int LINE_SIZE = 41;

    // immutable
    private final Path path;
    private final LogFiles files;
    private final LogFile file;
    private final Object identity;

    // mutable, confined to the thread that writes
    private final SortedMap<Long, Line> lines = new TreeMap<>();
    private int end;

    private Manifest(Path path, LogFiles files, LogFile file) throws IOException {
        this.path = path;
        this.files = files;
        this.file = file;
        this.identity = files.identity(path);
    }

    static Path path(Path directory) {
        return directory.resolve(NAME);
    }

    /** Reads the manifest of a directory; null if there is none. A torn tail is not looked at, and overwritten later. */
    static @Nullable Manifest open(Path directory, LogFiles files) throws IOException {
        Path path = path(directory);
        LogFile file;
        try {
            file = files.open(path);
        } catch (NoSuchFileException none) {
            return null;
        }
        try {
            Manifest manifest = new Manifest(path, files, file);
            manifest.load(file.readAll(ByteBuffer.allocate(Math.toIntExact(file.size())), 0));
            return manifest;
        } catch (Throwable thrown) {
            file.close();
            throw thrown;
        }
    }

    /** Creates the manifest of a directory that has none, durable when this returns. */
    static Manifest create(Path directory, LogFiles files, List<Line> lines) throws IOException {
        Path unfinished = directory.resolve(NEW_NAME);
        try {
            files.delete(unfinished); // of a crash
        } catch (NoSuchFileException none) {
            // the usual case
        }
        LogFile file = files.create(unfinished);
        try {
            file.writeAll(encoded(lines), 0);
            file.force();
            files.rename(unfinished, path(directory));
            files.forceDirectory(directory);
        } finally {
            file.close();
        }
        LogFile named = files.open(path(directory)); // a caller that opens the file again finds it by this name
        try {
            Manifest manifest = new Manifest(path(directory), files, named);
            lines.forEach(manifest::apply);
            return manifest;
        } catch (Throwable thrown) {
            named.close();
            throw thrown;
        }
    }

    private void load(ByteBuffer bytes) throws CorruptLogException {
        Line line = decoded(bytes, 0);
        while (line != null) {
            apply(line);
            line = decoded(bytes, end);
        }
        boolean torn = end > 0;
        for (int later = end + LINE_SIZE; later < bytes.limit(); later += LINE_SIZE) {
            torn &= decoded(bytes, later) == null;
        }
        if (!torn) {
            throw CorruptLogException.unexpected(
                    path,
                    "is corrupt at offset " + end,
                    "restore it from a copy, or delete it: then the log is opened as it is found");
        }
    }

    private void apply(Line line) {
        lines.put(line.firstLsn(), line);
        end += LINE_SIZE;
    }

    private static ByteBuffer encoded(List<Line> lines) {
        StringBuilder text = new StringBuilder();
        for (Line line : lines) {
            String checked = String.format(Locale.ROOT, "%020d %010d", line.firstLsn(), line.size());
            text.append(String.format(Locale.ROOT, "%s %08x", checked, checksum(checked)))
                    .append('\n');
        }
        return US_ASCII.encode(text.toString());
    }

    /** The line at an offset; null if none is whole there. */
    private static @Nullable Line decoded(ByteBuffer bytes, int offset) {
        if (offset + LINE_SIZE > bytes.limit()) {
            return null;
        }
        ByteBuffer found = bytes.slice(offset, LINE_SIZE);
        String text = US_ASCII.decode(found.duplicate()).toString();
        try {
            Line line =
                    new Line(Long.parseLong(text.substring(0, 20)), Long.parseLong(text.substring(21, CHECKED_SIZE)));
            return encoded(List.of(line)).equals(found) ? line : null;
        } catch (NumberFormatException notALine) {
            return null;
        }
    }

    private static int checksum(String checked) {
        CRC32C checksum = new CRC32C();
        checksum.update(checked.getBytes(US_ASCII));
        return (int) checksum.getValue();
    }

    /** What is known of each segment, in order; at least of one. */
    List<Line> lines() {
        return List.copyOf(lines.values());
    }

    /** Appends lines, which are durable after {@link #force}. If this fails, they count as not written. */
    void write(List<Line> added) throws IOException {
        try {
            file.writeAll(encoded(added), end);
        } catch (Throwable thrown) {
            try {
                file.truncate(end);
            } catch (Throwable alsoThrown) {
                thrown.addSuppressed(alsoThrown); // what is left is torn, and overwritten by the next line
            }
            throw thrown;
        }
        added.forEach(this::apply);
    }

    /** Returns when all lines are durable under the manifest's name. */
    void force() throws IOException {
        file.force();
        files.checkInPlace(path, identity);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
