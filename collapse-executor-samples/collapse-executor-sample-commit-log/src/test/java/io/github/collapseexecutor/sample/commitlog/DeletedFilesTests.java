package io.github.collapseexecutor.sample.commitlog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is deleted or replaced while the log is open: no record is acknowledged that the next opening would not find. */
class DeletedFilesTests {

    private static final CommitLogOptions SMALL =
            CommitLogOptions.builder().segmentSize(60).build();

    @TempDir
    private Path directory;

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    private static void assertTakesNoRecords(CommitLog log, String why) {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> log.append(bytes("later")))
                .withMessageContaining("takes no records since a failure")
                .withMessageContaining(why);
    }

    @Test
    void aSegmentThatWasDeletedTakesNoRecords() throws Exception {
        try (CommitLog log = CommitLog.open(directory, CommitLogOptions.defaults())) {
            log.append(bytes("acknowledged"));
            Path current = Segment.path(directory, 1);
            Files.delete(current);
            assertThatExceptionOfType(UncertainAppendException.class)
                    .isThrownBy(() -> log.append(bytes("lost")))
                    .withMessageContaining(current + " was deleted or moved while the log was open")
                    .withMessageContaining("put it back, or restore it from a copy");
            assertTakesNoRecords(log, current + " was deleted");
            assertThatExceptionOfType(CorruptLogException.class)
                    .isThrownBy(() -> log.read(1))
                    .withMessageContaining(current + " was deleted or moved");
        }
        assertThatExceptionOfType(CorruptLogException.class)
                .isThrownBy(() -> CommitLog.open(directory, SMALL))
                .withMessageContaining("is missing");
    }

    @Test
    void aSegmentThatWasReplacedTakesNoRecordsUntilItIsPutBack() throws Exception {
        Path current = Segment.path(directory, 1);
        Path moved = directory.resolve("moved");
        try (CommitLog log = CommitLog.open(directory, CommitLogOptions.defaults())) {
            log.append(bytes("acknowledged"));
            Files.move(current, moved);
            Files.copy(moved, current);
            assertThatExceptionOfType(UncertainAppendException.class)
                    .isThrownBy(() -> log.append(bytes("uncertain")))
                    .withMessageContaining(current + " was replaced by another file while the log was open");
            assertTakesNoRecords(log, current + " was replaced");
        }
        Files.delete(current);
        Files.move(moved, current);
        try (CommitLog log = CommitLog.open(directory, SMALL)) {
            assertThat(log.read(1)).isEqualTo(bytes("acknowledged"));
            assertThat(log.read(2)).isEqualTo(bytes("uncertain"));
            assertThat(log.append(bytes("again"))).isEqualTo(3);
        }
    }

    @Test
    void aDirectoryThatWasMovedTakesNoRecords() throws Exception {
        Path before = directory.resolve("before");
        Path after = directory.resolve("after");
        try (CommitLog log = CommitLog.open(before, CommitLogOptions.defaults())) {
            log.append(bytes("acknowledged"));
            Files.move(before, after);
            assertThatExceptionOfType(UncertainAppendException.class).isThrownBy(() -> log.append(bytes("uncertain")));
        }
        try (CommitLog log = CommitLog.open(after, CommitLogOptions.defaults())) {
            assertThat(log.read(1)).isEqualTo(bytes("acknowledged"));
        }
    }

    @Test
    void anEarlierSegmentThatWasDeletedIsNoticedWhenTheNextOneBegins() throws Exception {
        try (CommitLog log = CommitLog.open(directory, SMALL)) {
            for (int i = 1; i <= 5; i++) {
                assertThat(log.append(bytes("record " + i))).isEqualTo(i);
            }
            Path sealed = Segment.path(directory, 1);
            Files.delete(sealed);
            assertThat(log.append(bytes("record 6"))).isEqualTo(6);
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> log.append(bytes("record 7")))
                    .withMessageContaining("Records are not in the log")
                    .withMessageContaining(sealed + " was deleted or moved while the log was open");
            assertTakesNoRecords(log, sealed.toString());
        }
    }

    @Test
    void aManifestThatWasDeletedIsNoticedWhenTheNextSegmentBegins() throws Exception {
        try (CommitLog log = CommitLog.open(directory, SMALL)) {
            assertThat(log.append(bytes("record 1"))).isEqualTo(1);
            assertThat(log.append(bytes("record 2"))).isEqualTo(2);
            Files.delete(directory.resolve("manifest"));
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> log.append(bytes("record 3")))
                    .withMessageContaining("Records are not in the log")
                    .withMessageContaining(directory.resolve("manifest") + " was deleted or moved");
            assertTakesNoRecords(log, "manifest");
        }
        try (CommitLog log = CommitLog.open(directory, SMALL)) { // as a log from before there were manifests
            assertThat(log.lastLsn()).isEqualTo(2);
            assertThat(log.append(bytes("record 3"))).isEqualTo(3);
        }
    }
}
