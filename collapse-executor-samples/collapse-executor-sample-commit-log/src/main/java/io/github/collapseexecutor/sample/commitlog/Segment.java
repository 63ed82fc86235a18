package io.github.collapseexecutor.sample.commitlog;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** An open segment: a file whose name says the LSN of its first record. */
record Segment(Path path, long firstLsn, LogFile file) {

    private static final int LARGEST_PART = 1 << 20;
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
        return new Segment(path, firstLsn, files.open(path));
    }

    /** Creates a segment without records, whose name is durable when this returns; if it fails, it leaves none. */
    static Segment create(LogFiles files, Path directory, long firstLsn) throws IOException {
        Path path = path(directory, firstLsn);
        Segment segment = new Segment(path, firstLsn, files.create(path));
        try {
            segment.write(RecordFormat.segmentHeader(firstLsn), 0);
            files.forceDirectory(directory);
            return segment;
        } catch (Throwable thrown) {
            try {
                segment.file.close();
                files.delete(path);
            } catch (Throwable alsoThrown) {
                thrown.addSuppressed(alsoThrown);
            }
            throw thrown;
        }
    }

    /** Writes all that a buffer holds; returns how much that was. */
    int write(ByteBuffer source, long position) throws IOException {
        int written = 0;
        while (source.hasRemaining()) {
            int count = file.write(part(source), position + written);
            if (count <= 0) {
                throw new IOException("Nothing could be written to " + path + " at offset " + (position + written));
            }
            source.position(source.position() + count);
            written += count;
        }
        return written;
    }

    /** Reads until the buffer is full or the file ends, and flips the buffer. */
    ByteBuffer read(ByteBuffer target, long position) throws IOException {
        long at = position;
        while (target.hasRemaining()) {
            int count = file.read(part(target), at);
            if (count < 0) {
                break;
            }
            target.position(target.position() + count);
            at += count;
        }
        return target.flip();
    }

    /** What comes next in a buffer, of which a channel would copy all that it is given into memory outside the heap. */
    private static ByteBuffer part(ByteBuffer buffer) {
        return buffer.slice(buffer.position(), Math.min(buffer.remaining(), LARGEST_PART));
    }
}
