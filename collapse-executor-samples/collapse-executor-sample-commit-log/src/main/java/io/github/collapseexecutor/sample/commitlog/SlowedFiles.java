package io.github.collapseexecutor.sample.commitlog;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/** The files of the file system, with a count of syncs, each of which takes longer than it would by a delay. */
final class SlowedFiles implements LogFiles {

    // immutable
    private final LogFiles files = new DiskFiles();
    private final long delayNanos;
    private final LongAdder syncs = new LongAdder();

    SlowedFiles(Duration delay) {
        this.delayNanos = delay.toNanos();
    }

    long syncs() {
        return syncs.sum();
    }

    @Override
    public LogFile create(Path path) throws IOException {
        return new SlowedFile(files.create(path));
    }

    @Override
    public LogFile open(Path path) throws IOException {
        return new SlowedFile(files.open(path));
    }

    @Override
    public void delete(Path path) throws IOException {
        files.delete(path);
    }

    @Override
    public void forceDirectory(Path directory) throws IOException {
        files.forceDirectory(directory);
    }

    private final class SlowedFile implements LogFile {

        // immutable
        private final LogFile file;

        SlowedFile(LogFile file) {
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
            syncs.increment();
            long end = System.nanoTime() + delayNanos;
            for (long rest = delayNanos; rest > 0; rest = end - System.nanoTime()) {
                LockSupport.parkNanos(this, Math.min(rest, TimeUnit.SECONDS.toNanos(1)));
            }
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
