package io.github.collapseexecutor.spring.boot.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.okhttp.CollapseOkHttpInterceptor;
import io.github.collapseexecutor.spring.boot.CollapseSections;
import io.github.collapseexecutor.spring.boot.fixture.CountingBackend;
import io.github.collapseexecutor.spring.boot.fixture.TestApplication;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import org.awaitility.Awaitility;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.reactive.function.client.WebClient;

/** What Prometheus gets under load agrees with what the backend counted, for the adapter of every kind. */
class ScrapeUnderLoadTests {

    private static final int CALLERS = 16;
    private static final int ROUNDS = 25;

    /** Sends one request, and returns the answer's body. */
    private interface Client {
        String send(HttpMethod method, String uri);
    }

    /** An adapter, its section, and a client of it. */
    private enum Adapter {
        REST_TEMPLATE("rest-template", context -> {
            RestTemplate client = context.getBean("restTemplate", RestTemplate.class);
            return (method, uri) -> text(client, method, uri);
        }),
        REST_CLIENT("rest-template", context -> {
            RestClient client = context.getBean(RestClient.class);
            return (method, uri) ->
                    String.valueOf(client.method(method).uri(uri).retrieve().body(String.class));
        }),
        WEB_CLIENT("web-client", context -> {
            WebClient client = context.getBean(WebClient.class);
            return (method, uri) -> String.valueOf(client.method(method)
                    .uri(uri)
                    .retrieve()
                    .bodyToMono(String.class)
                    .block(Duration.ofSeconds(60)));
        }),
        SERVLET("servlet", context -> {
            RestTemplate client = new RestTemplate();
            return (method, uri) -> text(client, method, uri);
        }),
        OK_HTTP("ok-http", context -> {
            OkHttpClient client = new OkHttpClient.Builder()
                    .addInterceptor(context.getBean(CollapseSections.class)
                            .add(
                                    "ok-http",
                                    HttpCollapseOptions.builder()
                                            .rules(List.of(CollapseRule.of(
                                                    CollapsePolicy.strict(), "/shared/*", "/private/*")))
                                            .passTtl(Duration.ofHours(1)),
                                    CollapseOptions.defaults(),
                                    CollapseOkHttpInterceptor::new))
                    .build();
            return (method, uri) -> {
                RequestBody body = method.equals(HttpMethod.POST) ? RequestBody.create(new byte[0]) : null;
                Request request = new Request.Builder()
                        .url(uri)
                        .method(method.name(), body)
                        .build();
                try (Response response = client.newCall(request).execute()) {
                    return response.body().string();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            };
        });

        // immutable
        private final String section;

        @SuppressWarnings("ImmutableEnumChecker") // the functions have no state
        private final Function<ApplicationContext, Client> client;

        Adapter(String section, Function<ApplicationContext, Client> client) {
            this.section = section;
            this.client = client;
        }

        private static String text(RestTemplate client, HttpMethod method, String uri) {
            return String.valueOf(
                    client.exchange(uri, method, null, String.class).getBody());
        }

        /** Of this section only: one that collapses on either side would be seen by the other. */
        String yaml() {
            if (this == OK_HTTP) {
                return "";
            }
            String yaml = """
                    collapse.executor.%s:
                      pass-ttl: 1h
                      collapse-groups:
                        - uris: [/shared/*, /private/*]
                    """.formatted(section);
            return switch (this) {
                case REST_TEMPLATE -> yaml + "  apply-bean-names: restTemplate\n";
                case REST_CLIENT -> yaml + "  apply-bean-names: restClient\n";
                case WEB_CLIENT -> yaml + "  apply-bean-names: webClient\n";
                case SERVLET, OK_HTTP -> yaml;
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Measured {

        @Bean
        PrometheusMeterRegistry prometheusMeterRegistry() {
            return new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        }

        @Bean
        RestTemplate restTemplate() {
            return new RestTemplate();
        }

        @Bean
        RestClient restClient() {
            return RestClient.create();
        }

        @Bean
        WebClient webClient() {
            return WebClient.create();
        }
    }

    @ParameterizedTest
    @EnumSource(Adapter.class)
    void aScrapeUnderLoadAgreesWithWhatTheBackendCounted(Adapter adapter) throws Exception {
        try (ConfigurableApplicationContext context = new TestApplication()
                .withServer()
                .with(CountingBackend.class, Measured.class)
                .start(adapter.yaml())) {
            Client client = adapter.client.apply(context);
            try {
                long calls = load(client, context);
                PrometheusMeterRegistry registry = context.getBean(PrometheusMeterRegistry.class);
                Awaitility.await() // callers may have their answers before the end of their batch is told
                        .atMost(Duration.ofSeconds(60))
                        .untilAsserted(() -> check(new Scrape(registry.scrape(), adapter.section), calls));
            } finally {
                Reference.reachabilityFence(client); // what passes at a client that is gone does not count
            }
        }
    }

    private static void check(Scrape scrape, long calls) {
        long sent = scrape.sum("collapse_calls_seconds_count", "role", "leader")
                + scrape.sum("collapse_calls_seconds_count", "role", "alone");
        long posted = scrape.sum("collapse_not_collapsed_total", "reason", "method");
        long saved = scrape.sum("collapse_saved_total");
        assertThat(posted).isEqualTo(CALLERS * ROUNDS);
        assertThat(sent + posted).as("sent").isEqualTo(calls);
        assertThat(saved).as("saved").isEqualTo(CALLERS * ROUNDS * 3 - calls).isPositive();
        assertThat(scrape.sum("collapse_calls_seconds_count", "role", "follower"))
                .isEqualTo(saved);
        long released = scrape.sum("collapse_not_collapsed_total", "reason", "private");
        assertThat(scrape.sum("collapse_not_shared_total", "reason", "private") + released)
                .as(
                        "a response of /private is for one request, and so is what released followers get; a lone one is not looked at")
                .isPositive()
                .isLessThanOrEqualTo(CALLERS * ROUNDS);
        assertThat(scrape.sum("collapse_not_collapsed_total", "reason", "passing"))
                .isPositive();
        assertThat(scrape.sum("collapse_batches_seconds_count"))
                .isEqualTo(scrape.sum("collapse_batch_size_count"))
                .isEqualTo(scrape.sum("collapse_wait_seconds_count"))
                .isPositive();
        assertThat(scrape.sum("collapse_passing")).isEqualTo(2);
        for (String gauge : List.of("collapse_pending", "collapse_in_flight", "collapse_groups")) {
            assertThat(scrape.sum(gauge)).as(gauge).isZero();
        }
        assertThat(scrape.text())
                .as("no property asks for a histogram")
                .doesNotContain("collapse_calls_seconds_bucket");
        assertThat(scrape.tags())
                .containsExactlyInAnyOrder(
                        "name=" + scrape.section,
                        "outcome=answered",
                        "outcome=bound",
                        "reason=method",
                        "reason=passing",
                        "reason=private",
                        "role=alone",
                        "role=follower",
                        "role=leader");
    }

    /**
     * Every caller asks for two things that can be shared and two that cannot, and changes something.
     *
     * @return how many calls the backend has counted
     */
    private static long load(Client client, ApplicationContext context) throws Exception {
        String address = "http://localhost:" + context.getEnvironment().getProperty("local.server.port");
        ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
        List<Future<?>> ends = new ArrayList<>();
        for (int caller = 0; caller < CALLERS; caller++) {
            ends.add(callers.submit(() -> {
                for (int round = 0; round < ROUNDS; round++) {
                    String id = Integer.toString(round % 2);
                    assertThat(client.send(HttpMethod.GET, address + "/shared/" + id))
                            .isEqualTo(id);
                    assertThat(client.send(HttpMethod.GET, address + "/private/" + id))
                            .isEqualTo(id);
                    assertThat(client.send(HttpMethod.POST, address + "/shared/" + id))
                            .isEqualTo(id);
                }
            }));
        }
        callers.shutdown();
        for (Future<?> end : ends) {
            end.get(120, TimeUnit.SECONDS);
        }
        return context.getBean(CountingBackend.class).calls();
    }

    /** The lines of {@code collapse_*} that Prometheus gets of a section, but for those of observations. */
    private record Scrape(String text, String section) {

        private static final Pattern LINE = Pattern.compile("(collapse_\\w+)\\{(.*)} (\\S+)");
        private static final Pattern TAG = Pattern.compile("(\\w+)=\"([^\"]*)\"");

        long sum(String meter) {
            return sum(meter, "name", section);
        }

        /** Of counters and counts, which are whole numbers. */
        long sum(String meter, String tag, String value) {
            long sum = 0;
            Matcher lines = LINE.matcher(text);
            while (lines.find()) {
                if (lines.group(1).equals(meter)
                        && lines.group(2).contains("name=\"" + section + "\"")
                        && lines.group(2).contains(tag + "=\"" + value + "\"")) {
                    sum += Math.round(Double.parseDouble(lines.group(3)));
                }
            }
            return sum;
        }

        Set<String> tags() {
            Set<String> tags = new TreeSet<>();
            Matcher lines = LINE.matcher(text);
            while (lines.find()) {
                Matcher found = TAG.matcher(lines.group(2));
                while (!lines.group(1).startsWith("collapse_observed_") && found.find()) {
                    tags.add(found.group(1) + "=" + found.group(2));
                }
            }
            tags.removeIf(tag -> tag.startsWith("name=") && !tag.equals("name=" + section));
            return tags;
        }
    }
}
