package io.github.collapseexecutor.sample.commitlog;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Where the log's files come from: the one place at which a disk can be replaced by one that fails or is slow. */
public interface LogFiles {

    /**
     * Returns the files of the file system.
     *
     * @return files without a state of their own
     */
    static LogFiles onDisk() {
        return new DiskFiles();
    }

    /**
     * Creates a file.
     *
     * @param path its name, which no file has yet
     * @return the open file
     * @throws IOException if it exists, or cannot be created
     */
    LogFile create(Path path) throws IOException;

    /**
     * Opens a file for reading and writing.
     *
     * @param path its name
     * @return the open file
     * @throws IOException if it does not exist, or cannot be opened
     */
    LogFile open(Path path) throws IOException;

    /**
     * Deletes a file.
     *
     * @param path its name
     * @throws IOException if it does not exist, or cannot be deleted
     */
    void delete(Path path) throws IOException;

    /**
     * Gives a file another name, in one step, in place of the file that had it.
     *
     * @param path its name until now
     * @param newPath its name from then on
     * @throws IOException if it cannot be renamed
     */
    void rename(Path path, Path newPath) throws IOException;

    /**
     * Returns what tells the file that has a name now from any other that had it, or will have it, while this one is open.
     *
     * @param path the name
     * @return an object to compare by {@code equals}
     * @throws java.nio.file.NoSuchFileException if there is none
     * @throws IOException if that cannot be read
     */
    Object identity(Path path) throws IOException;

    /**
     * Checks that a name still leads to a file, so that what is written to the file will be found there.
     *
     * @param path the name
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

    /**
     * Returns when the names of the files in a directory, as they are now, are on the storage device.
     *
     * @param directory where the files are
     * @throws IOException if that is not known
     */
    void forceDirectory(Path directory) throws IOException;
}
