package io.github.collapseexecutor.sample.commitlog;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/** The files of the file system, with a count of syncs, each of which takes longer than it would by a delay. */
final class SlowedFiles extends ForwardingFiles {

    // immutable
    private final long delayNanos;
    private final Map<Path, LongAdder> syncs = new ConcurrentHashMap<>();

    SlowedFiles(Duration delay) {
        super(LogFiles.onDisk());
        this.delayNanos = delay.toNanos();
    }

    /** How often a file in a directory, or below it, was synced. */
    long syncs(Path directory) {
        return syncs.entrySet().stream()
                .filter(each -> each.getKey().startsWith(directory))
                .mapToLong(each -> each.getValue().sum())
                .sum();
    }

    @Override
    protected LogFile inFrontOf(Path path, LogFile file) {
        LongAdder count = syncs.computeIfAbsent(path, any -> new LongAdder());
        return new ForwardingFile(file) {
            @Override
            public void force() throws IOException {
                super.force();
                count.increment();
                long end = System.nanoTime() + delayNanos;
                for (long rest = delayNanos; rest > 0; rest = end - System.nanoTime()) {
                    LockSupport.parkNanos(this, Math.min(rest, TimeUnit.SECONDS.toNanos(1)));
                }
            }
        };
    }
}
