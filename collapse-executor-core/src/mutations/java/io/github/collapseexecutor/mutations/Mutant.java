package io.github.collapseexecutor.mutations;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The module with one mutation: a class in front of its class path, and a JVM of its own that runs the tests that are to notice. */
final class Mutant {

    private static final Path SOURCES = Path.of("src", "main", "java", "io", "github", "collapseexecutor");
    /** How deep below the project's folder a module is at most. */
    private static final int MODULE_DEPTH = 2;
    /** With some breaks, callers wait for ever. The tests take some seconds. */
    private static final long MINUTES_AT_MOST = 1;

    // immutable
    private final Mutation mutation;
    private final Path folder;

    Mutant(Mutation mutation, Path folder) {
        this.mutation = mutation;
        this.folder = folder;
    }

    static String mutated(Mutation mutation) throws IOException {
        return mutation.applyTo(Files.readString(source(mutation.file())).replace("\r\n", "\n"));
    }

    /** A source of this module, or of another one whose mistake the tests of this one notice. */
    private static Path source(String file) throws IOException {
        Path own = SOURCES.resolve(file);
        if (Files.exists(own)) {
            return own;
        }
        try (Stream<Path> folders = Files.walk(MutationList.PROJECT, MODULE_DEPTH)) {
            return folders.map(folder -> folder.resolve(own))
                    .filter(Files::exists)
                    .findFirst()
                    .orElseThrow(() -> new NoSuchFileException(file));
        }
    }

    /**
     * Compiles the mutated class and runs the tests.
     *
     * @return whether a test failed, or did not end in time
     * @throws IllegalStateException if the mutant does not compile, or has no such test
     */
    boolean isNoticed() throws IOException, InterruptedException {
        compile();
        Path output = folder.resolve("output.txt");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                folder + System.getProperty("path.separator") + System.getProperty("java.class.path"),
                MutantTests.class.getName()));
        command.addAll(mutation.tests());
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        if (!process.waitFor(MINUTES_AT_MOST, TimeUnit.MINUTES)) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
            return true;
        }
        return switch (process.exitValue()) {
            case MutantTests.PASSED -> false;
            case MutantTests.FAILED -> true;
            default -> throw new IllegalStateException(mutation + ": " + Files.readString(output));
        };
    }

    private void compile() throws IOException {
        Path source = folder.resolve("source").resolve(Path.of(mutation.file()).getFileName());
        Files.createDirectories(source.getParent());
        Files.writeString(source, mutated(mutation));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            List<String> options = List.of(
                    "-d", folder.toString(), "-cp", System.getProperty("java.class.path"), "-proc:none", "-nowarn");
            boolean compiled = compiler.getTask(
                            null, files, null, options, null, files.getJavaFileObjects(source.toFile()))
                    .call();
            if (!compiled) {
                throw new IllegalStateException(mutation + ": " + mutation.file() + " does not compile with it");
            }
        }
    }
}
