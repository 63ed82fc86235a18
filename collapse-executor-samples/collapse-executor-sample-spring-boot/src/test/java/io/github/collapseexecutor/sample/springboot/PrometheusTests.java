package io.github.collapseexecutor.sample.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.yaml.snakeyaml.Yaml;

/** A real Prometheus asks the sample: the dashboard's panels have data, and the alert rules are rules. */
class PrometheusTests {

    private static final Path PROMETHEUS = Path.of(System.getProperty("prometheus", "/usr/bin/prometheus"));
    private static final Path DASHBOARD = Path.of("../../docs/grafana-dashboard.json");
    private static final Path ALERTS = Path.of("../../docs/alerts.yml");

    /** The sample writes no rows, takes no numbers, has no dry run, and lets no call fail. */
    private static final List<String> WITHOUT_DATA = List.of(
            "Calls that did not end with an answer",
            "Dry run: share of calls it would save",
            "Responses not shared, by reason",
            "Rows and numbers per batch");

    @TempDir
    private static Path folder;

    private static ConfigurableApplicationContext sample;
    private static Process prometheus;
    private static String api;
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @BeforeAll
    static void start() throws Exception {
        sample = SpringApplication.run(SpringBootSampleApplication.class, "--server.port=0");
        int port = freePort();
        api = "http://localhost:" + port + "/api/v1/";
        String configuration = Files.readString(Path.of("monitoring/prometheus.yml"))
                .replace("host.docker.internal:8080", address())
                .replace("interval: 5s", "interval: 1s")
                .replace("- alerts.yml", "- " + ALERTS.toAbsolutePath());
        prometheus = new ProcessBuilder(
                        PROMETHEUS.toString(),
                        "--config.file=" + Files.writeString(folder.resolve("prometheus.yml"), configuration),
                        "--storage.tsdb.path=" + folder.resolve("data"),
                        "--web.listen-address=localhost:" + port)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
    }

    @AfterAll
    static void stop() throws InterruptedException {
        sample.close();
        prometheus.destroy();
        assertThat(prometheus.waitFor(30, TimeUnit.SECONDS)).isTrue();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static String address() {
        return "localhost:" + sample.getEnvironment().getRequiredProperty("local.server.port");
    }

    private static String get(String address) throws IOException, InterruptedException {
        return CLIENT.send(HttpRequest.newBuilder(URI.create(address)).build(), BodyHandlers.ofString())
                .body();
    }

    /** Has callers ask for the same thing at once, and one for a part of it, which is not collapsed. */
    private static void ask() {
        URI shared = URI.create("http://" + address() + "/test/collapse100");
        List<CompletableFuture<?>> callers = new ArrayList<>();
        for (int caller = 0; caller < 20; caller++) {
            callers.add(CLIENT.sendAsync(HttpRequest.newBuilder(shared).build(), BodyHandlers.discarding()));
        }
        HttpRequest ofAPart =
                HttpRequest.newBuilder(shared).header("Range", "bytes=0-1").build();
        callers.add(CLIENT.sendAsync(ofAPart, BodyHandlers.discarding()));
        CompletableFuture.allOf(callers.toArray(CompletableFuture<?>[]::new)).join();
    }

    @SuppressWarnings("unchecked") // JSON is YAML, too
    private static List<Map<String, Object>> listOf(Object node, String name) {
        return (List<Map<String, Object>>) ((Map<String, Object>) node).getOrDefault(name, List.of());
    }

    private static boolean hasData(String expression) {
        String query = expression
                .replace("$job", "sample")
                .replace("$name", ".*")
                .replace("$__rate_interval", "10s")
                .replace("$__range", "30m");
        try {
            Map<String, Object> answer =
                    new Yaml().load(get(api + "query?query=" + URLEncoder.encode(query, StandardCharsets.UTF_8)));
            assertThat(answer).as(query).containsEntry("status", "success");
            return listOf(answer.get("data"), "result").stream()
                    .map(series -> ((Collection<?>) series.get("value")).toString())
                    .anyMatch(value -> !value.contains("NaN"));
        } catch (IOException e) {
            return false; // it is not up yet
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Set<String> panelsWithoutData() throws IOException {
        Set<String> titles = new TreeSet<>();
        for (Map<String, Object> panel : listOf(new Yaml().load(Files.readString(DASHBOARD)), "panels")) {
            if (listOf(panel, "targets").stream().noneMatch(target -> hasData((String) target.get("expr")))) {
                titles.add((String) panel.get("title"));
            }
        }
        return titles;
    }

    @Test
    void everyPanelThatTheSampleHasFiguresForShowsThem() throws Exception {
        long deadline = System.nanoTime() + Duration.ofMinutes(2).toNanos();
        do {
            ask();
        } while (!panelsWithoutData().equals(Set.copyOf(WITHOUT_DATA)) && System.nanoTime() < deadline);
        assertThat(panelsWithoutData()).containsExactlyElementsOf(WITHOUT_DATA);
    }

    @Test
    void prometheusHasLoadedEveryAlert() throws Exception {
        while (!hasData("up == 1")) {
            assertThat(prometheus.isAlive())
                    .as(Files.readString(folder.resolve("log")))
                    .isTrue();
            Thread.onSpinWait();
        }
        Map<String, Object> rules = new Yaml().load(get(api + "rules"));
        List<String> loaded = listOf(rules.get("data"), "groups").stream()
                .flatMap(group -> listOf(group, "rules").stream())
                .map(rule -> (String) rule.get("name"))
                .toList();
        List<String> written = listOf(new Yaml().load(Files.readString(ALERTS)), "groups").stream()
                .flatMap(group -> listOf(group, "rules").stream())
                .map(rule -> (String) rule.get("alert"))
                .toList();
        assertThat(loaded).isNotEmpty().containsExactlyElementsOf(written);
    }
}
