package io.github.collapseexecutor.sample.commitlog;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** The files of the file system, which fail, hold or write less where a test says so. */
public final class FaultyFiles extends ForwardingFiles {

    /** Comes before an operation, and may fail or block it. */
    public interface Before {

        void run() throws IOException;
    }

    /** Says how many bytes of a write are written, and may fail it instead. */
    public interface Limit {

        int of(int bytes) throws IOException;
    }

    /** Of segments, as the number of bytes. */
    public final AtomicInteger forces = new AtomicInteger();

    final AtomicLong written = new AtomicLong();
    public volatile Before beforeForce = () -> {};
    volatile Before beforeTruncate = () -> {};
    public volatile Before beforeCreate = () -> {};
    volatile Before beforeForceDirectory = () -> {};
    public volatile Limit limit = bytes -> bytes;

    public FaultyFiles() {
        super(new DiskFiles());
    }

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
        return super.create(path);
    }

    @Override
    public void forceDirectory(Path directory) throws IOException {
        beforeForceDirectory.run();
        super.forceDirectory(directory);
    }

    @Override
    protected LogFile inFrontOf(Path path, LogFile file) {
        boolean counts = path.toString().endsWith(".log");
        return new ForwardingFile(file) {
            @Override
            public int write(ByteBuffer source, long position) throws IOException {
                int count = limit.of(source.remaining());
                ByteBuffer part = source.slice(source.position(), count);
                while (part.hasRemaining()) {
                    super.write(part, position + part.position());
                }
                source.position(source.position() + count);
                written.addAndGet(counts ? count : 0);
                return count;
            }

            @Override
            public void force() throws IOException {
                forces.addAndGet(counts ? 1 : 0);
                beforeForce.run();
                super.force();
            }

            @Override
            public void truncate(long size) throws IOException {
                beforeTruncate.run();
                super.truncate(size);
            }
        };
    }
}
