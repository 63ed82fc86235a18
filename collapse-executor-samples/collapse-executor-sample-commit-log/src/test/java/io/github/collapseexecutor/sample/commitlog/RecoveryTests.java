package io.github.collapseexecutor.sample.commitlog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** After a crash a torn tail is cut off; damage elsewhere is named and left alone. */
class RecoveryTests {

    private static final int RECORDS = 5;
    /** Header and data of each record. */
    private static final int RECORD_SIZE = RecordFormat.HEADER_SIZE + "record 1".length();

    @TempDir
    private Path directory;

    private Path file;
    private Path manifest;
    private byte[] manifestOfCrash;

    /** The file of a log with five records that was not closed. */
    private byte[] fiveRecords() throws Exception {
        manifest = Manifest.path(directory);
        try (CommitLog log = open()) {
            for (int i = 1; i <= RECORDS; i++) {
                log.append(("record " + i).getBytes(UTF_8));
            }
            manifestOfCrash = Files.readAllBytes(manifest);
        }
        file = Segment.path(directory, 1);
        return Files.readAllBytes(file);
    }

    private void crashLeaves(byte[] content) throws IOException {
        Files.write(file, content);
        Files.write(manifest, manifestOfCrash);
    }

    private CommitLog open() throws IOException {
        return CommitLog.open(directory, CommitLogOptions.defaults());
    }

    private static int begin(int record) {
        return RecordFormat.SEGMENT_HEADER_SIZE + (record - 1) * RECORD_SIZE;
    }

    private void assertHolds(int records) throws Exception {
        try (CommitLog log = open()) {
            assertThat(log.lastLsn()).isEqualTo(records);
            for (int lsn = 1; lsn <= records; lsn++) {
                assertThat(log.read(lsn)).isEqualTo(("record " + lsn).getBytes(UTF_8));
            }
            assertThat(Files.size(file)).isEqualTo(begin(records + 1));
            assertThat(log.append(("record " + (records + 1)).getBytes(UTF_8))).isEqualTo(records + 1);
        }
    }

    @Test
    void aTailThatWasCutAtAnyByteIsCutOff() throws Exception {
        byte[] whole = fiveRecords();
        for (int length = begin(RECORDS); length < whole.length; length++) {
            crashLeaves(Arrays.copyOf(whole, length));
            assertHolds(RECORDS - 1);
        }
        crashLeaves(whole);
        assertHolds(RECORDS);
    }

    @Test
    void aTailOfWhichAnyByteIsWrongIsCutOff() throws Exception {
        byte[] whole = fiveRecords();
        for (int at = begin(RECORDS); at < whole.length; at++) {
            byte[] torn = whole.clone();
            torn[at] ^= 0x40;
            crashLeaves(torn);
            assertHolds(RECORDS - 1);
        }
    }

    @Test
    void aTailOfZerosIsCutOff() throws Exception {
        byte[] whole = fiveRecords();
        for (int zeros : new int[] {1, RecordFormat.HEADER_SIZE, 5_000}) {
            crashLeaves(Arrays.copyOf(whole, whole.length + zeros));
            assertHolds(RECORDS);
        }
    }

    @Test
    void aMiddleOfWhichAnyByteIsWrongIsRefusedAndLeftAlone() throws Exception {
        byte[] whole = fiveRecords();
        for (int at = begin(3); at < begin(4); at++) {
            byte[] corrupt = whole.clone();
            corrupt[at] ^= 0x40;
            crashLeaves(corrupt);
            assertThatExceptionOfType(CorruptLogException.class)
                    .isThrownBy(this::open)
                    .satisfies(e -> assertThat(e.file()).isEqualTo(file))
                    .satisfies(e -> assertThat(e.offset()).isEqualTo(begin(3)))
                    .satisfies(e -> assertThat(e.expectedChecksum()).isNotEqualTo(e.foundChecksum()))
                    .satisfies(e -> assertThat(e)
                            .hasMessageContaining(file.toString())
                            .hasMessageContaining("corrupt at offset " + begin(3))
                            .hasMessageContaining("record 3")
                            .hasMessageContaining(String.format("expected checksum %08x", e.expectedChecksum()))
                            .hasMessageContaining(String.format("found %08x", e.foundChecksum())));
            assertThat(Files.readAllBytes(file)).isEqualTo(corrupt);
        }
        crashLeaves(whole);
        assertHolds(RECORDS);
    }

    @Test
    void aRecordThatIsMissingIsRefused() throws Exception {
        byte[] whole = fiveRecords();
        byte[] without = new byte[whole.length - RECORD_SIZE];
        System.arraycopy(whole, 0, without, 0, begin(3));
        System.arraycopy(whole, begin(4), without, begin(3), whole.length - begin(4));
        crashLeaves(without);
        assertThatExceptionOfType(CorruptLogException.class)
                .isThrownBy(this::open)
                .withMessageContaining("record 3 is not there");
    }

    @Test
    void aHeaderThatIsWrongIsRefusedIfRecordsFollow() throws Exception {
        byte[] whole = fiveRecords();
        for (int at = 0; at < RecordFormat.SEGMENT_HEADER_SIZE; at++) {
            byte[] corrupt = whole.clone();
            corrupt[at] ^= 0x40;
            crashLeaves(corrupt);
            assertThatExceptionOfType(CorruptLogException.class)
                    .isThrownBy(this::open)
                    .satisfies(e -> assertThat(e.offset()).isZero())
                    .withMessageContaining("not the header of a segment that begins with record 1");
        }
    }

