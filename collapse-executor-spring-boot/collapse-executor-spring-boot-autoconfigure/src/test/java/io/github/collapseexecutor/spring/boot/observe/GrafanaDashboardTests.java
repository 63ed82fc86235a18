package io.github.collapseexecutor.spring.boot.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/** Each name in the dashboard is one that Prometheus scrapes: a graph of a meter that does not exist is empty, and nobody is told. */
class GrafanaDashboardTests {

    private static final Pattern SERIES = Pattern.compile("\\bcollapse_\\w+");
    private static final Pattern SHOWN = Pattern.compile("\\{\\{(\\w+)}}");

    /** One query of a panel. */
    private record Query(String panel, String expression, String legend) {}

    private static Map<String, Object> dashboard() throws IOException {
        return new Yaml().load(Files.readString(Path.of("../../docs/grafana-dashboard.json"))); // JSON is YAML, too
    }

    @SuppressWarnings("unchecked") // as Grafana writes it
    private static List<Map<String, Object>> list(Map<String, Object> parent, String name) {
        return (List<Map<String, Object>>) parent.get(name);
    }

    private static List<Query> queries() throws IOException {
        return list(dashboard(), "panels").stream()
                .flatMap(panel -> list(panel, "targets").stream()
                        .map(target -> new Query((String) panel.get("title"), (String) target.get("expr"), (String)
                                target.get("legendFormat"))))
                .toList();
    }

    @Test
    void everySeriesAndEveryLabelIsScraped() throws Exception {
        assertThat(queries())
                .hasSizeGreaterThan(15)
                .allSatisfy(query -> MeasuredApplication.scrape().assertCanAnswer(query.expression()));
    }

    @Test
    void everyLegendShowsLabelsOfItsResult() throws Exception {
        assertThat(queries())
                .allSatisfy(query -> SHOWN.matcher(query.legend())
                        .results()
                        .forEach(label -> assertThat(PrometheusSamples.resultLabels(query.expression()))
                                .contains(label.group(1))));
    }

    @Test
    void theListOfNamesOffersEveryNameThatAPanelShows() throws Exception {
        PrometheusSamples scraped = MeasuredApplication.scrape();
        Set<String> shown = queries().stream()
                .flatMap(query -> SERIES.matcher(query.expression()).results())
                .flatMap(series -> scraped.series(series.group()).stream())
                .map(labels -> labels.get("name"))
                .collect(Collectors.toSet());
        assertThat(shown).contains("rest-template", "group-commit", "sequences");
        assertThat(offeredNames(scraped)).containsAll(shown);
    }

    /** The names of the series that the variable {@code name} selects. */
    @SuppressWarnings("unchecked") // as Grafana writes it
    private static Set<String> offeredNames(PrometheusSamples scraped) throws IOException {
        Map<String, Object> variables = (Map<String, Object>) dashboard().get("templating");
        Map<String, Object> variable = list(variables, "list").stream()
                .filter(candidate -> candidate.get("name").equals("name"))
                .findFirst()
                .orElseThrow();
        Matcher selected = Pattern.compile("label_values\\(\\{__name__=~\"(.+)\", job=~\"\\$job\"}, name\\)")
                .matcher((String) ((Map<String, Object>) variable.get("query")).get("query"));
        assertThat(selected.matches()).isTrue();
        return scraped.byName().entrySet().stream()
                .filter(series -> series.getKey().matches(selected.group(1)))
                .flatMap(series -> series.getValue().stream())
                .map(labels -> labels.get("name"))
                .collect(Collectors.toSet());
    }

    @Test
    void everySeriesIsThatOfTheChosenApplicationAndNames() throws Exception {
        assertThat(queries())
                .allSatisfy(query -> assertThat(SERIES.matcher(query.expression())
                                .results()
                                .map(series -> query.expression().substring(series.end())))
                        .isNotEmpty()
                        .allMatch(selector -> selector.startsWith("{job=~\"$job\", name=~\"$name\"")));
    }

    @Test
    void percentilesOfEachRoleAndTheDryRunAreDrawn() throws Exception {
        assertThat(queries())
                .extracting(Query::panel)
                .contains(
                        "p50 by role",
                        "p99 by role",
                        "Dry run: share of calls it would save",
                        "Dry run: wrong responses");
    }

    @Test
    void noPanelCoversAnother() throws Exception {
        List<Map<String, Object>> panels = list(dashboard(), "panels");
        assertThat(panels).extracting(panel -> panel.get("gridPos")).doesNotHaveDuplicates();
        assertThat(panels).extracting(panel -> panel.get("id")).doesNotHaveDuplicates();
    }
}
