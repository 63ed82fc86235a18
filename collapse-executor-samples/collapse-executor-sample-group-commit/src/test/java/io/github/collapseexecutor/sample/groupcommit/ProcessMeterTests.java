package io.github.collapseexecutor.sample.groupcommit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProcessMeterTests {

    @Test
    void workAndWritesOfAProcessAreSeen() throws Exception {
        ProcessHandle self = ProcessHandle.current();
        ProcessMeter meter = new ProcessMeter(self);
        Path file = Files.createTempFile(Path.of("target"), "written", ".bin");
        Files.write(file, new byte[4_000_000]);
        Duration worked = self.info().totalCpuDuration().orElseThrow().plusMillis(100);
        while (self.info().totalCpuDuration().orElseThrow().compareTo(worked) < 0) {
            Thread.onSpinWait();
        }
        ProcessUse use = meter.take();
        Files.delete(file);
        assertThat(use.processors().orElseThrow()).isBetween(0.1, 105.0);
        assertThat(use.written().isPresent()).isEqualTo(Files.isReadable(Path.of("/proc/self/io")));
        use.written().ifPresent(written -> assertThat(written).isPositive());
    }

    @Test
    void figureThatTheSystemDoesNotTellIsAbsent() throws Exception {
        Process gone = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(), "-version")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        gone.waitFor();
        assertThat(new ProcessMeter(gone.toHandle()).take()).isEqualTo(ProcessUse.UNKNOWN);
    }
}
