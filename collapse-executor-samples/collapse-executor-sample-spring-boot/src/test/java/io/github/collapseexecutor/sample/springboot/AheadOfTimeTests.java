package io.github.collapseexecutor.sample.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplicationAotProcessor;

/** The sample, processed as {@code spring-boot:process-aot} does it, and started with what came of that. */
class AheadOfTimeTests {

    private static final int CALLERS = 5;

    /** All callers are in one batch, which starts when the last has come. */
    private static final String[] ARGUMENTS = {
        "--server.port=0",
        "--sample.demonstration=false",
        "--collapse.executor.executors.servlet.wait-threshold=" + CALLERS,
        "--collapse.executor.executors.servlet.collecting-wait-time=10m",
    };

    private static final Pattern PORT = Pattern.compile("Tomcat started on port (\\d+)");

    @Test
    void theProcessedSampleCollapsesAndShowsIt(@TempDir Path folder) throws Exception {
        String classPath = processed(folder) + File.pathSeparator + System.getProperty("java.class.path");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dspring.aot.enabled=true",
                "-cp",
                classPath,
                SpringBootSampleApplication.class.getName()));
        command.addAll(List.of(ARGUMENTS));
        Path log = folder.resolve("log");
        Process application = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            String address = "http://localhost:" + portIn(log, application);
            assertThat(Files.readString(log)).contains("Starting AOT-processed SpringBootSampleApplication");
            assertThat(answersOfAll(address + "/test/collapse100")).containsOnly("1");
            assertThat(get(address + "/actuator/collapse/servlet").get(1, TimeUnit.MINUTES))
                    .contains("\"saved\":" + (CALLERS - 1));
            assertThat(get(address + "/").get(1, TimeUnit.MINUTES)).contains("id=\"two-users\"");
        } finally {
            application.destroy();
            assertThat(application.waitFor(1, TimeUnit.MINUTES)).isTrue();
        }
    }

    /**
     * Returns the folder of the classes that the processing has made. That has a JVM of its own, as in a build: classes that
     * Spring has generated before in this one would be missing.
     */
    private static Path processed(Path folder) throws Exception {
        Path sources = Files.createDirectory(folder.resolve("sources"));
        Path classes = Files.createDirectory(folder.resolve("classes"));
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                SpringApplicationAotProcessor.class.getName(),
                SpringBootSampleApplication.class.getName(),
                sources.toString(),
                classes.toString(),
                classes.toString(),
                "io.github.collapseexecutor",
                "sample"));
        command.addAll(List.of(ARGUMENTS));
        Path log = folder.resolve("processing");
        Process processing = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        assertThat(processing.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(processing.exitValue()).as(Files.readString(log)).isZero();
        String classPath = classes + File.pathSeparator + System.getProperty("java.class.path");
        List<String> arguments = new ArrayList<>(
                List.of("-proc:none", "-nowarn", "-parameters", "-d", classes.toString(), "-cp", classPath));
        try (Stream<Path> files = Files.walk(sources)) {
            files.map(Path::toString).filter(file -> file.endsWith(".java")).forEach(arguments::add);
        }
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)))
                .isZero();
        return classes;
    }

    private static String portIn(Path log, Process application) {
        return Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .until(
                        () -> {
                            String text = Files.readString(log);
                            assertThat(application.isAlive()).as(text).isTrue();
                            Matcher port = PORT.matcher(text);
                            return port.find() ? port.group(1) : "";
                        },
                        port -> !port.isEmpty());
    }

    private static List<String> answersOfAll(String address) {
        List<CompletableFuture<String>> answers =
                IntStream.range(0, CALLERS).mapToObj(caller -> get(address)).toList();
        return answers.stream()
                .map(answer -> answer.orTimeout(1, TimeUnit.MINUTES).join())
                .toList();
    }

    /** Without an offer to speak HTTP/2, whose connection is for one request. */
    private static CompletableFuture<String> get(String address) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(address))
                .version(HttpClient.Version.HTTP_1_1)
                .build();
        return HttpClient.newHttpClient()
                .sendAsync(request, HttpResponse.BodyHandlers.ofString())
                .thenApply(HttpResponse::body);
    }
}
