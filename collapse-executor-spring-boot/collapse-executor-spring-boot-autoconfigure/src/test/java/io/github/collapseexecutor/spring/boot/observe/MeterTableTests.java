package io.github.collapseexecutor.spring.boot.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The table of docs/observability.md has the series of an application in which everything is on, and no others. */
class MeterTableTests {

    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| `(collapse[.\\w]+)` \\| `(collapse_\\w+)` \\| ([\\w ]+) \\|([^|]*)\\|");

    private static final Pattern WORD = Pattern.compile("`([^`\\n]+)`");

    /** What the formats of Prometheus make of a meter of each kind. */
    private static final Map<String, Set<String>> TYPES = Map.of(
            "timer", Set.of("summary", "histogram"),
            "long task timer", Set.of("summary"),
            "summary", Set.of("summary"),
            "counter", Set.of("counter"),
            "gauge", Set.of("gauge"));

    /** One line of the table. */
    private record Row(String meter, String series, String type, Set<String> tags) {

        static Row of(MatchResult line) {
            return new Row(line.group(1), line.group(2), line.group(3), words(line.group(4)));
        }

        /** Returns the name that Micrometer gives to a meter of this type in Prometheus. */
        String conventional() {
            String name = meter.replace('.', '_');
            return switch (type) {
                case "timer", "long task timer" -> name + "_seconds";
                case "counter" -> name + "_total";
                default -> name;
            };
        }

        /** Returns the name of the samples that each type has. */
        String sample() {
            return switch (type) {
                case "counter", "gauge" -> series;
                default -> series + "_count";
            };
        }
    }

    private static String page() throws IOException {
        return Files.readString(Path.of("../../docs/observability.md"));
    }

    private static Set<String> words(String text) {
        Set<String> words = new TreeSet<>();
        WORD.matcher(text).results().forEach(word -> words.add(word.group(1)));
        return words;
    }

    private static List<Row> rows() throws IOException {
        return ROW.matcher(page()).results().map(Row::of).toList();
    }

    @Test
    void everyRowIsASeriesWithItsTypeAndItsTags() throws Exception {
        PrometheusSamples scrape = MeasuredApplication.scrape();
        assertThat(rows()).hasSizeGreaterThan(20).allSatisfy(row -> {
            assertThat(row.series()).isEqualTo(row.conventional());
            assertThat(scrape.types().get(row.series())).isIn(TYPES.get(row.type()));
            assertThat(scrape.series(row.sample()))
                    .isNotEmpty()
                    .allSatisfy(labels -> assertThat(labels.keySet()).containsExactlyInAnyOrderElementsOf(row.tags()));
        });
    }

    @Test
    void everySeriesHasARow() throws Exception {
        Set<String> series = new TreeSet<>();
        rows().forEach(row -> series.add(row.series()));
        assertThat(MeasuredApplication.scrape().types().keySet())
                .filteredOn(name -> name.startsWith("collapse_") && !name.endsWith("_max"))
                .containsExactlyInAnyOrderElementsOf(series);
    }

    @Test
    void everyValueOfRoleAndOutcomeIsExplained() throws Exception {
        Set<String> explained = words(page());
        for (Row row : rows()) {
            for (Map<String, String> labels : MeasuredApplication.scrape().series(row.sample())) {
                for (String tag : List.of("role", "outcome")) {
                    if (labels.containsKey(tag)) {
                        assertThat(explained).as("%s of %s", tag, row.meter()).contains(labels.get(tag));
                    }
                }
            }
        }
    }

    /** So that one query and one variable of a dashboard fit all of them. */
    @Test
    void theNameIsTheSameTagEverywhere() throws Exception {
        assertThat(rows())
                .filteredOn(row -> !row.meter().startsWith("collapse.cluster."))
                .allSatisfy(row -> assertThat(row.tags()).contains("name"));
        assertThat(rows())
                .flatExtracting(Row::tags)
                .allSatisfy(tag -> assertThat(tag)
                        .as("one word, without the library's name")
                        .matches("[a-z]+"));
    }
}
