package io.github.collapseexecutor.sample.commitlog;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A process of its own that appends without end, from many threads, and prints each record that is acknowledged, until it is
 * killed or an append fails.
 */
final class AppendingProcess implements AutoCloseable {

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

    private final Process process;
    private final List<Acknowledged> acknowledged = new ArrayList<>();
    private final StringBuilder failures = new StringBuilder();
    private final CompletableFuture<Void> output;
    private final CompletableFuture<Void> errors;

    private AppendingProcess(Process process) {
        this.process = process;
        this.output = CompletableFuture.runAsync(this::read, task -> new Thread(task, "output").start());
        this.errors = CompletableFuture.runAsync(this::readErrors, task -> new Thread(task, "errors").start());
    }

    static AppendingProcess start(Path directory, int threads, long seed) throws IOException {
        return start(List.of(), directory, threads, seed);
    }

    /**
     * Starts the process.
     *
     * @param prefix a command that runs the one it is given as its arguments
     */
    static AppendingProcess start(List<String> prefix, Path directory, int threads, long seed) throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                AppendingProcess.class.getName(),
                directory.toString(),
                Integer.toString(threads),
                Long.toString(seed)));
        return new AppendingProcess(new ProcessBuilder(command).start());
    }

    long pid() {
        return process.pid();
    }

    private void read() {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(process.getInputStream(), US_ASCII))) {
            StringBuilder line = new StringBuilder();
            for (int next = lines.read(); next >= 0; next = lines.read()) {
                if (next == '\n') { // a line that the kill has cut says nothing
                    add(Acknowledged.parse(line.toString()));
                    line.setLength(0);
                } else {
                    line.append((char) next);
                }
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private void readErrors() {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(process.getErrorStream(), US_ASCII))) {
            lines.lines().forEach(line -> failures.append(line).append('\n'));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private synchronized void add(Acknowledged record) {
        acknowledged.add(record);
        notifyAll();
    }

    /** Returns when so many records have been acknowledged, or the process has ended. */
    synchronized void awaitAcknowledged(int count) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        while (acknowledged.size() < count && process.isAlive()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("Only " + acknowledged.size() + " records in two minutes");
            }
            wait(100);
        }
    }

    /** Kills the process as {@code kill -9} does, and returns what it was told to be durable, in the order printed. */
    List<Acknowledged> kill() throws Exception {
        process.toHandle().destroyForcibly(); // Process itself would close its output, before all of that is read
        return awaitEnd();
    }

    /** Waits for the process to end by itself. */
    List<Acknowledged> awaitEnd() throws Exception {
        if (!process.waitFor(2, TimeUnit.MINUTES)) {
            throw new AssertionError("The process has not ended in two minutes");
        }
        output.get(1, TimeUnit.MINUTES);
        errors.get(1, TimeUnit.MINUTES);
        return acknowledged;
    }

    /** What the process printed when an append failed. */
    String failures() {
        return failures.toString();
    }

    @Override
    public void close() {
        process.toHandle().destroyForcibly();
        process.onExit().join();
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
                byte[] line = (lsn + " " + thread + " " + number + " " + seed + "\n").getBytes(US_ASCII);
                System.out.write(line, 0, line.length); // one call, so that lines are not mixed
                System.out.flush();
            }
        } catch (IOException | InterruptedException e) {
            System.err.println(e);
        }
    }
}
