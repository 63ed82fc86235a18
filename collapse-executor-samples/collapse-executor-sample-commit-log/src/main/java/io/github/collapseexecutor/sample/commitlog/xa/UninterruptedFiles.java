package io.github.collapseexecutor.sample.commitlog.xa;

import io.github.collapseexecutor.sample.commitlog.ForwardingFiles;
import io.github.collapseexecutor.sample.commitlog.LogFile;
import io.github.collapseexecutor.sample.commitlog.LogFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;

/**
 * Files that callers may use on their own threads. A {@link java.nio.channels.FileChannel} is closed when a thread that uses it is
 * interrupted, which would fail everybody; here the file is opened again, the operation repeated, and the interruption kept for
 * the caller to see.
 *
 * <p>To repeat is harmless, because all operations name their positions. The operating system forces a file as a whole, through
 * whatever descriptor it was written.
 */
final class UninterruptedFiles extends ForwardingFiles {

    /** What is done with an open file. */
    private interface Operation<R> {

        R on(LogFile file) throws IOException;
    }

    // immutable
    private final LogFiles files;

    UninterruptedFiles(LogFiles files) {
        super(files);
        this.files = files;
    }

    @Override
    protected LogFile inFrontOf(Path path, LogFile file) {
        return new ReopenedFile(path, file);
    }

    @Override
    public void forceDirectory(Path directory) throws IOException {
        boolean interrupted = Thread.interrupted();
        boolean forced = false;
        try {
            while (!forced) {
                try {
                    super.forceDirectory(directory);
                    forced = true;
                } catch (ClosedByInterruptException e) {
                    interrupted |= Thread.interrupted();
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private final class ReopenedFile implements LogFile {

        // immutable
        private final Path path;

        // mutable, written under the monitor
        private volatile LogFile file;
        private boolean closed;

        private ReopenedFile(Path path, LogFile file) {
            this.path = path;
            this.file = file;
        }

        private <R> R repeated(Operation<R> operation) throws IOException {
            boolean interrupted = Thread.interrupted();
            try {
                while (true) {
                    LogFile tried = file;
                    try {
                        return operation.on(tried);
                    } catch (ClosedChannelException e) {
                        interrupted |= Thread.interrupted();
                        reopen(tried, e);
                    }
                }
            } finally {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }

        private synchronized void reopen(LogFile tried, ClosedChannelException cause) throws IOException {
            if (closed) {
                throw cause;
            }
            if (file == tried) {
                file = files.open(path);
            }
        }

        @Override
        public long size() throws IOException {
            return repeated(LogFile::size);
        }

        @Override
        public int read(ByteBuffer target, long position) throws IOException {
            int begin = target.position();
            return repeated(opened -> opened.read(target.position(begin), position));
        }

        @Override
        public int write(ByteBuffer source, long position) throws IOException {
            int begin = source.position();
            return repeated(opened -> opened.write(source.position(begin), position));
        }

        @Override
        public void force() throws IOException {
            repeated(opened -> {
                opened.force();
                return true;
            });
        }

        @Override
        public void truncate(long size) throws IOException {
            repeated(opened -> {
                opened.truncate(size);
                return true;
            });
        }

        @Override
        public synchronized void close() throws IOException {
            closed = true;
            file.close();
        }
    }
}
