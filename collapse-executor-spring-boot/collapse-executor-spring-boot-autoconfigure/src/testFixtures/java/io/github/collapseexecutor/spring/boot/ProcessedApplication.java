package io.github.collapseexecutor.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.springframework.boot.SpringApplicationAotProcessor;

/** Processes an application as a build does it, and starts it with what came of that. */
final class ProcessedApplication {

    private ProcessedApplication() {}

    /**
     * Returns what a processed application prints until it ends. The processing has a JVM of its own, as in a build: classes that Spring has
     * generated before in this one would be missing.
     *
     * @param folder an empty one
     * @param main the name of the class with the method {@code main}
     * @param arguments those of the method, when the application is processed and when it is started
     */
    static String output(Path folder, String classPath, String main, String... arguments)
            throws IOException, InterruptedException {
        Path sources = Files.createDirectory(folder.resolve("sources"));
        Path classes = Files.createDirectory(folder.resolve("classes"));
        List<String> processing = new ArrayList<>(List.of(
                SpringApplicationAotProcessor.class.getName(),
                main,
                sources.toString(),
                classes.toString(),
                classes.toString(),
                "io.github.collapseexecutor",
                "test"));
        processing.addAll(Arrays.asList(arguments));
        run(folder.resolve("processing"), classPath, processing);
        String withGenerated = classes + File.pathSeparator + classPath;
        compile(sources, classes, withGenerated);
        List<String> application = new ArrayList<>(List.of("-Dspring.aot.enabled=true", main));
        application.addAll(Arrays.asList(arguments));
        return run(folder.resolve("output"), withGenerated, application);
    }

    private static String run(Path output, String classPath, List<String> arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                classPath));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(180, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        String text = Files.readString(output).replace(System.lineSeparator(), "\n");
        assertThat(process.exitValue()).as(text).isZero();
        return text;
    }

    private static void compile(Path sources, Path classes, String classPath) throws IOException {
        List<String> arguments = new ArrayList<>(
                List.of("-proc:none", "-nowarn", "-parameters", "-d", classes.toString(), "-cp", classPath));
        try (Stream<Path> files = Files.walk(sources)) {
            files.map(Path::toString).filter(file -> file.endsWith(".java")).forEach(arguments::add);
        }
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)))
                .isZero();
    }
}
