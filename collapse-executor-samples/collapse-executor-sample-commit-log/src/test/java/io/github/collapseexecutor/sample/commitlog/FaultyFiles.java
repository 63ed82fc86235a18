package io.github.collapseexecutor.sample.commitlog;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** The files of the file system, which fail, hold or write less where a test says so. */
final class FaultyFiles implements LogFiles {

    /** Comes before an operation, and may fail or block it. */
    interface Before {

        void run() throws IOException;
    }

    /** Says how many bytes of a write are written, and may fail it instead. */
    interface Limit {

        int of(int bytes) throws IOException;
    }

    private final LogFiles files = new DiskFiles();
    final AtomicInteger forces = new AtomicInteger();
    final AtomicLong written = new AtomicLong();
    volatile Before beforeForce = () -> {};
    volatile Before beforeTruncate = () -> {};
    volatile Before beforeCreate = () -> {};
    volatile Before beforeForceDirectory = () -> {};
    volatile Limit limit = bytes -> bytes;

    /** Writes as many bytes as there is room for, and fails as a full disk does when there is none. */
    static Limit room(int bytes) {
        AtomicInteger room = new AtomicInteger(bytes);
        return wanted -> {
            int count = Math.min(wanted, room.get());
            if (count == 0) {
                throw new IOException("No space left on device");
            }
            room.addAndGet(-count);
            return count;
        };
    }

    @Override
    public LogFile create(Path path) throws IOException {
        beforeCreate.run();
        return new FaultyFile(files.create(path));
    }

    @Override
    public LogFile open(Path path) throws IOException {
        return new FaultyFile(files.open(path));
    }

    @Override
    public void delete(Path path) throws IOException {
        files.delete(path);
    }

    @Override
    public void forceDirectory(Path directory) throws IOException {
        beforeForceDirectory.run();
        files.forceDirectory(directory);
    }

    private final class FaultyFile implements LogFile {

        private final LogFile file;

        FaultyFile(LogFile file) {
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
            int count = limit.of(source.remaining());
            ByteBuffer part = source.slice(source.position(), count);
            while (part.hasRemaining()) {
                file.write(part, position + part.position());
            }
            source.position(source.position() + count);
            written.addAndGet(count);
            return count;
        }

        @Override
        public void force() throws IOException {
            forces.incrementAndGet();
            beforeForce.run();
            file.force();
        }

        @Override
        public void truncate(long size) throws IOException {
            beforeTruncate.run();
            file.truncate(size);
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
