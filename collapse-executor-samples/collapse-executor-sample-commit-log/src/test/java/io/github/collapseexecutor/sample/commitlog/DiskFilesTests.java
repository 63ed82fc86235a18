package io.github.collapseexecutor.sample.commitlog;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the log takes for forced was forced: the JVM's flight recorder says which files were. */
class DiskFilesTests {

    @TempDir
    private Path directory;

    @Test
    void forcingReachesTheOperatingSystem() throws Exception {
        Path log = directory.resolve("log");
        List<String> forced;
        try (Recording recording = new Recording()) {
            recording.enable("jdk.FileForce").withoutThreshold();
            recording.start();
            try (CommitLog opened = CommitLog.open(log, CommitLogOptions.defaults())) {
                opened.append(new byte[100]);
                opened.append(new byte[100]);
            }
            recording.stop();
            Path dump = directory.resolve("forced.jfr");
            recording.dump(dump);
            try (Stream<RecordedEvent> events = RecordingFile.readAllEvents(dump).stream()) {
                forced = events.sorted(Comparator.comparing(RecordedEvent::getStartTime))
                        .map(event -> event.getString("path"))
                        .toList();
            }
        }
        assertThat(forced)
                .as("the segment and its name, the manifest and its name, each record, and where the records end")
                .containsExactly(
                        Segment.path(log, 1).toString(),
                        log.toString(),
                        log.resolve("manifest.new").toString(), // the name that it was created under
                        log.toString(),
                        Segment.path(log, 1).toString(),
                        Segment.path(log, 1).toString(),
                        log.resolve("manifest").toString());
    }
}
