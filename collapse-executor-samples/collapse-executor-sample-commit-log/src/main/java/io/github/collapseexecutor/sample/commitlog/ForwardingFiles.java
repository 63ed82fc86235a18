package io.github.collapseexecutor.sample.commitlog;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** Files that leave everything to others; a subclass overrides what it does in another way. */
public abstract class ForwardingFiles implements LogFiles {

    // immutable
    private final LogFiles files;

    /**
     * Creates files in front of others.
     *
     * @param files what everything is left to
     */
    protected ForwardingFiles(LogFiles files) {
        this.files = files;
    }

    /**
     * Gives what stands in front of a file.
     *
     * @param path the name under which it was created or opened
     * @param file the file
     * @return what is handed out in its place
     */
    protected abstract LogFile inFrontOf(Path path, LogFile file);

    @Override
    public LogFile create(Path path) throws IOException {
        return inFrontOf(path, files.create(path));
    }

    @Override
    public LogFile open(Path path) throws IOException {
        return inFrontOf(path, files.open(path));
    }

    @Override
    public void delete(Path path) throws IOException {
        files.delete(path);
    }

    @Override
    public void rename(Path path, Path newPath) throws IOException {
        files.rename(path, newPath);
    }

    @Override
    public Object identity(Path path) throws IOException {
        return files.identity(path);
    }

    @Override
    public void forceDirectory(Path directory) throws IOException {
        files.forceDirectory(directory);
    }

    /** A file that leaves everything to another. */
    public abstract static class ForwardingFile implements LogFile {

        // immutable
        private final LogFile file;

        /**
         * Creates a file in front of another.
         *
         * @param file what everything is left to
         */
        protected ForwardingFile(LogFile file) {
            this.file = file;
        }

        @Override
        public long size() throws IOException {
            return file.size();
        }

        @Override
        public int read(ByteBuffer target, long position) throws IOException {
            return file.read(target, position);
        }

        @Override
        public int write(ByteBuffer source, long position) throws IOException {
            return file.write(source, position);
        }

        @Override
        public void force() throws IOException {
            file.force();
        }

        @Override
        public void truncate(long size) throws IOException {
            file.truncate(size);
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
