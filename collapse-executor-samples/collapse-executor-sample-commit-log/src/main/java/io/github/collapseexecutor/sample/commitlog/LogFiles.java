package io.github.collapseexecutor.sample.commitlog;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Where the log's files come from: the one place at which a disk can be replaced by one that fails or is slow. */
interface LogFiles {

    /** Creates a file that must not exist. */
    LogFile create(Path path) throws IOException;

    /** Opens a file that exists, for reading and writing. */
    LogFile open(Path path) throws IOException;

    void delete(Path path) throws IOException;

    /** Gives a file another name, in one step, in place of the file that had it. */
    void rename(Path path, Path newPath) throws IOException;

    /**
     * Returns what tells the file that has a name now from any other that had it, or will have it, while this one is open.
     *
     * @throws java.nio.file.NoSuchFileException if there is none
     */
    Object identity(Path path) throws IOException;

    /**
     * Checks that a name still leads to a file, so that what is written to the file will be found there.
     *
     * @param identity of the file, from when it was opened
     * @throws IOException if the file was deleted, moved or replaced
     */
    default void checkInPlace(Path path, Object identity) throws IOException {
        String what;
        try {
            if (identity(path).equals(identity)) {
                return;
            }
            what = " was replaced by another file";
        } catch (NoSuchFileException gone) {
            what = " was deleted or moved";
        }
        throw new IOException(path + what + " while the log was open: put it back, or restore it from a copy");
    }

    /** Returns when the names of the files in a directory, as they are now, are on the storage device. */
    void forceDirectory(Path directory) throws IOException;
}
