package io.github.collapseexecutor.sample.springboot.load;

import io.github.collapseexecutor.sample.springboot.SpringBootSampleApplication;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The sample in a process of its own, without its demonstration. */
final class LoadServer implements AutoCloseable {

    private static final Pattern PORT = Pattern.compile("Tomcat started on port ([0-9]+)");

    /** Without the first, there is no registry, and so there are no meters. */
    private static final List<String> NOT_MEASURED = List.of(
            "org.springframework.boot.actuate.autoconfigure.metrics.MetricsAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.observation.web.servlet.WebMvcObservationAutoConfiguration");

    // immutable
    private final Process process;
    private final int port;
    private final HttpClient client = HttpClient.newHttpClient();

    private LoadServer(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /**
     * Returns when the server is up.
     *
     * @param properties what its configuration is to say otherwise, {@code name=value}
     */
    static LoadServer start(Collection<String> properties) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                SpringBootSampleApplication.class.getName(),
                "--server.port=0",
                "--sample.demonstration=false",
                // the live page's statistics and observations would be measured, too
                "--management.endpoints.access.default=none",
                "--spring.autoconfigure.exclude=" + String.join(",", NOT_MEASURED),
                // Tomcat would close a connection after a hundred requests
                "--server.tomcat.max-keep-alive-requests=-1",
                // as it is where followers wait asynchronously, so that all ways are measured alike
                "--server.tomcat.processor-cache=0",
                // all connections are opened at once; one that does not fit is tried again by the kernel after a second
                "--server.tomcat.accept-count=2000"));
        properties.forEach(property -> command.add("--" + property));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        // for a load run that is broken off
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
        StringBuilder said = new StringBuilder();
        BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            said.append(line).append(System.lineSeparator());
            Matcher started = PORT.matcher(line);
            if (started.find()) {
                drain(output);
                return new LoadServer(process, Integer.parseInt(started.group(1)));
            }
        }
        process.destroy();
        throw new IOException("The server did not start: " + said);
    }

    /** What it says from now on is shown; a process whose output nobody reads stops at some time. */
    private static void drain(BufferedReader output) {
        Thread reader = new Thread(
                () -> {
                    try {
                        for (String line = output.readLine(); line != null; line = output.readLine()) {
                            System.out.println("server: " + line);
                        }
                    } catch (IOException e) {
                        System.out.println("server: has ended"); // and its output was closed while it was read
                    }
                },
                "server-output");
        reader.setDaemon(true);
        reader.start();
    }

    InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    URI root() {
        return URI.create("http://localhost:" + port + "/");
    }

    /** How often the work has been done. */
    long runs() throws IOException {
        return Long.parseLong(send(HttpRequest.newBuilder(root().resolve("/test/counter"))));
    }

    /** Lets its work be well, hang, fail and be well again, each for so long. */
    void beginMoods(Duration each) throws IOException {
        send(HttpRequest.newBuilder(root().resolve("/test/moods/" + each.toMillis()))
                .POST(BodyPublishers.noBody()));
    }

    private String send(HttpRequest.Builder request) throws IOException {
        try {
            HttpResponse<String> response = client.send(request.build(), BodyHandlers.ofString());
            if (response.statusCode() != 200) {
                throw new IOException("The server answered " + response.statusCode() + ": " + response.body());
            }
            return response.body();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while a server was asked", e);
        }
    }

    /** How much processor time it has taken since it was started. */
    Duration processor() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** Has it print what its threads do, among what it says: for a request that it has left without an answer. */
    void printThreads() throws IOException {
        new ProcessBuilder("kill", "-QUIT", Long.toString(process.pid()))
                .inheritIO()
                .start();
    }

    @Override
    public void close() {
        process.destroy();
    }
}
