package io.github.collapseexecutor.core;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.openjdk.jcstress.Main;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.infra.Status;
import org.openjdk.jcstress.infra.collectors.DiskReadCollector;
import org.openjdk.jcstress.infra.collectors.InProcessCollector;
import org.openjdk.jcstress.infra.collectors.TestResult;
import org.openjdk.jcstress.infra.grading.ReportUtils;

/**
 * The proofs of {@code src/jcstress}: jcstress runs each in virtual machines of its own, a moment in the ordinary build on the newest JDK
 * and for long with {@code -Pproofs}.
 */
@Tag("jcstress")
class JcstressTests {

    /** The results, the report and the console of the latest run. */
    private static final Path FOLDER = Path.of("target", "jcstress").toAbsolutePath();

    private static final int MOST_RUNS = 4;

    @TestFactory
    Stream<DynamicTest> everyHandOffHolds() throws Exception {
        SortedSet<String> proofs = proofs();
        assertThat(proofs).isNotEmpty();
        Map<String, List<TestResult>> results = run(".*");
        assertThat(results.keySet()).as("what ran, of what there is").isEqualTo(proofs);
        for (int runs = 1; runs < MOST_RUNS && !unraced(results).isEmpty(); runs++) {
            run(unraced(results)).forEach((proof, more) -> results.get(proof).addAll(more));
        }
        return proofs.stream().map(proof -> dynamicTest(proof, () -> assertHolds(results.get(proof))));
    }

    /** The names of what is to run, not taken from jcstress's own list, which a build could leave behind. */
    private static SortedSet<String> proofs() throws Exception {
        Path classes = Path.of(JcstressTests.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        return new ClassFileImporter()
                .importPath(classes).stream()
                        .filter(each -> each.isAnnotatedWith(JCStressTest.class))
                        .map(JavaClass::getName)
                        .map(name -> name.replace('$', '.'))
                        .collect(toCollection(TreeSet::new));
    }

    /** A pattern of those of which only one outcome was seen, as on a machine with too much to do; empty without any. */
    private static String unraced(Map<String, List<TestResult>> results) {
        return results.keySet().stream()
                .filter(proof -> outcomes(results.get(proof)) == 1)
                .map(proof -> "^" + Pattern.quote(proof) + "$")
                .collect(joining("|"));
    }

    private static long outcomes(List<TestResult> results) {
        return results.stream()
                .flatMap(result -> result.getStateKeys().stream())
                .distinct()
                .count();
    }

    private static Map<String, List<TestResult>> run(String pattern) throws Exception {
        Files.createDirectories(FOLDER);
        try (DirectoryStream<Path> before = Files.newDirectoryStream(FOLDER, "*.bin.gz")) {
            for (Path results : before) {
                Files.delete(results);
            }
        }
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "-r",
                "report",
                "-t",
                pattern));
        command.addAll(List.of(System.getProperty("jcstress.arguments").trim().split("\\s+")));
        Path console = FOLDER.resolve("console.txt");
        Process process = new ProcessBuilder(command)
                .directory(FOLDER.toFile())
                .redirectErrorStream(true)
                .redirectOutput(console.toFile())
                .start();
        try {
            // Its exit code says whether a proof failed, which the results tell better.
            assertThat(process.waitFor(Long.getLong("jcstress.minutes"), TimeUnit.MINUTES))
                    .as(() -> "has ended; so far it printed:\n" + read(console))
                    .isTrue();
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        InProcessCollector collector = new InProcessCollector();
        try (DirectoryStream<Path> written = Files.newDirectoryStream(FOLDER, "*.bin.gz")) {
            for (Path results : written) {
                DiskReadCollector reader = new DiskReadCollector(results.toString(), collector);
                reader.dump();
                reader.close();
            }
        }
        assertThat(collector.getTestResults()).as(() -> read(console)).isNotEmpty();
        return collector.getTestResults().stream().collect(groupingBy(TestResult::getName));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return file + " cannot be read: " + e;
        }
    }

    private static void assertHolds(List<TestResult> results) {
        for (TestResult result : results) {
            assertThat(result.status()).as(() -> describe(result)).isEqualTo(Status.NORMAL);
            assertThat(result.grading().isPassed).as(() -> describe(result)).isTrue();
        }
        assertThat(outcomes(results))
                .as(() -> "different outcomes; with one, nothing raced with anything:\n" + describe(results.get(0)))
                .isGreaterThan(1);
    }

    private static String describe(TestResult result) {
        StringWriter text = new StringWriter();
        ReportUtils.printResult(new PrintWriter(text), result, false);
        return text.toString();
    }
}
