package io.github.collapseexecutor.spring.boot.cluster;

import static io.github.collapseexecutor.spring.boot.fixture.EndpointApplication.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.core.BlockingCallableGroupCollapseExecutor;
import io.github.collapseexecutor.gate.OnEachLine;
import io.github.collapseexecutor.spring.boot.fixture.EndpointApplication;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What Spring Boot's health endpoint says of the link to Redis: details, and never that the application is down. */
@OnEachLine
class LinkHealthTests extends ClusterConfigurationFixture {

    private static final String NO_OTHER = "management.health.defaults.enabled=false";
    private static final String ALL = "management.endpoint.health.show-details=always";

    private static EndpointApplication application(int port, String... more) {
        return new EndpointApplication(Stream.concat(
                        Stream.of(
                                "--spring.data.redis.port=" + port,
                                "--collapse.executor.cluster.secret=" + SECRET,
                                "--collapse.executor.cluster.prefix=shop",
                                "--collapse.executor.executors.users.cluster=true",
                                "--management.endpoints.web.exposure.include=health",
                                "--management.health.redis.enabled=false"),
                        Stream.of(more).map(property -> "--" + property))
                .toArray(String[]::new));
    }

    private static HttpResponse<String> health(EndpointApplication application, String path)
            throws IOException, InterruptedException {
        String port = application.context.getEnvironment().getProperty("local.server.port");
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/actuator/health" + path))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }

    private static Map<?, ?> said(EndpointApplication application) throws IOException, InterruptedException {
        HttpResponse<String> response = health(application, "/collapse");
        assertThat(response.statusCode()).isEqualTo(200);
        return json(response.body());
    }

    private static Map<?, ?> upWith(boolean paused, boolean available) {
        return Map.of("status", "UP", "details", Map.of("paused", paused, "available", available));
    }

    @Test
    void theLinkIsShownAndWhetherSharingIsPaused() throws Exception {
        try (EndpointApplication application =
                application(redis.port(), ALL, NO_OTHER, "management.health.collapse.enabled=true")) {
            await().untilAsserted(() -> assertThat(said(application)).isEqualTo(upWith(false, true)));
            application.control().pauseSharing();
            assertThat(said(application)).isEqualTo(upWith(true, false));
        }
    }

    @Test
    void anApplicationWithoutItsRedisIsUp() throws Exception {
        try (EndpointApplication application = application(freePort(), ALL)) {
            BlockingCallableGroupCollapseExecutor users =
                    application.context.getBean("users", BlockingCallableGroupCollapseExecutor.class);
            await().untilAsserted(() -> {
                assertThat(users.<String>execute("user 7", () -> "name 7")).isEqualTo("name 7");
                assertThat(said(application)).isEqualTo(upWith(false, false));
            });
            assertThat(health(application, "").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void detailsAreLeftOutUnlessTheEndpointShowsThem() throws Exception {
        try (EndpointApplication application =
                application(redis.port(), "management.endpoint.health.show-components=always")) {
            assertThat(said(application)).isEqualTo(Map.of("status", "UP"));
        }
    }

    @Test
    void itIsSwitchedOffWithAllOthers() throws Exception {
        try (EndpointApplication application = application(redis.port(), NO_OTHER)) {
            assertThat(health(application, "/collapse").statusCode()).isEqualTo(404);
        }
    }
}
