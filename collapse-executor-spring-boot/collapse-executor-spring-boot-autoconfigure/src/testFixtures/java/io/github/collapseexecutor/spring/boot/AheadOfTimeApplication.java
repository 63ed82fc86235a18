package io.github.collapseexecutor.spring.boot;

import com.sun.net.httpserver.HttpServer;
import io.github.collapseexecutor.core.CollapseListener;
import io.github.collapseexecutor.jdbc.GroupCommit;
import io.github.collapseexecutor.sequence.Sequences;
import io.github.collapseexecutor.spring.annotation.CollapseBatch;
import io.github.collapseexecutor.spring.annotation.Collapsible;
import io.github.collapseexecutor.spring.jdbc.GroupCommitTemplate;
import io.micrometer.core.instrument.MeterRegistry;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.SQLStateSQLExceptionTranslator;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;

/** What {@link AheadOfTimeTests} processes and starts: it uses what the library offers, says what came of it, and ends. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(AheadOfTimeClients.class)
public class AheadOfTimeApplication {

    /** Three callers are one batch, which starts when the last has come. */
    static final String[] ARGUMENTS = {
        "--server.port=0",
        "--spring.application.name=ahead-of-time",
        "--collapse.executor.executors.rest-template.wait-threshold=3",
        "--collapse.executor.executors.rest-template.collecting-wait-time=10m",
        "--collapse.executor.executors.[names.name].wait-threshold=3",
        "--collapse.executor.executors.[names.name].collecting-wait-time=10m",
        "--collapse.executor.executors.[names.length].wait-threshold=3",
        "--collapse.executor.executors.[names.length].collecting-wait-time=10m",
        "--collapse.executor.executors.report.max-pending=40",
        "--collapse.executor.executors.report.cluster=true",
        "--collapse.executor.cluster.secret=a secret of the tests",
        "--collapse.executor.executors.web-client.wait-threshold=3",
        "--collapse.executor.executors.web-client.collecting-wait-time=10m",
        "--collapse.executor.executors.prices.wait-threshold=3",
        "--collapse.executor.executors.prices.collecting-wait-time=10m",
        "--collapse.executor.rest-template.apply-bean-names=restTemplate,restClient,builder",
        "--collapse.executor.web-client.apply-bean-names=webClient",
        "--collapse.executor.web-client.collapse-groups[0].uris=/user/*",
        "--collapse.executor.writers.audit.max-batch-size=10",
        "--spring.datasource.url=jdbc:h2:mem:ahead-of-time",
        "--collapse.executor.rest-template.collapse-groups[0].uris=/user/*",
        "--management.endpoints.web.exposure.include=collapse,collapsepage,prometheus",
        "--management.endpoint.collapse.access=unrestricted",
        "--management.endpoint.collapsepage.access=read-only",
        "--logging.level.io.github.collapseexecutor=info"
    };

    /** Asked by its bean. */
    static class Names {

        private final AtomicInteger executions = new AtomicInteger();

        @Collapsible
        public String name(long id) {
            return "name " + id + " by execution " + executions.incrementAndGet();
        }

        @CollapseBatch(method = "lengths")
        public String length(String name) {
            return String.valueOf(lengths(Set.of(name)).get(name));
        }

        public Map<String, String> lengths(Set<String> names) {
            return names.stream()
                    .collect(Collectors.toMap(name -> name, name -> name.length() + " of " + names.size()));
        }
    }

    @Bean
    RestTemplate restTemplate() {
        return new RestTemplate();
    }

    @Bean
    RestClient.Builder builder() {
        return RestClient.builder();
    }

    /** Writes one row for several callers, by the writer of the data source and by one that is made by its name. */
    record Notes(GroupCommitTemplate template, GroupCommit audit, JdbcTemplate jdbc, Sequences sequences) {

        String add() {
            jdbc.execute("CREATE TABLE note (id INT PRIMARY KEY, text VARCHAR(20))");
            int written = template.update("INSERT INTO note (id, text) VALUES (?, ?)", 1, "first");
            new GroupCommitTemplate(audit, new SQLStateSQLExceptionTranslator())
                    .update("INSERT INTO note (id, text) VALUES (?, ?)", 2, "second");
            jdbc.execute("CREATE SEQUENCE note_id START WITH 41");
            return written + " of " + jdbc.queryForObject("SELECT COUNT(*) FROM note", Integer.class);
        }
    }

    @Bean
    Notes notes(
            GroupCommitTemplate template,
            @Qualifier("audit") GroupCommit audit,
            JdbcTemplate jdbc,
            Sequences sequences) {
        return new Notes(template, audit, jdbc, sequences);
    }

    @Bean
    Names names() {
        return new Names();
    }

    @Bean
    AtomicInteger batches() {
        return new AtomicInteger();
    }

    @Bean
    CollapseListener listener(AtomicInteger batches) {
        return batch -> {
            if (batch.executor().equals("rest-template")) {
                batches.incrementAndGet();
            }
        };
    }

    public static void main(String[] arguments) throws Exception {
        SpringApplication application = new SpringApplication(AheadOfTimeApplication.class);
        application.setBannerMode(Banner.Mode.OFF);
        try (ConfigurableApplicationContext context = application.run(arguments)) {
            for (Map.Entry<String, AheadOfTimeClients.Client> client :
                    context.getBeansOfType(AheadOfTimeClients.Client.class).entrySet()) {
                say("calls " + client.getKey(), callsOfThree(client.getValue()));
            }
            say("batches", context.getBean(AtomicInteger.class));
            say(
                    "saved",
                    context.getBean(MeterRegistry.class)
                            .get("collapse.saved")
                            .tag("name", "rest-template")
                            .counter()
                            .count());
            Notes notes = context.getBean(Notes.class);
            say("rows", notes.add());
            say("number", notes.sequences().next("note_id"));
            say("builder", context.getBean(RestClient.Builder.class) instanceof Proxy);
            Names names = context.getBean(Names.class);
            say("names", answers(List.of(() -> names.name(7), () -> names.name(7), () -> names.name(7))));
            say(
                    "lengths",
                    answers(List.of(
                            () -> names.length("Ada"), () -> names.length("Alan"), () -> names.length("Grace"))));
            say("executors", context.getBean(CollapseControl.class).executors());
            String actuator =
                    "http://localhost:" + context.getEnvironment().getProperty("local.server.port") + "/actuator/";
            say("endpoint", ask(actuator + "collapse/rest-template", false).contains("\"saved\":10"));
            say("page", ask(actuator + "collapsepage", false).startsWith("<!doctype html>"));
            say(
                    "scrape",
                    ask(actuator + "prometheus", false).contains("collapse_saved_total{name=\"rest-template\"} 10.0"));
            String unused = ask(actuator + "collapse/rest-template", true);
            say("paused", context.getBean(CollapseControl.class).isPaused("rest-template"));
        }
    }

    static void say(String what, Object value) {
        System.out.println("seen: " + what + " " + value);
    }

    private static String callsOfThree(AheadOfTimeClients.Client client) throws Exception {
        AtomicInteger calls = new AtomicInteger();
        HttpServer backend = HttpServer.create(new InetSocketAddress("localhost", 0), 0);
        backend.createContext("/user/1", exchange -> {
            byte[] body = ("Ada " + calls.incrementAndGet()).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        backend.start();
        try {
            String server = "http://localhost:" + backend.getAddress().getPort();
            Callable<String> call = () -> client.get(server);
            return answers(List.of(call, call, call)) + " by " + calls;
        } finally {
            backend.stop(0);
        }
    }

    /** Returns the answers of callers that ask at the same time. */
    static List<String> answers(List<Callable<String>> callers) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(callers.size());
        try {
            List<String> answers = new ArrayList<>();
            for (Future<String> answer : threads.invokeAll(callers, 30, TimeUnit.SECONDS)) {
                answers.add(answer.get());
            }
            return answers;
        } finally {
            threads.shutdownNow();
        }
    }

    private static String ask(String address, boolean pause) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address));
        if (pause) {
            request.header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString("{\"action\": \"pause\"}"));
        }
        return HttpClient.newHttpClient()
                .send(request.build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }
}
