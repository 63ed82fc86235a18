package io.github.collapseexecutor.sample.commitlog;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * A Java process of its own that prints a line for each write that is acknowledged, until it is killed or a write fails.
 *
 * @param <A> what a line says
 */
public final class ChildProcess<A> implements AutoCloseable {

    private final Process process;
    private final Function<String, A> parser;
    private final List<A> acknowledged = new ArrayList<>();
    private final StringBuilder failures = new StringBuilder();
    private final CompletableFuture<Void> output;
    private final CompletableFuture<Void> errors;

    private ChildProcess(Process process, Function<String, A> parser) {
        this.process = process;
        this.parser = parser;
        this.output = CompletableFuture.runAsync(this::read, task -> new Thread(task, "output").start());
        this.errors = CompletableFuture.runAsync(this::readErrors, task -> new Thread(task, "errors").start());
    }

    /**
     * Starts the process.
     *
     * @param prefix a command that runs the one it is given as its arguments; may be empty
     * @param parser reads a line
     */
    public static <A> ChildProcess<A> start(
            List<String> prefix, Class<?> main, List<String> arguments, Function<String, A> parser) throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                main.getName()));
        command.addAll(arguments);
        return new ChildProcess<>(new ProcessBuilder(command).start(), parser);
    }

    /** Prints a line, in the process that was started; one call, so that lines are not mixed. */
    public static void print(String line) {
        byte[] bytes = (line + "\n").getBytes(US_ASCII);
        System.out.write(bytes, 0, bytes.length);
        System.out.flush();
    }

    long pid() {
        return process.pid();
    }

    private void read() {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(process.getInputStream(), US_ASCII))) {
            StringBuilder line = new StringBuilder();
            for (int next = lines.read(); next >= 0; next = lines.read()) {
                if (next == '\n') { // a line that the kill has cut says nothing
                    add(parser.apply(line.toString()));
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

    private synchronized void add(A line) {
        acknowledged.add(line);
        notifyAll();
    }

    /** Returns when so many writes have been acknowledged, or the process has ended. */
    public synchronized void awaitAcknowledged(int count) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        while (acknowledged.size() < count && process.isAlive()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("Only " + acknowledged.size() + " writes in two minutes");
            }
            wait(100);
        }
    }

    /** Kills the process as {@code kill -9} does, and returns what it was told to be durable, in the order printed. */
    public List<A> kill() throws Exception {
        process.toHandle().destroyForcibly(); // Process itself would close its output, before all of that is read
        return awaitEnd();
    }

    /** Waits for the process to end by itself. */
    List<A> awaitEnd() throws Exception {
        if (!process.waitFor(2, TimeUnit.MINUTES)) {
            throw new AssertionError("The process has not ended in two minutes");
        }
        output.get(1, TimeUnit.MINUTES);
        errors.get(1, TimeUnit.MINUTES);
        return acknowledged;
    }

    /** What the process printed when a write failed. */
    public String failures() {
        return failures.toString();
    }

    @Override
    public void close() {
        process.toHandle().destroyForcibly();
        process.onExit().join();
    }
}