    @Test
    void aFirstSegmentWhoseHeaderWasTornIsBegunAgain() throws Exception {
        byte[] whole = fiveRecords();
        for (int length = 0; length < RecordFormat.SEGMENT_HEADER_SIZE; length++) {
            crashLeaves(Arrays.copyOf(whole, length));
            Files.delete(manifest); // which is created after the segment
            assertHolds(0);
        }
    }

    @Test
    void aListedSegmentWhoseHeaderIsTornIsRefused() throws Exception {
        byte[] whole = fiveRecords();
        for (int length = 0; length < RecordFormat.SEGMENT_HEADER_SIZE; length++) {
            crashLeaves(Arrays.copyOf(whole, length));
            assertThatExceptionOfType(CorruptLogException.class)
                    .isThrownBy(this::open)
                    .withMessageContaining(file + " has whole records up to offset 0, but 20 bytes of it were durable");
        }
    }

    @Test
    void aTailThatIsMissingAfterTheLogWasClosedIsRefused() throws Exception {
        byte[] whole = fiveRecords();
        for (int length : new int[] {begin(RECORDS), whole.length - 1}) {
            Files.write(file, Arrays.copyOf(whole, length));
            assertThatExceptionOfType(CorruptLogException.class)
                    .isThrownBy(this::open)
                    .withMessageContaining("up to offset " + begin(RECORDS) + ", but " + whole.length + " bytes")
                    .withMessageContaining("restore the file from a copy")
                    .withMessageContaining("delete " + manifest);
            assertThat(file).hasSize(length);
        }
        Files.write(file, whole);
        assertHolds(RECORDS);
    }

    @Test
    void aSecondSegmentWhoseHeaderWasTornIsForgotten() throws Exception {
        byte[] whole = fiveRecords();
        Path second = Segment.path(directory, RECORDS + 1);
        for (int length = 0; length < RecordFormat.SEGMENT_HEADER_SIZE; length++) {
            crashLeaves(whole);
            Files.write(second, new byte[length]);
            assertHolds(RECORDS);
            assertThat(second).doesNotExist();
        }
    }

    @Test
    void withoutAManifestASegmentThatEndsBeforeItsSuccessorBeginsIsRefused() throws Exception {
        byte[] whole = fiveRecords();
        Path second = Files.createFile(Segment.path(directory, RECORDS + 1));
        crashLeaves(Arrays.copyOf(whole, begin(RECORDS)));
        Files.delete(manifest);
        assertThatExceptionOfType(CorruptLogException.class)
                .isThrownBy(this::open)
                .withMessageContaining("ends before record 5, but the next segment begins with record 6");
        assertThat(file).hasSize(begin(RECORDS));
        assertThat(second).isEmptyFile();
    }

    @Test
    void damageInASegmentBeforeTheLastIsFoundWhenItIsRead() throws Exception {
        CommitLogOptions small = CommitLogOptions.builder().segmentSize(50).build();
        try (CommitLog log = CommitLog.open(directory, small)) {
            for (int i = 1; i <= RECORDS; i++) {
                log.append(("record " + i).getBytes(UTF_8));
            }
        }
        file = Segment.path(directory, 1);
        byte[] corrupt = Files.readAllBytes(file);
        corrupt[corrupt.length - 1] ^= 0x40;
        Files.write(file, corrupt);
        try (CommitLog log = CommitLog.open(directory, small)) {
            assertThat(log.read(RECORDS)).isEqualTo("record 5".getBytes(UTF_8));
            assertThatExceptionOfType(CorruptLogException.class)
                    .isThrownBy(() -> log.read(1))
                    .satisfies(e -> assertThat(e.file()).isEqualTo(file))
                    .satisfies(e -> assertThat(e.offset()).isEqualTo(begin(2)))
                    .satisfies(e -> assertThat(e.expectedChecksum()).isNotEqualTo(e.foundChecksum()));
        }
        Files.write(file, Arrays.copyOf(corrupt, begin(2)));
        assertThatExceptionOfType(CorruptLogException.class)
                .isThrownBy(() -> CommitLog.open(directory, small))
                .withMessageContaining(
                        file + " has " + begin(2) + " bytes, but had " + begin(3) + " when the next segment was begun");
        Files.delete(Manifest.path(directory));
        try (CommitLog log = CommitLog.open(directory, small)) {
            assertThatExceptionOfType(CorruptLogException.class)
                    .isThrownBy(() -> log.read(1))
                    .withMessageContaining(file + " is corrupt at offset " + begin(2))
                    .withMessageContaining("ends before record 2, but the next segment begins with record 3");
        }
    }

    @Test
    void damageThatComesLaterIsFoundWhenTheRecordIsRead() throws Exception {
        byte[] whole = fiveRecords();
        try (CommitLog log = open()) {
            byte[] corrupt = whole.clone();
            corrupt[begin(2) + RecordFormat.HEADER_SIZE] ^= 0x40;
            Files.write(file, corrupt);
            assertThatExceptionOfType(CorruptLogException.class)
                    .isThrownBy(() -> log.read(2))
                    .satisfies(e -> assertThat(e.offset()).isEqualTo(begin(2)));
            System.arraycopy(whole, begin(3), corrupt, begin(2), RECORD_SIZE); // whole, but another record
            Files.write(file, corrupt);
            assertThatExceptionOfType(CorruptLogException.class).isThrownBy(() -> log.read(2));
            Files.write(file, Arrays.copyOf(whole, begin(2) + 3));
            assertThatExceptionOfType(CorruptLogException.class).isThrownBy(() -> log.read(2));
            assertThat(log.read(1)).isEqualTo("record 1".getBytes(UTF_8));
        }
    }
}
