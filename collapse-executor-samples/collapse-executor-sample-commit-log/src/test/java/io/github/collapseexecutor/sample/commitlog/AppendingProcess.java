package io.github.collapseexecutor.sample.commitlog;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;

/**
 * A process of its own that appends without end, from many threads, and prints each record that is acknowledged, until it is
 * killed or an append fails.
 */
final class AppendingProcess {

    static final int SEGMENT_SIZE = 100_000;
    private static final int LONGEST_RECORD = 1_500;

    /** A record that the process was told is durable. */
    record Acknowledged(long lsn, int thread, int number, long seed) {

        private static Acknowledged parse(String line) {
            String[] parts = line.split(" ", 4);
            return new Acknowledged(
                    Long.parseLong(parts[0]),
                    Integer.parseInt(parts[1]),
                    Integer.parseInt(parts[2]),
                    Long.parseLong(parts[3]));
        }

        byte[] data() {
            return AppendingProcess.data(seed, thread, number);
        }
    }

    private AppendingProcess() {}

    static ChildProcess<Acknowledged> start(Path directory, int threads, long seed) throws IOException {
        return start(List.of(), directory, threads, seed);
    }

    /**
     * Starts the process.
     *
     * @param prefix a command that runs the one it is given as its arguments
     */
    static ChildProcess<Acknowledged> start(List<String> prefix, Path directory, int threads, long seed)
            throws IOException {
        return ChildProcess.start(
                prefix,
                AppendingProcess.class,
                List.of(directory.toString(), Integer.toString(threads), Long.toString(seed)),
                Acknowledged::parse);
    }

    /** The record that is appended: it says whose it is, and the rest follows from that. */
    static byte[] data(long seed, int thread, int number) {
        byte[] name = (seed + " " + thread + " " + number + " ").getBytes(US_ASCII);
        Random random = new Random(seed * 1_000_003 + thread * 10_007L + number);
        byte[] data = new byte[name.length + random.nextInt(LONGEST_RECORD)];
        random.nextBytes(data);
        System.arraycopy(name, 0, data, 0, name.length);
        return data;
    }

    /** Appends, in the process that is started. */
    public static void main(String[] args) throws Exception {
        Path directory = Path.of(args[0]);
        int threads = Integer.parseInt(args[1]);
        long seed = Long.parseLong(args[2]);
        CommitLog log = CommitLog.open(
                directory, CommitLogOptions.builder().segmentSize(SEGMENT_SIZE).build());
        CountDownLatch ready = new CountDownLatch(threads);
        for (int i = 0; i < threads; i++) {
            int thread = i;
            new Thread(() -> append(log, seed, thread, ready)).start();
        }
    }

    private static void append(CommitLog log, long seed, int thread, CountDownLatch ready) {
        try {
            ready.countDown();
            ready.await();
            for (int number = 0; ; number++) {
                long lsn = log.append(data(seed, thread, number));
                ChildProcess.print(lsn + " " + thread + " " + number + " " + seed);
            }
        } catch (IOException | InterruptedException e) {
            System.err.println(e);
        }
    }
}
