package io.github.collapseexecutor.sample.commitlog;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Keeps a directory for one log at a time, in this process and among processes, by a lock on a file in it.
 *
 * <p>The operating system gives the lock back when the process ends, however it ends; the file stays and means nothing.
 */
final class DirectoryLock implements Closeable {

    private static final String FILE = "lock";
    private static final int LONGEST_OWNER = 20;

    // immutable
    private final FileChannel channel;

    private DirectoryLock(FileChannel channel) {
        this.channel = channel;
    }

    static DirectoryLock acquire(Path directory) throws IOException {
        FileChannel channel;
        try {
            Files.createDirectories(directory);
            channel = FileChannel.open(directory.resolve(FILE), CREATE, READ, WRITE);
        } catch (IOException e) {
            throw new IOException(
                    "The log directory " + directory + " cannot be written to (" + e
                            + "): let this process create files there, or name another directory",
                    e);
        }
        try {
            if (!isLocked(channel)) {
                throw new IOException("The log directory " + directory + " is in use by process " + owner(channel)
                        + ": only one log may be open on it; close that one, or name another directory");
            }
            channel.truncate(0);
            channel.write(StandardCharsets.US_ASCII.encode(
                    Long.toString(ProcessHandle.current().pid())));
            return new DirectoryLock(channel);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    private static boolean isLocked(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false; // another log of this process has it
        }
    }

    private static String owner(FileChannel channel) throws IOException {
        ByteBuffer owner = ByteBuffer.allocate(LONGEST_OWNER);
        channel.read(owner, 0);
        return StandardCharsets.US_ASCII.decode(owner.flip()).toString();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
