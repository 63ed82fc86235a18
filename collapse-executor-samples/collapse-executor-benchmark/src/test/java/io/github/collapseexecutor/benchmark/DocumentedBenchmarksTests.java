package io.github.collapseexecutor.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openjdk.jmh.annotations.Benchmark;

/** What the pages say can be run is there, and what is there is on the page. */
class DocumentedBenchmarksTests {

    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
    private static final String PACKAGE = DocumentedBenchmarksTests.class.getPackageName();
    private static final Pattern CLASS = Pattern.compile(Pattern.quote(PACKAGE) + "\\.(\\w+)");
    private static final Pattern BENCHMARK = Pattern.compile("`(\\w+Benchmark)`");

    private static List<String> matches(Pattern pattern, String page) throws IOException {
        return pattern.matcher(Files.readString(ROOT.resolve(page)))
                .results()
                .map((MatchResult match) -> match.group(1))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"docs/maintainers/samples.md", "docs/maintainers/measurements.md"})
    void classesThatCommandsNameExist(String page) throws Exception {
        List<String> classes = matches(CLASS, page);
        assertThat(classes).isNotEmpty();
        for (String name : classes) {
            assertThat(Class.forName(PACKAGE + "." + name)).isNotNull();
        }
    }

    @Test
    void everyBenchmarkHasItsPlace() throws IOException {
        try (Stream<Path> sources = Files.walk(Path.of("src/main/java"))) {
            List<String> benchmarks = sources.map(path -> path.getFileName().toString())
                    .filter(name -> name.endsWith(Benchmark.class.getSimpleName() + ".java"))
                    .map(name -> name.replace(".java", ""))
                    .toList();
            assertThat(benchmarks).isNotEmpty();
            assertThat(matches(BENCHMARK, "docs/maintainers/measurements.md")).containsAll(benchmarks);
            assertThat(benchmarks).containsAll(matches(BENCHMARK, "docs/maintainers/measurements.md"));
        }
    }
}
