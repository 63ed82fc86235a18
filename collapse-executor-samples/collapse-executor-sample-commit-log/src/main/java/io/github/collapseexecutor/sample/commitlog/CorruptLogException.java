package io.github.collapseexecutor.sample.commitlog;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/**
 * A file of the log does not hold what was written to it, at a place where that cannot come of a crash; or it is missing, or
 * does not belong to the log.
 *
 * <p>The message says how to mend it. The log is left as it is. Records before the place are whole; what follows it may be,
 * so nothing is cut off.
 */
public final class CorruptLogException extends IOException {

    private static final long serialVersionUID = 1;

    static final String RESTORE = "restore the file from a copy";

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
                corrupt(
                        file,
                        offset,
                        what
                                + String.format(
                                        Locale.ROOT,
                                        "; expected checksum %08x, found %08x",
                                        expectedChecksum,
                                        foundChecksum)),
                RESTORE);
    }

    /** Where there is nothing whose checksum could be wrong. */
    CorruptLogException(Path file, long offset, String what) {
        this(file, offset, 0, 0, corrupt(file, offset, what), RESTORE);
    }

    /** Where a file as a whole is not as it must be, or not there. */
    static CorruptLogException unexpected(Path file, String what, String remedy) {
        return new CorruptLogException(file, 0, 0, 0, file + " " + what, remedy);
    }

    /** Where a file was there before. */
    static CorruptLogException deleted(Path file) {
        return unexpected(file, "was deleted or moved while the log was open", RESTORE);
    }

    private static String corrupt(Path file, long offset, String what) {
        return file + " is corrupt at offset " + offset + ": " + what;
    }

    private CorruptLogException(
            Path file, long offset, int expectedChecksum, int foundChecksum, String defect, String remedy) {
        super(defect + ". Nothing was changed: " + remedy);
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
     * @return bytes from the beginning of the file; 0 if the file as a whole is wrong or missing
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
