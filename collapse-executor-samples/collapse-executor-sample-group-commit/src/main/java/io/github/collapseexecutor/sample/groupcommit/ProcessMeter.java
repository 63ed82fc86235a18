package io.github.collapseexecutor.sample.groupcommit;

import io.github.collapseexecutor.figures.Machine;
import io.github.collapseexecutor.figures.ProcFile;
import java.nio.file.Path;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** Reads what a process uses: its processor time from the JDK, what it writes to the disk from {@code /proc}, where that is. */
final class ProcessMeter {

    // immutable
    private final ProcessHandle process;
    private final Path io;

    // mutable, confined to the thread that reads
    private Reading last;

    /** What the process has used since it began, and when that was read. */
    private record Reading(long nanoTime, OptionalLong processorNanos, OptionalLong writtenBytes) {}

    ProcessMeter(ProcessHandle process) {
        this.process = process;
        io = Path.of("/proc", String.valueOf(process.pid()), "io");
        last = read();
    }

    /** What it used since the last call. */
    ProcessUse take() {
        Reading before = last;
        last = read();
        double nanos = last.nanoTime() - before.nanoTime();
        return new ProcessUse(
                perNano(before.processorNanos(), last.processorNanos(), nanos, 100.0 / Machine.processors()),
                perNano(before.writtenBytes(), last.writtenBytes(), nanos, 1e9 / 1e6));
    }

    private static OptionalDouble perNano(OptionalLong before, OptionalLong now, double nanos, double unit) {
        return before.isPresent() && now.isPresent()
                ? OptionalDouble.of((now.getAsLong() - before.getAsLong()) / nanos * unit)
                : OptionalDouble.empty();
    }

    private Reading read() {
        OptionalLong processorNanos = process.info()
                .totalCpuDuration()
                .map(time -> OptionalLong.of(time.toNanos()))
                .orElse(OptionalLong.empty());
        OptionalLong writtenBytes = ProcFile.value(io, "write_bytes")
                .map(bytes -> OptionalLong.of(Long.parseLong(bytes)))
                .orElse(OptionalLong.empty());
        return new Reading(System.nanoTime(), processorNanos, writtenBytes);
    }
}
