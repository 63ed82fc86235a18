package io.github.collapseexecutor.spring.boot;

import com.sun.net.httpserver.HttpServer;
import io.github.collapseexecutor.core.CollapseListener;
import io.github.collapseexecutor.jdbc.GroupCommit;
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
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.SQLStateSQLExceptionTranslator;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;

/** What {@link AheadOfTimeTests} processes and starts: it uses what the library offers, says what came of it, and ends. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class AheadOfTimeApplication {

    /** Three callers are one batch, which starts when the last has come. */
    static final String[] ARGUMENTS = {
        "--server.port=0",
        "--spring.application.name=ahead-of-time",
        "--collapse.executor.executors.rest-template.wait-threshold=3",
        "--collapse.executor.executors.rest-template.collecting-wait-time=10m",
        "--collapse.executor.executors.report.max-pending=40",
        "--collapse.executor.executors.report.cluster=true",
        "--collapse.executor.cluster.secret=a secret of the tests",
        "--collapse.executor.rest-template.apply-bean-names=restTemplate,builder",
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

        @Collapsible
        public String name(long id) {
            return "name " + id;
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
    record Notes(GroupCommitTemplate template, GroupCommit audit, JdbcTemplate jdbc) {

        String add() {
            jdbc.execute("CREATE TABLE note (id INT PRIMARY KEY, text VARCHAR(20))");
            int written = template.update("INSERT INTO note (id, text) VALUES (?, ?)", 1, "first");
            new GroupCommitTemplate(audit, new SQLStateSQLExceptionTranslator())
                    .update("INSERT INTO note (id, text) VALUES (?, ?)", 2, "second");
            return written + " of " + jdbc.queryForObject("SELECT COUNT(*) FROM note", Integer.class);
        }
    }

    @Bean
    Notes notes(GroupCommitTemplate template, @Qualifier("audit") GroupCommit audit, JdbcTemplate jdbc) {
        return new Notes(template, audit, jdbc);
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
            say("calls", callsOfThree(context.getBean(RestTemplate.class)));
            say("batches", context.getBean(AtomicInteger.class));
            say(
                    "saved",
                    context.getBean(MeterRegistry.class)
                            .get("collapse.saved")
                            .tag("name", "rest-template")
                            .counter()
                            .count());
            say("rows", context.getBean(Notes.class).add());
            say("builder", context.getBean(RestClient.Builder.class) instanceof Proxy);
            say("answer", context.getBean(Names.class).name(7));
            say("executors", context.getBean(CollapseControl.class).executors());
            String actuator =
                    "http://localhost:" + context.getEnvironment().getProperty("local.server.port") + "/actuator/";
            say("endpoint", ask(actuator + "collapse/rest-template", false).contains("\"saved\":2"));
            say("page", ask(actuator + "collapsepage", false).startsWith("<!doctype html>"));
            say(
                    "scrape",
                    ask(actuator + "prometheus", false).contains("collapse_saved_total{name=\"rest-template\"} 2.0"));
            String unused = ask(actuator + "collapse/rest-template", true);
            say("paused", context.getBean(CollapseControl.class).isPaused("rest-template"));
        }
    }

    private static void say(String what, Object value) {
        System.out.println("seen: " + what + " " + value);
    }

    private static int callsOfThree(RestTemplate client) throws Exception {
        AtomicInteger calls = new AtomicInteger();
        HttpServer backend = HttpServer.create(new InetSocketAddress("localhost", 0), 0);
        backend.createContext("/", exchange -> {
            calls.incrementAndGet();
            byte[] body = "Ada".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        backend.start();
        ExecutorService threads = Executors.newFixedThreadPool(3);
        try {
            String uri = "http://localhost:" + backend.getAddress().getPort() + "/user/1";
            List<Future<String>> answers = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                answers.add(threads.submit(() -> String.valueOf(client.getForObject(uri, String.class))));
            }
            for (Future<String> answer : answers) {
                String unused = answer.get(30, TimeUnit.SECONDS);
            }
            return calls.get();
        } finally {
            threads.shutdownNow();
            backend.stop(0);
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
