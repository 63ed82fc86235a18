package io.github.collapseexecutor.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestTemplate;

/** An application whose RestTemplate asks the application itself, with the endpoint over HTTP. */
final class EndpointApplication implements AutoCloseable {

    private static final String YAML = """
            collapse:
              executor:
                join: in-flight
                max-wait: 10m
                rest-template:
                  apply-bean-names: restTemplate
                  collapse-policies:
                    public:
                      share-across-users: true
                      collapse-request-headers: []
                      collapse-request-queries: []
                  collapse-groups:
                    - uris: /user/*
                    - uris: /article/*
                      collapse-policy-name: path-only
                    - uris: /catalogue/*
                      collapse-policy-name: public
            management:
              endpoints:
                web:
                  exposure:
                    include: collapse
            """;

    @Configuration(proxyBeanMethods = false)
    static class Clients {

        @Bean
        RestTemplate restTemplate() {
            return new RestTemplate();
        }
    }

    /** Answers two requests at a time, so that they are in flight together. */
    @RestController
    static class Catalogue {

        // mutable, thread-safe
        private final CyclicBarrier pair = new CyclicBarrier(2);
        private final AtomicInteger answers = new AtomicInteger();

        @GetMapping("/catalogue/{kind}")
        ResponseEntity<String> answer(
                @PathVariable("kind") String kind, @RequestParam(name = "as", required = false) @Nullable String user)
                throws Exception {
            pair.await(30, TimeUnit.SECONDS);
            return switch (kind) {
                case "cookie" -> ResponseEntity.ok().header("Set-Cookie", "a=b").body("cookie");
                case "changing" -> ResponseEntity.ok("number " + answers.incrementAndGet());
                default -> ResponseEntity.ok("hello " + user);
            };
        }
    }

    // immutable
    final ConfigurableApplicationContext context;
    private final HttpClient browser = HttpClient.newHttpClient();
    private final String address;
    final Backend backend;

    EndpointApplication(String... arguments) {
        context = new TestApplication()
                .withServer()
                .with(Backend.class, Catalogue.class, Clients.class)
                .arguments(arguments)
                .start(YAML);
        address = "http://localhost:" + context.getEnvironment().getProperty("local.server.port");
        backend = context.getBean(Backend.class);
    }

    String get(String path) {
        return String.valueOf(context.getBean(RestTemplate.class).getForObject(address + path, String.class));
    }

    CollapseControl control() {
        return context.getBean(CollapseControl.class);
    }

    HttpResponse<String> ask(String path) throws IOException, InterruptedException {
        return browser.send(
                HttpRequest.newBuilder(URI.create(address + "/actuator/collapse" + path))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    int post(String path, String action) throws IOException, InterruptedException {
        return change(path, action).statusCode();
    }

    HttpResponse<String> change(String path, String action) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(address + "/actuator/collapse" + path))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"action\": \"" + action + "\"}"))
                .build();
        return browser.send(request, HttpResponse.BodyHandlers.ofString());
    }

    /** Two callers ask the catalogue at the same time. */
    void askAsAPair(String one, String other) throws Exception {
        FutureTask<String> second = new FutureTask<>(() -> get(other));
        Thread caller = new Thread(second, "second of a pair");
        caller.setDaemon(true);
        caller.start();
        assertThat(get(one)).isNotNull();
        assertThat(second.get(30, TimeUnit.SECONDS)).isNotNull();
    }

    /** How many calls three callers at the same time make of the backend. */
    int callsOfThree(String path) throws Exception {
        int before = backend.calls().size();
        BackendCallers callers = new BackendCallers(backend);
        callers.add(3, () -> get(path));
        callers.answersOnceAllHaveArrived();
        return backend.calls().size() - before;
    }

    @Override
    public void close() {
        backend.release();
        context.close();
    }

    static Map<?, ?> json(String text) {
        return JsonParserFactory.getJsonParser().parseMap(text);
    }

    /** Returns what stands in JSON at the end of a path of keys and indexes. */
    static Object at(Map<?, ?> json, String... path) {
        Object value = json;
        for (String key : path) {
            value = value instanceof List<?> list ? list.get(Integer.parseInt(key)) : ((Map<?, ?>) value).get(key);
        }
        return value;
    }
}
