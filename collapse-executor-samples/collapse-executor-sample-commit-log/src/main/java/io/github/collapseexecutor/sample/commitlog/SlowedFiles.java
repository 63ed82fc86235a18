package io.github.collapseexecutor.sample.commitlog;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/** The files of the file system, with a count of syncs, each of which takes longer than it would by a delay. */
final class SlowedFiles extends ForwardingFiles {

    // immutable
    private final long delayNanos;
    private final LongAdder syncs = new LongAdder();

    SlowedFiles(Duration delay) {
        super(new DiskFiles());
        this.delayNanos = delay.toNanos();
    }

    long syncs() {
        return syncs.sum();
    }

    @Override
    LogFile inFrontOf(Path path, LogFile file) {
        return new ForwardingFile(file) {
            @Override
            public void force() throws IOException {
                super.force();
                syncs.increment();
                long end = System.nanoTime() + delayNanos;
                for (long rest = delayNanos; rest > 0; rest = end - System.nanoTime()) {
                    LockSupport.parkNanos(this, Math.min(rest, TimeUnit.SECONDS.toNanos(1)));
                }
            }
        };
    }
}
