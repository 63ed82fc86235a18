package io.github.collapseexecutor.sample.cluster;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

/** A {@link PriceInstance} in a process of its own. */
final class InstanceProcess implements AutoCloseable {

    // immutable
    private final Process process;
    private final PrintStream orders;
    private final BufferedReader answers;

    /** Starts it; {@link #awaitStart} says when it is up. */
    InstanceProcess(int redisPort, String backend) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        PriceInstance.class.getName(),
                        backend,
                        "--spring.data.redis.port=" + redisPort)
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().put("SAMPLE_SECRET", "a secret for a sample only");
        process = builder.start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroy)); // for a run that is broken off
        orders = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        answers = process.inputReader(StandardCharsets.UTF_8);
    }

    void awaitStart() throws IOException {
        String line = line();
        if (!line.equals("ready")) {
            throw new IOException("An instance said \"" + line + "\" in place of \"ready\"");
        }
    }

    /** Has callers ask; {@link #result} says what they experienced. */
    void order(Sharing sharing, int callers, Duration lasting) {
        orders.println(sharing.name() + " " + callers + " " + lasting.toMillis());
    }

    LoadResult result() throws IOException {
        return LoadResult.of(line());
    }

    private String line() throws IOException {
        String line = answers.readLine();
        if (line == null) {
            throw new IOException("An instance ended early: what it said stands above");
        }
        return line;
    }

    @Override
    public void close() {
        process.destroy();
    }
}
