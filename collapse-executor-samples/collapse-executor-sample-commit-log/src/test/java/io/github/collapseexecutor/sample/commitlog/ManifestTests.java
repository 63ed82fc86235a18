package io.github.collapseexecutor.sample.commitlog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A segment that is missing, cut short or of another log is named, with what to do; nothing is changed. */
class ManifestTests {

    /** Two records of each segment make it full. */
    private static final CommitLogOptions SMALL =
            CommitLogOptions.builder().segmentSize(60).build();

    private static final int RECORDS = 8;
    private static final int SEALED_SIZE =
            RecordFormat.SEGMENT_HEADER_SIZE + 2 * (RecordFormat.HEADER_SIZE + "record 1".length());

    @TempDir
    private Path directory;

    /** Segments that begin with the records 1, 3, 5 and 7. */
    private Path written(String name) throws Exception {
        Path log = directory.resolve(name);
        try (CommitLog opened = CommitLog.open(log, SMALL)) {
            for (int i = 1; i <= RECORDS; i++) {
                assertThat(opened.append(bytes("record " + i))).isEqualTo(i);
            }
        }
        assertThat(Segment.firstLsns(log)).containsExactly(1L, 3L, 5L, 7L);
        return log;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    private static void assertHolds(Path log, int records) throws Exception {
        try (CommitLog opened = CommitLog.open(log, SMALL)) {
            assertThat(opened.lastLsn()).isEqualTo(records);
            for (int lsn = 1; lsn <= records; lsn++) {
                assertThat(opened.read(lsn)).isEqualTo(bytes("record " + lsn));
            }
        }
    }

    private static Map<Path, String> content(Path log) throws IOException {
        Map<Path, String> content = new TreeMap<>();
        try (Stream<Path> files = Files.list(log)) {
            for (Path file : files.toList()) {
                if (!file.endsWith("lock")) { // which says who had the log last
                    content.put(file, Arrays.toString(Files.readAllBytes(file)));
                }
            }
        }
        return content;
    }

    private static ThrowableAssertAlternative<CorruptLogException> assertRefused(Path log) throws IOException {
        Map<Path, String> before = content(log);
        ThrowableAssertAlternative<CorruptLogException> refusal = assertThatExceptionOfType(CorruptLogException.class)
                .isThrownBy(() -> CommitLog.open(log, SMALL))
                .withMessageContaining("Nothing was changed");
        assertThat(content(log)).isEqualTo(before);
        return refusal;
    }

    @Test
    void aLogThatWasClosedOpensAgain() throws Exception {
        Path log = written("log");
        assertHolds(log, RECORDS);
        assertHolds(log, RECORDS);
    }

    @Test
    void aLastSegmentThatIsMissingIsRefusedUntilItsRecordsAreGivenUp() throws Exception {
        Path log = written("log");
        Files.delete(Segment.path(log, 7));
        assertRefused(log)
                .withMessageContaining(Segment.path(log, 7) + " is missing, which held the records from 7 on")
                .withMessageContaining("restore the file from a copy")
                .withMessageContaining("delete " + log.resolve("manifest"))
                .withMessageContaining("gives their LSNs out again");
        Files.delete(log.resolve("manifest"));
        assertHolds(log, 6);
    }

    @Test
    void severalMissingSegmentsAtTheEndAreRefused() throws Exception {
        Path log = written("log");
        Files.delete(Segment.path(log, 7));
        Files.delete(Segment.path(log, 5));
        assertRefused(log).withMessageContaining(Segment.path(log, 5) + " is missing");
    }

    @Test
    void aLogOfWhichOnlyTheManifestIsLeftIsNoNewLog() throws Exception {
        Path log = written("log");
        for (long firstLsn : Segment.firstLsns(log)) {
            Files.delete(Segment.path(log, firstLsn));
        }
        assertRefused(log).withMessageContaining(Segment.path(log, 1) + " is missing");
    }

    @Test
    void aSegmentThatIsMissingInTheMiddleOrAtTheBeginIsRefused() throws Exception {
        for (long firstLsn : new long[] {1, 3, 5}) {
            Path log = written("log " + firstLsn);
            byte[] content = Files.readAllBytes(Segment.path(log, firstLsn));
            Files.delete(Segment.path(log, firstLsn));
            assertRefused(log)
                    .withMessageContaining(Segment.path(log, firstLsn) + " is missing, which held the records from "
                            + firstLsn + " to " + (firstLsn + 1))
                    .withMessageEndingWith("restore the file from a copy");
            Files.write(Segment.path(log, firstLsn), content);
            assertHolds(log, RECORDS);
        }
    }

    @Test
    void aSealedSegmentOfAnotherSizeIsRefused() throws Exception {
        Path log = written("log");
        Path sealed = Segment.path(log, 3);
        byte[] content = Files.readAllBytes(sealed);
        for (int size : new int[] {0, 5, SEALED_SIZE - 1, SEALED_SIZE + 1}) {
            Files.write(sealed, Arrays.copyOf(content, size));
            assertRefused(log)
                    .withMessageContaining(sealed + " has " + size + " bytes, but had " + SEALED_SIZE)
                    .withMessageContaining("restore the file from a copy");
        }
        Files.write(sealed, content);
        assertHolds(log, RECORDS);
    }

    @Test
    void aSegmentOfAnotherLogIsRefused() throws Exception {
        Path log = written("log");
        Path other = written("other");
        for (long firstLsn : new long[] {2, 9, 100}) {
            Path foreign = Segment.path(log, firstLsn);
            Files.copy(Segment.path(other, 7), foreign);
            assertRefused(log)
                    .withMessageContaining(
                            foreign + " is no segment of this log: " + log.resolve("manifest") + " does not list it")
                    .withMessageContaining("move it to another directory");
            Files.delete(foreign);
        }
        assertHolds(log, RECORDS);
    }

    /** A crash leaves a segment that is not listed only where the next one begins, and never with a record. */
    @Test
    void aSegmentThatACrashLeftBeforeItWasListedIsForgotten() throws Exception {
        Path log = written("log");
        Files.write(Segment.path(log, 9), RecordFormat.segmentHeader(9).array());
        assertHolds(log, RECORDS);
        assertThat(Segment.path(log, 9)).doesNotExist();
        Files.write(Segment.path(log, 10), RecordFormat.segmentHeader(10).array());
        assertRefused(log).withMessageContaining(Segment.path(log, 10) + " is no segment of this log");
    }

    @Test
    void aManifestThatWasCutInItsLastLineCountsWithoutIt() throws Exception {
        Path log = written("log");
        byte[] manifest = Files.readAllBytes(log.resolve("manifest"));
        int lineSize = new String(manifest, UTF_8).indexOf('\n') + 1;
        for (int cut = 1; cut <= lineSize; cut++) { // the line that was written when the log was closed
            Files.write(log.resolve("manifest"), Arrays.copyOf(manifest, manifest.length - cut));
            assertHolds(log, RECORDS);
            assertThat(Files.readAllBytes(log.resolve("manifest"))).isEqualTo(manifest);
        }
    }

    @Test
    void aManifestThatIsDamagedElsewhereIsRefused() throws Exception {
        Path log = written("log");
        byte[] manifest = Files.readAllBytes(log.resolve("manifest"));
        int lineSize = new String(manifest, UTF_8).indexOf('\n') + 1;
        for (int at = 0; at < manifest.length - lineSize; at++) {
            byte[] damaged = manifest.clone();
            damaged[at] ^= 1;
            Files.write(log.resolve("manifest"), damaged);
            assertRefused(log)
                    .withMessageContaining(
                            log.resolve("manifest") + " is corrupt at offset " + at / lineSize * lineSize)
                    .withMessageContaining("restore it from a copy, or delete it");
        }
        for (int length : new int[] {0, lineSize - 1}) {
            Files.write(log.resolve("manifest"), Arrays.copyOf(manifest, length));
            assertRefused(log).withMessageContaining("is corrupt at offset 0");
        }
        Files.write(log.resolve("manifest"), manifest);
        assertHolds(log, RECORDS);
    }

    @Test
    void anOldManifestDoesNotHideSegmentsThatCameLater() throws Exception {
        Path log = written("log");
        byte[] old = Files.readAllBytes(log.resolve("manifest"));
        try (CommitLog opened = CommitLog.open(log, SMALL)) {
            opened.append(bytes("record 9"));
        }
        Files.write(log.resolve("manifest"), old);
        assertRefused(log)
                .withMessageContaining(Segment.path(log, 9) + " is no segment of this log")
                .withMessageContaining("because the manifest is from an older copy, delete the manifest");
        Files.delete(log.resolve("manifest"));
        assertHolds(log, 9);
    }

    @Test
    void aLogFromBeforeThereWereManifestsIsOpenedAsItIsFoundAndGetsOne() throws Exception {
        Path log = written("log");
        byte[] manifest = Files.readAllBytes(log.resolve("manifest"));
        Files.delete(log.resolve("manifest"));
        Files.writeString(log.resolve("manifest.new"), "of a crash");
        assertHolds(log, RECORDS);
        assertThat(Files.readString(log.resolve("manifest")).lines().distinct())
                .hasSize(4)
                .isSubsetOf(new String(manifest, UTF_8).lines().toList());
        assertThat(log.resolve("manifest.new")).doesNotExist();
        Files.delete(Segment.path(log, 7));
        assertRefused(log).withMessageContaining(Segment.path(log, 7) + " is missing");
    }

    @Test
    void theManifestCanBeReadByPeople() throws Exception {
        Path log = written("log");
        List<String> lines = Files.readAllLines(log.resolve("manifest"));
        assertThat(lines)
                .allMatch(line -> line.matches("\\d{20} \\d{10} [0-9a-f]{8}"))
                .element(1)
                .asString()
                .startsWith("00000000000000000001 00000000" + SEALED_SIZE + " ");
    }
}
