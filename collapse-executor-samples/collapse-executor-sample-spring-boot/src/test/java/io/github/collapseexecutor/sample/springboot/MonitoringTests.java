package io.github.collapseexecutor.sample.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/** The files for Prometheus and Grafana fit one another and the sample. */
class MonitoringTests {

    private static final Path FOLDER = Path.of("monitoring");

    private static Map<String, Object> yaml(Path file) throws IOException {
        return new Yaml().load(Files.readString(file));
    }

    /** Returns all values of a name, at every depth, as text. */
    private static List<String> values(Object node, String name) {
        if (node instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .flatMap(entry -> Stream.concat(
                            entry.getKey().equals(name) ? texts(entry.getValue()) : Stream.empty(),
                            values(entry.getValue(), name).stream()))
                    .toList();
        }
        return node instanceof Collection<?> all
                ? all.stream().flatMap(one -> values(one, name).stream()).toList()
                : List.of();
    }

    private static Stream<String> texts(Object value) {
        return value instanceof Collection<?> all
                ? all.stream().map(String::valueOf)
                : Stream.of(String.valueOf(value));
    }

    /** Docker makes an empty folder of a file that is not there. */
    @Test
    void everyFileThatIsMountedExists() throws Exception {
        assertThat(values(yaml(FOLDER.resolve("compose.yaml")), "volumes"))
                .hasSize(5)
                .allSatisfy(volume -> assertThat(FOLDER.resolve(volume.substring(0, volume.indexOf(':'))))
                        .exists());
    }

    @Test
    void prometheusAsksThePortAndThePathOfTheSample() throws Exception {
        Map<String, Object> prometheus = yaml(FOLDER.resolve("prometheus.yml"));
        Map<String, Object> sample = yaml(Path.of("src/main/resources/application.yaml"));
        assertThat(values(prometheus, "targets"))
                .containsExactly(
                        "host.docker.internal:" + values(sample, "port").get(0));
        assertThat(values(prometheus, "metrics_path")).containsExactly("/actuator/prometheus");
        assertThat(values(prometheus, "rule_files"))
                .allSatisfy(rules -> assertThat(values(yaml(FOLDER.resolve("compose.yaml")), "volumes"))
                        .anyMatch(volume -> volume.contains(":/etc/prometheus/" + rules + ":")));
    }

    @Test
    void grafanaShowsTheDashboardWithDataOfThisPrometheus() throws Exception {
        Map<String, Object> compose = yaml(FOLDER.resolve("compose.yaml"));
        String folder = values(yaml(FOLDER.resolve("grafana/dashboards/files.yaml")), "path")
                .get(0);
        assertThat(values(compose, "GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH"))
                .singleElement()
                .satisfies(home -> assertThat(home).startsWith(folder + "/"))
                .satisfies(home -> assertThat(values(compose, "volumes"))
                        .contains("../../../docs/grafana-dashboard.json:" + home + ":ro"));
        assertThat(values(yaml(FOLDER.resolve("grafana/datasources/prometheus.yaml")), "url"))
                .containsExactly("http://prometheus:9090");
    }
}
