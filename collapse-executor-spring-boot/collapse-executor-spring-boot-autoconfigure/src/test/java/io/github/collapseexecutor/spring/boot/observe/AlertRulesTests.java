package io.github.collapseexecutor.spring.boot.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/** Each name in the alert rules is one that Prometheus scrapes: an alert on a meter that does not exist is silent. */
class AlertRulesTests {

    private static final Pattern SHOWN = Pattern.compile("\\$labels\\.(\\w+)");

    @SuppressWarnings("unchecked") // the form of Prometheus' rule files
    private static List<Map<String, Object>> rules() throws IOException {
        Map<String, List<Map<String, Object>>> file =
                new Yaml().load(Files.readString(Path.of("../../docs/alerts.yml")));
        return file.get("groups").stream()
                .flatMap(group -> ((List<Map<String, Object>>) group.get("rules")).stream())
                .toList();
    }

    @Test
    void everySeriesAndEveryLabelIsScraped() throws Exception {
        assertThat(rules())
                .hasSizeGreaterThan(4)
                .allSatisfy(rule -> MeasuredApplication.scrape().assertCanAnswer((String) rule.get("expr")));
    }

    @Test
    void everyMessageShowsLabelsOfItsResult() throws Exception {
        assertThat(rules()).allSatisfy(rule -> {
            assertThat(rule).containsKeys("alert", "labels", "annotations");
            assertThat(SHOWN.matcher(String.valueOf(rule.get("annotations"))).results())
                    .isNotEmpty()
                    .allSatisfy(label -> assertThat(PrometheusSamples.resultLabels((String) rule.get("expr")))
                            .contains(label.group(1)));
        });
    }
}
