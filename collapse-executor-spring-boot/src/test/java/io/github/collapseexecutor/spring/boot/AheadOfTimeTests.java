package io.github.collapseexecutor.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplicationAotProcessor;
import org.springframework.context.aot.AbstractAotProcessor;

/** An application whose beans were worked out ahead of time, as {@code spring-boot:process-aot} does it, on an ordinary JVM. */
class AheadOfTimeTests {

    @Test
    void theProcessedApplicationCollapsesIsMeasuredAndSwitched(@TempDir Path folder) throws Exception {
        Path sources = Files.createDirectory(folder.resolve("sources"));
        Path classes = Files.createDirectory(folder.resolve("classes"));
        new SpringApplicationAotProcessor(
                        AheadOfTimeApplication.class,
                        AbstractAotProcessor.Settings.builder()
                                .sourceOutput(sources)
                                .resourceOutput(classes)
                                .classOutput(classes)
                                .groupId("io.github.collapseexecutor")
                                .artifactId("test")
                                .build(),
                        AheadOfTimeApplication.ARGUMENTS)
                .process();
        String classPath = classes + File.pathSeparator + System.getProperty("java.class.path");
        compile(sources, classes, classPath);
        assertThat(output(folder.resolve("output"), classPath))
                .contains("Starting AOT-processed ")
                .contains("rest-template: restTemplate, builder collapse /user/* (strict), fresh")
                .contains("seen: calls 1\n")
                .contains("seen: batches 1\n")
                .contains("seen: saved 2.0\n")
                .contains("seen: rows 1 of 2\n")
                .contains("seen: builder true\n")
                .contains("seen: answer name 7\n")
                .contains("seen: executors [names.name]\n")
                .contains("seen: endpoint true\n")
                .contains("seen: page true\n")
                .contains("seen: scrape true\n")
                .contains("seen: paused true\n");
    }

    private static String output(Path output, String classPath) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dspring.aot.enabled=true",
                "-cp",
                classPath,
                AheadOfTimeApplication.class.getName()));
        command.addAll(List.of(AheadOfTimeApplication.ARGUMENTS));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(180, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.exitValue()).as(Files.readString(output)).isZero();
        return Files.readString(output).replace(System.lineSeparator(), "\n");
    }

    private static void compile(Path sources, Path classes, String classPath) throws IOException {
        List<String> arguments = new ArrayList<>(
                List.of("-proc:none", "-nowarn", "-parameters", "-d", classes.toString(), "-cp", classPath));
        try (Stream<Path> files = Files.walk(sources)) {
            files.filter(file -> file.toString().endsWith(".java"))
                    .map(Path::toString)
                    .forEach(arguments::add);
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        assertThat(compiler.run(null, null, null, arguments.toArray(String[]::new)))
                .isZero();
    }
}
