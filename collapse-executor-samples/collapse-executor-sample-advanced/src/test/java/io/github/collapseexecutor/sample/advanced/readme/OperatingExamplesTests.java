package io.github.collapseexecutor.sample.advanced.readme;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.github.collapseexecutor.spring.boot.CollapseControl;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.client.RestClient;

/** The steps of docs/operating.md: a group in dry run, one that is on, and the switch. */
class OperatingExamplesTests {

    private static final int CALLERS = 20;

    private final AtomicInteger calls = new AtomicInteger();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private HttpServer backend;

    @BeforeEach
    void startBackend() throws IOException {
        backend = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), CALLERS);
        backend.setExecutor(threads);
        backend.createContext("/", exchange -> {
            calls.incrementAndGet();
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        backend.start();
    }

    @AfterEach
    void stopBackend() {
        backend.stop(0);
        threads.shutdownNow();
    }

    @Test
    void pausedGroupMakesEachCallAndTheResumedOneIsOnAgain() throws Exception {
        try (ConfigurableApplicationContext application = new SpringApplicationBuilder(SpringExamples.class)
                .web(WebApplicationType.NONE)
                .properties("spring.config.location=classpath:/readme/dry-run.yaml")
                .run()) {
            CollapseControl control = application.getBean(CollapseControl.class);
            RestClient client = application.getBean("userClient", RestClient.class);
            control.pause("rest-template", 1);
            assertThat(control.isPaused("rest-template", 0)).isFalse();
            assertThat(control.isPaused("rest-template", 1)).isTrue();
            assertThat(callsOf(client)).isEqualTo(CALLERS);
            pauseAndResume(control);
            assertThat(control.isPaused("rest-template", 1)).isFalse();
        }
    }

    private static void pauseAndResume(CollapseControl control) {
        // readme:begin operating-switch
        control.pause("rest-template", 1); // the second of its collapse-groups: every request is a call of its own
        control.resume("rest-template", 1);
        // readme:end
    }

    /** How many calls reach the backend for as many callers at once. */
    private int callsOf(RestClient client) throws Exception {
        String uri = "http://localhost:" + backend.getAddress().getPort() + "/catalogue/books";
        CyclicBarrier together = new CyclicBarrier(CALLERS);
        List<Future<?>> callers = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            callers.add(threads.submit(() -> {
                together.await(60, TimeUnit.SECONDS);
                return client.get().uri(uri).retrieve().toBodilessEntity();
            }));
        }
        for (Future<?> caller : callers) {
            caller.get(60, TimeUnit.SECONDS);
        }
        return calls.get();
    }
}
