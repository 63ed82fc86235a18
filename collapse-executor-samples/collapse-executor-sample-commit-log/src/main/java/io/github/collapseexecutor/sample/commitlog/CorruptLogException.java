package io.github.collapseexecutor.sample.commitlog;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A file of the log does not hold what was written to it, at a place where that cannot come of a crash.
 *
 * <p>The log is left as it is. Records before the place are whole; what follows it may be, so nothing is cut off.
 */
public final class CorruptLogException extends IOException {

    private static final long serialVersionUID = 1;

    // immutable
    private final String file;
    private final long offset;
    private final int expectedChecksum;
    private final int foundChecksum;

    CorruptLogException(Path file, long offset, int expectedChecksum, int foundChecksum, String what) {
        this(
                file,
                offset,
                expectedChecksum,
                foundChecksum,
                what,
                String.format("; expected checksum %08x, found %08x", expectedChecksum, foundChecksum));
    }

    /** Where there is nothing whose checksum could be wrong. */
    CorruptLogException(Path file, long offset, String what) {
        this(file, offset, 0, 0, what, "");
    }

    private CorruptLogException(
            Path file, long offset, int expectedChecksum, int foundChecksum, String what, String checksums) {
        super(file + " is corrupt at offset " + offset + ": " + what + checksums
                + ". Nothing was changed: restore the file from a copy");
        this.file = file.toString();
        this.offset = offset;
        this.expectedChecksum = expectedChecksum;
        this.foundChecksum = foundChecksum;
    }

    /**
     * Returns the corrupt file.
     *
     * @return its path
     */
    public Path file() {
        return Path.of(file);
    }

    /**
     * Returns where the record, or the header, begins that is corrupt.
     *
     * @return bytes from the beginning of the file
     */
    public long offset() {
        return offset;
    }

    /**
     * Returns the checksum that stands in the file.
     *
     * @return a CRC-32C, or 0 if nothing is there
     */
    public int expectedChecksum() {
        return expectedChecksum;
    }

    /**
     * Returns the checksum of what stands in the file.
     *
     * @return a CRC-32C, or 0 if nothing is there
     */
    public int foundChecksum() {
        return foundChecksum;
    }
}
