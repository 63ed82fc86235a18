package io.github.collapseexecutor.spring.boot;

import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongFunction;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/**
 * A reactive server that {@link AheadOfTimeTests} processes and starts: it is asked, asks by the groups of HTTP services that another class
 * adds, says what came of it, and ends.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@RestController
public class AheadOfTimeReactiveApplication {

    /** Three callers are one batch, which starts when the last has come. */
    static final String[] ARGUMENTS = {
        "--server.port=0",
        "--spring.main.web-application-type=reactive",
        "--spring.datasource.url=jdbc:h2:mem:ahead-of-time-reactive",
        "--collapse.executor.wait-threshold=3",
        "--collapse.executor.collecting-wait-time=10m",
        "--collapse.executor.webflux.collapse-groups[0].uris=/user/*",
        "--collapse.executor.rest-template.collapse-groups[0].uris=/user/*",
        "--collapse.executor.web-client.collapse-groups[0].uris=/user/*",
        "--logging.level.io.github.collapseexecutor=info"
    };

    private final AtomicInteger runs = new AtomicInteger();

    @GetMapping("/user/{id}")
    Mono<String> user(@PathVariable("id") long id) {
        return Mono.fromSupplier(() -> "user " + id + " by run " + runs.incrementAndGet());
    }

    public static void main(String[] arguments) throws Exception {
        run(AheadOfTimeReactiveApplication.class, arguments);
    }

    /**
     * Starts an application with this one in it.
     *
     * @param source the application
     * @param arguments of its command line
     */
    public static void run(Class<?> source, String... arguments) throws Exception {
        AtomicInteger calls = new AtomicInteger();
        HttpServer backend = HttpServer.create(new InetSocketAddress("localhost", 0), 0);
        backend.createContext("/user/1", exchange -> {
            byte[] body = ("call " + calls.incrementAndGet()).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        backend.start();
        List<String> all = new ArrayList<>(Arrays.asList(arguments));
        for (String group : List.of("users", "stock", "reactive")) {
            all.add("--spring.http.serviceclient." + group + ".base-url=http://localhost:"
                    + backend.getAddress().getPort());
        }
        SpringApplication application = new SpringApplication(source);
        application.setBannerMode(Banner.Mode.OFF);
        try (ConfigurableApplicationContext context = application.run(all.toArray(String[]::new))) {
            AheadOfTimeApplication.say("requests", ofThree(() -> ask(context)));
            for (LongFunction<?> group : new TreeMap<>(context.getBeansOfType(LongFunction.class)).values()) {
                AheadOfTimeApplication.say("group", ofThree(() -> String.valueOf(group.apply(1))));
            }
        } finally {
            backend.stop(0);
        }
    }

    private static List<String> ofThree(Callable<String> call) throws Exception {
        return AheadOfTimeApplication.answers(List.of(call, call, call));
    }

    private static String ask(ConfigurableApplicationContext server) throws Exception {
        URI address =
                URI.create("http://localhost:" + server.getEnvironment().getProperty("local.server.port") + "/user/1");
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(address)
                                .version(HttpClient.Version.HTTP_1_1)
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
    }
}
