package io.github.collapseexecutor.sample.commitlog;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * The files of the file system.
 *
 * <p>A {@link FileChannel} is closed when a thread that uses it is interrupted. That is why the channels are used by the
 * threads of the log alone, which nobody interrupts, and never by those of its callers.
 */
final class DiskFiles implements LogFiles {

    @Override
    public LogFile create(Path path) throws IOException {
        return new DiskFile(FileChannel.open(path, CREATE_NEW, READ, WRITE));
    }

    @Override
    public LogFile open(Path path) throws IOException {
        return new DiskFile(FileChannel.open(path, READ, WRITE));
    }

    @Override
    public void delete(Path path) throws IOException {
        Files.delete(path);
    }

    @Override
    public void rename(Path path, Path newPath) throws IOException {
        Files.move(path, newPath, ATOMIC_MOVE);
    }

    @Override
    public Object identity(Path path) throws IOException {
        Object key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
        return key == null ? "" : key; // some file systems have none: there a file is known by its name alone
    }

    @Override
    public void forceDirectory(Path directory) throws IOException {
        // Elsewhere a directory cannot be opened; there the file system answers for its names.
        if (Files.getFileStore(directory).supportsFileAttributeView("posix")) {
            try (FileChannel names = FileChannel.open(directory, READ)) {
                names.force(true);
            }
        }
    }

    private record DiskFile(FileChannel channel) implements LogFile {

        @Override
        public long size() throws IOException {
            return channel.size();
        }

        @Override
        public int read(ByteBuffer target, long position) throws IOException {
            return channel.read(target, position);
        }

        @Override
        public int write(ByteBuffer source, long position) throws IOException {
            return channel.write(source, position);
        }

        @Override
        public void force() throws IOException {
            channel.force(false); // the data and what is needed to find it, which the size of the file is part of
        }

        @Override
        public void truncate(long size) throws IOException {
            channel.truncate(size);
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
