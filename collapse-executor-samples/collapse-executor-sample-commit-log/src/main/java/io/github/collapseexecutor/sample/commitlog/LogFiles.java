package io.github.collapseexecutor.sample.commitlog;

import java.io.IOException;
import java.nio.file.Path;

/** Where the log's files come from: the one place at which a disk can be replaced by one that fails or is slow. */
interface LogFiles {

    /** Creates a file that must not exist. */
    LogFile create(Path path) throws IOException;

    /** Opens a file that exists, for reading and writing. */
    LogFile open(Path path) throws IOException;

    void delete(Path path) throws IOException;

    /** Returns when the names of the files that were created in or deleted from a directory are on the storage device. */
    void forceDirectory(Path directory) throws IOException;
}
