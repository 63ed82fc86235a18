package io.github.collapseexecutor.sample.springboot.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.sample.springboot.SpringBootSampleApplication;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** The load behind the page. */
class LiveLoadTests {

    private static ConfigurableApplicationContext application;

    @BeforeAll
    static void start() {
        application = SpringApplication.run(
                SpringBootSampleApplication.class, "--server.port=0", "--sample.demonstration=false");
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    private static long callers() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("live-with"))
                .count();
    }

    private static HttpResponse<String> put(String settings) throws Exception {
        String address =
                "http://localhost:" + application.getEnvironment().getRequiredProperty("local.server.port") + "/live";
        HttpRequest request = HttpRequest.newBuilder(URI.create(address))
                .header("Content-Type", "application/json")
                .PUT(HttpRequest.BodyPublishers.ofString(settings))
                .build();
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void itRunsOnlyWhileSomebodyLooks() {
        LiveLoad load = application.getBean(LiveLoad.class);
        for (int visit = 0; visit < 2; visit++) {
            assertThat(callers()).isZero();
            await("all callers are there").until(() -> {
                load.look(); // again, for a machine on which the first look is long ago
                return callers() == 2L * load.settings().callers();
            });
            await("nobody looks any more").atMost(Duration.ofSeconds(30)).until(() -> callers() == 0);
        }
        assertThat(load.settings()).isEqualTo(LiveSettings.FIRST);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "fresh | 0 | 1 | 10 | callers is 0: choose a number from 1 to 200",
                "fresh | 201 | 1 | 10 | callers is 201: choose a number from 1 to 200",
                "fresh | 1 | 51 | 10 | users is 51: choose a number from 1 to 50",
                "fresh | 1 | 1 | -1 | backendMillis is -1: choose a number from 0 to 300",
            })
    void settingsOutOfBoundsAreRefused(String mode, int callers, int users, int backendMillis, String message)
            throws Exception {
        HttpResponse<String> answer = put("{\"mode\": \"" + mode + "\", \"callers\": " + callers + ", \"users\": "
                + users + ", \"backendMillis\": " + backendMillis + "}");
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains(message);
    }

    @Test
    void aModeIsNamed() throws Exception {
        HttpResponse<String> answer = put("{\"callers\": 1, \"users\": 1, \"backendMillis\": 10}");
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("mode is missing: name off, fresh, in-flight or dry-run");
    }
}
