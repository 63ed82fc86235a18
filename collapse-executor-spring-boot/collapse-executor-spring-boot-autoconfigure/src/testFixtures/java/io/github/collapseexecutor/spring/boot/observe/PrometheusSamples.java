package io.github.collapseexecutor.spring.boot.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What Prometheus gets in one scrape.
 *
 * @param byName the labels of each series of a name
 * @param types the type of each family, by the name that the scrape gives it
 */
record PrometheusSamples(Map<String, List<Map<String, String>>> byName, Map<String, String> types) {

    private static final Pattern SAMPLE = Pattern.compile("(?m)^([a-z]\\w*)(?:\\{(.*)})? \\S+$");
    private static final Pattern TYPE = Pattern.compile("(?m)^# TYPE (\\w+) (\\w+)$");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"([^\"]*)\"");

    /** A series of this library, and what it is selected by. */
    private static final Pattern SELECTOR = Pattern.compile("\\b(collapse_\\w+)(?:\\{([^}]*)})?");

    private static final Pattern MATCHER = Pattern.compile("(\\w+)(=~|!~|!=|=)\"([^\"]*)\"");
    private static final Pattern BY = Pattern.compile("\\b(?:by|on) \\(([^)]*)\\)");

    /** Labels that Prometheus itself adds. */
    private static final Set<String> OF_PROMETHEUS = Set.of("job", "instance");

    static PrometheusSamples of(String scrape) {
        Map<String, List<Map<String, String>>> byName = new TreeMap<>();
        SAMPLE.matcher(scrape)
                .results()
                .forEach(sample -> byName.computeIfAbsent(sample.group(1), absent -> new ArrayList<>())
                        .add(labels(sample.group(2))));
        Map<String, String> types = new TreeMap<>();
        TYPE.matcher(scrape).results().forEach(type -> types.put(type.group(1), type.group(2)));
        return new PrometheusSamples(byName, types);
    }

    private static Map<String, String> labels(String text) {
        Map<String, String> labels = new HashMap<>();
        if (text != null) {
            LABEL.matcher(text).results().forEach(label -> labels.put(label.group(1), label.group(2)));
        }
        return labels;
    }

    Set<String> names() {
        return byName.keySet();
    }

    /** Returns the labels of each series of a name; empty without one. */
    List<Map<String, String>> series(String name) {
        return byName.getOrDefault(name, List.of());
    }

    /** Fails unless each series of an expression exists with each label that it is selected by, and is grouped by. */
    void assertCanAnswer(String expression) {
        List<MatchResult> selectors =
                SELECTOR.matcher(withoutGrouping(expression)).results().toList();
        assertThat(selectors).as(expression).isNotEmpty();
        selectors.forEach(this::assertExists);
        Matcher by = BY.matcher(expression);
        while (by.find()) {
            Matcher grouped = SELECTOR.matcher(expression);
            assertThat(grouped.find(by.end())).as(expression).isTrue();
            for (String label : List.of(by.group(1).split(", *"))) {
                if (!label.equals("le") || !grouped.group(1).endsWith("_bucket")) {
                    assertLabel(grouped.group(1), label);
                } else {
                    assertThat(series(grouped.group(1))).isNotEmpty();
                }
            }
        }
    }

    /** Returns the labels by which the result of an expression is told apart. */
    static Set<String> resultLabels(String expression) {
        Set<String> labels = new TreeSet<>();
        BY.matcher(expression)
                .results()
                .forEach(by -> labels.addAll(List.of(by.group(1).split(", *"))));
        return labels;
    }

    private static String withoutGrouping(String expression) {
        return BY.matcher(expression).replaceAll("");
    }

    private void assertExists(MatchResult selector) {
        String name = selector.group(1);
        assertThat(names()).contains(name);
        if (selector.group(2) == null) {
            return;
        }
        MATCHER.matcher(selector.group(2)).results().forEach(matcher -> {
            assertLabel(name, matcher.group(1));
            if (matcher.group(2).equals("=")) {
                assertThat(series(name))
                        .as("%s of %s", matcher.group(), name)
                        .anySatisfy(labels -> assertThat(labels).containsEntry(matcher.group(1), matcher.group(3)));
            }
        });
    }

    private void assertLabel(String name, String label) {
        if (!OF_PROMETHEUS.contains(label)) {
            assertThat(series(name))
                    .as(name)
                    .isNotEmpty()
                    .allSatisfy(labels -> assertThat(labels).containsKey(label));
        }
    }
}
