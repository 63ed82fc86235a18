package io.github.collapseexecutor.spring.boot.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.BlockingCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.HttpCollapseControl;
import io.github.collapseexecutor.http.Reason;
import io.github.collapseexecutor.jdbc.WriteSummary;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Each name in the dashboard is one that Prometheus scrapes: a graph of a meter that does not exist is empty, and nobody is told. */
class GrafanaDashboardTests {

    private static final Path DASHBOARD = Path.of("../../docs/grafana-dashboard.json");

    /** A series with what it is selected by, quotes as JSON writes them. */
    private static final Pattern SERIES = Pattern.compile("(collapse_\\w+)(?:\\{([^}]*)\\})?");

    private static final Pattern VALUE = Pattern.compile("(\\w+)!?=\\\\\"([^\\\\]*)\\\\\"");
    private static final Pattern BY = Pattern.compile("sum by \\(([^)]*)\\)");

    private static String scrape() throws Exception {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        CollapseMeters meters = new CollapseMeters();
        meters.bindTo(registry);
        HttpCollapseControl control = new HttpCollapseControl();
        meters.watch("section", control);
        MeteredRequests requests = new MeteredRequests(meters, "section");
        requests.requestNotCollapsed(null, Reason.NOT_CONFIGURED, "GET", URI.create("/"));
        meters.named("section").all().forEach(measured -> measured.notShared(Reason.PRIVATE));
        BlockingCallableGroupCollapseExecutor executor =
                new BlockingCallableGroupCollapseExecutor(CollapseOptions.builder()
                        .name("executor")
                        .listener(meters.listener())
                        .build());
        assertThat(executor.<Integer>execute("one", () -> 1)).isEqualTo(1);
        new WriteMeters(meters).writes().batchWritten(new WriteSummary("writer", 3, 0, 0, 0, 1, 0, 0));
        assertThat(new WriteMeters(meters)
                        .measured("sequence", (sequence, count) -> new long[count])
                        .take("orders", 2))
                .hasSize(2);
        return registry.scrape();
    }

    @Test
    void everyNameAndEveryLabelIsScraped() throws Exception {
        String scrape = scrape();
        String dashboard = Files.readString(DASHBOARD);
        List<MatchResult> all = SERIES.matcher(dashboard).results().toList();
        assertThat(all).hasSizeGreaterThan(15);
        for (MatchResult series : all) {
            String name = series.group(1);
            assertThat(scrape).containsPattern("(?m)^" + name + "\\{");
            if (series.group(2) != null) {
                VALUE.matcher(series.group(2))
                        .results()
                        .forEach(label -> assertThat(scrape)
                                .containsPattern(
                                        "(?m)^" + name + "\\{[^}]*" + label.group(1) + "=\"" + label.group(2) + "\""));
            }
        }
        Set<String> labels = new TreeSet<>();
        BY.matcher(dashboard)
                .results()
                .forEach(by -> labels.addAll(List.of(by.group(1).split(", "))));
        assertThat(labels)
                .contains("name", "role", "reason")
                .allSatisfy(label -> assertThat(scrape).contains(label + "=\""));
    }
}
