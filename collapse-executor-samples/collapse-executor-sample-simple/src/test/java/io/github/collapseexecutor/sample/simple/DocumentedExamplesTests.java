package io.github.collapseexecutor.sample.simple;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The examples are those of the documentation to the letter, and do in a JVM of their own what it says they do. */
class DocumentedExamplesTests {

    @TempDir
    Path folder;

    static Stream<Arguments> examples() {
        return Stream.of("Blocking", "Async", "Future")
                .map(kind -> arguments(kind + "CollapseExecutorExample", "Hello World Collapse Executor. " + kind));
    }

    @ParameterizedTest
    @MethodSource("examples")
    void printsItsLineAndExits(String example, String line) throws Exception {
        assertPrintsAndExits(getClass().getPackageName() + "." + example, line);
    }

    /** {@code java Example.java} compiles and runs what a reader pastes into a file, after adding the imports. */
    @ParameterizedTest
    @MethodSource("examples")
    void runsAsItIsPrinted(String example, String line) throws Exception {
        Path source = folder.resolve(example + ".java");
        Files.writeString(
                source,
                "import io.github.collapseexecutor.core.*;\nimport java.util.concurrent.*;\n" + documented(example));
        assertPrintsAndExits(source.toString(), line);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "BlockingCollapseExecutorExample",
                "AsyncCollapseExecutorExample",
                "FutureCollapseExecutorExample"
            })
    void isTheDocumentedSourceButForItsImports(String example) throws IOException {
        Path source = Path.of("src/main/java", getClass().getPackageName().replace('.', '/'), example + ".java");
        String code = Files.readString(source);
        assertThat(code.substring(code.indexOf("public class"))).isEqualToIgnoringWhitespace(documented(example));
    }

    private void assertPrintsAndExits(String program, String line) throws Exception {
        Path output = folder.resolve("output");
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        Process process = new ProcessBuilder(java.toString(), "-cp", classPath(), program)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        // Standard input stays open, as at a terminal: an example that reads it ends by System.exit or not at all.
        try (OutputStream open = process.getOutputStream()) {
            assertThat(open).isNotNull();
            assertThat(process.waitFor(5, TimeUnit.MINUTES)).as("has exited").isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(Files.readString(output)).isEqualToIgnoringNewLines(line);
        assertThat(process.exitValue()).isZero();
    }

    /** The class path, also where the test runner hides it in the manifest of a jar. */
    private static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    private static String documented(String example) throws IOException {
        try (InputStream text =
                DocumentedExamplesTests.class.getResourceAsStream("/documented/" + example + ".java.txt")) {
            assertThat(text).as("text of " + example).isNotNull();
            return new String(text.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
