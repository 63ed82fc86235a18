package io.github.collapseexecutor.sample.springboot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.collapseexecutor.http.client.CollapseHttpRequestInterceptor;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.HashSet;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.web.client.RestTemplate;

/** The main job as a user starts it: on a real port, with its own configuration, and asked from outside. */
class SpringBootSampleApplicationTests {

    /** Looks at the live page when the server is up, and the demonstration has not begun. */
    private static final class LivePageVisitor implements ApplicationListener<ApplicationReadyEvent>, Ordered {

        @Override
        public void onApplicationEvent(ApplicationReadyEvent ready) {
            String port = ready.getApplicationContext().getEnvironment().getRequiredProperty("local.server.port");
            liveAtTheStart = new RestTemplate().getForObject("http://localhost:" + port + "/live", String.class);
        }

        @Override
        public int getOrder() {
            return HIGHEST_PRECEDENCE;
        }
    }

    private static ConfigurableApplicationContext application;
    private static String liveAtTheStart;
    private static HttpClient curl;

    @BeforeAll
    static void start() {
        SpringApplication starting = new SpringApplication(SpringBootSampleApplication.class);
        starting.addListeners(new LivePageVisitor());
        application = starting.run("--server.port=0");
        // who asks for an upgrade of its connection, as this client does of its own accord, is not collapsed
        curl = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @BeforeEach
    void countFromZero() throws Exception {
        get("/test/reset");
        assertThat(get("/test/counter").body()).isEqualTo("0");
    }

    @Test
    void demonstrationGivesNobodyAWrongAnswer() throws Exception {
        assertThat(measurements())
                .hasSize(12)
                .allSatisfy(
                        measurement -> assertThat(measurement.wrongAnswers()).isZero())
                .allSatisfy(measurement ->
                        assertThat(measurement.p50Nanos()).isPositive().isLessThanOrEqualTo(measurement.p99Nanos()));
    }

    @Test
    void theLoadOfTheLivePageWaitsForTheDemonstration() throws Exception {
        assertThat(liveAtTheStart).contains("\"waiting\":true");
        measurements();
        assertThat(get("/live").body()).contains("\"waiting\":false");
    }

    @Test
    void withoutCollapsingEveryCallReachesTheBackend() throws Exception {
        assertThat(measurements())
                .filteredOn(measurement -> !measurement.collapsing())
                .hasSize(6)
                .allSatisfy(
                        measurement -> assertThat(measurement.backendCalls()).isEqualTo(measurement.calls()));
    }

    @Test
    void callersOfDifferentUsersDoNotShareASingleCall() throws Exception {
        assertThat(collapsing("1-50 one by one"))
                .hasSize(1)
                .allSatisfy(
                        measurement -> assertThat(measurement.backendCalls()).isEqualTo(measurement.calls()));
    }

    @Test
    void batchesMakeFewerCallsThanThereAreCallers() throws Exception {
        assertThat(collapsing("1-50 in batches"))
                .hasSize(1)
                .allSatisfy(
                        measurement -> assertThat(measurement.backendCalls()).isLessThan(measurement.calls()));
    }

    @Test
    void hotUsersAreFetchedLessOftenThanTheyAreAskedFor() throws Exception {
        assertThat(collapsing("1-2 hot"))
                .hasSize(3)
                .allSatisfy(
                        measurement -> assertThat(measurement.backendCalls()).isLessThan(measurement.calls()));
    }

    @Test
    void handlersRunLessOftenThanTheirServerIsAsked() throws Exception {
        assertThat(collapsing("/test"))
                .hasSize(1)
                .allSatisfy(
                        measurement -> assertThat(measurement.backendCalls()).isLessThan(measurement.calls()));
    }

    @Test
    void tableHasOneLineForEachMeasurement() throws Exception {
        List<String> lines = MeasurementTable.of(measurements()).lines().toList();
        assertThat(lines).hasSize(1 + measurements().size());
        assertThat(lines.get(0)).contains("callers", "backend calls", "per 1 000", "p50", "p99", "wrong answers");
        assertThat(lines).allSatisfy(line -> assertThat(line).hasSameSizeAs(lines.get(0)));
    }

    @Test
    void prometheusGetsAHistogramOfTheCallsOfEachRole() throws Exception {
        measurements();
        assertThat(get("/actuator/prometheus").body())
                .containsPattern(
                        "collapse_calls_seconds_bucket\\{name=\"rest-template\",.*role=\"follower\",le=\"[^\"]+\"} ")
                .containsPattern("collapse_calls_seconds_bucket\\{name=\"servlet\",.*role=\"leader\",le=\"[^\"]+\"} ");
    }

    @Test
    void userEndpointAnswers() throws Exception {
        HttpResponse<String> user = get("/user/7");
        assertThat(user.statusCode()).isEqualTo(200);
        assertThat(user.body()).isEqualTo("{\"id\":7,\"name\":\"user 7\"}");
        assertThat(get("/user/1001").statusCode()).isEqualTo(404);
    }

    @Test
    void theBatchEndpointAnswersForUsersThatExist() throws Exception {
        assertThat(get("/users?ids=2,1001,3,2").body())
                .isEqualTo("[{\"id\":2,\"name\":\"user 2\"},{\"id\":3,\"name\":\"user 3\"}]");
    }

    @Test
    void batchExecutorFailsTheCallerOfNobody() {
        RestTemplateBatchGetExecutor batches = application.getBean(RestTemplateBatchGetExecutor.class);
        assertThatThrownBy(() -> batches.execute(1001L)).isInstanceOf(NoSuchElementException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"noop0", "noop1", "noop20", "noop100", "collapse0", "collapse1", "collapse20", "collapse100"})
    void workIsCounted(String endpoint) throws Exception {
        assertThat(get("/test/" + endpoint).body()).isEqualTo("1");
        assertThat(get("/test/" + endpoint).body()).isEqualTo("2");
        assertThat(get("/test/counter").body()).isEqualTo("2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/test/noop5", "/test/collapse10", "/test/collapse", "/nothing"})
    void unknownEndpointIsNotFound(String path) throws Exception {
        assertThat(get(path).statusCode()).isEqualTo(404);
    }

    @ParameterizedTest
    @CsvSource({"GET", "POST"})
    void resetReturnsWhatWasCounted(String method) throws Exception {
        get("/test/noop0");
        assertThat(send(method, "/test/reset").body()).isEqualTo("1");
        assertThat(get("/test/counter").body()).isEqualTo("0");
    }

    @Test
    void concurrentCallersOfTheCollapsingEndpointShareRuns() throws Exception {
        List<CompletableFuture<HttpResponse<String>>> calls =
                Stream.generate(() -> getAsync("/test/collapse100")).limit(50).toList();
        Set<String> runs = new HashSet<>();
        for (CompletableFuture<HttpResponse<String>> call : calls) {
            runs.add(call.get().body());
        }
        assertThat(get("/test/counter").body()).isEqualTo(String.valueOf(runs.size()));
        assertThat(runs.size()).isLessThan(50);
    }

    @Test
    void interceptorIsInTheDocumentedRestTemplateOnly() {
        assertThat(application.getBean("restTemplate", RestTemplate.class).getInterceptors())
                .hasExactlyElementsOfTypes(CollapseHttpRequestInterceptor.class);
        assertThat(application.getBean("plainRestTemplate", RestTemplate.class).getInterceptors())
                .isEmpty();
    }

    @Test
    void portInUseStopsTheStart() {
        String port = application.getEnvironment().getRequiredProperty("local.server.port");
        assertThatThrownBy(() -> SpringApplication.run(SpringBootSampleApplication.class, "--server.port=" + port))
                .rootCause()
                .isInstanceOf(IOException.class);
    }

    private static List<Measurement> measurements() throws Exception {
        return application.getBean(CollapsingDemonstration.class).result().get(4, TimeUnit.MINUTES);
    }

    private static List<Measurement> collapsing(String demonstration) throws Exception {
        return measurements().stream()
                .filter(Measurement::collapsing)
                .filter(measurement -> measurement.demonstration().startsWith(demonstration))
                .toList();
    }

    private static HttpResponse<String> get(String path) throws Exception {
        return send("GET", path);
    }

    private static HttpResponse<String> send(String method, String path) throws Exception {
        return curl.send(request(method, path), BodyHandlers.ofString());
    }

    private static CompletableFuture<HttpResponse<String>> getAsync(String path) {
        return curl.sendAsync(request("GET", path), BodyHandlers.ofString());
    }

    private static HttpRequest request(String method, String path) {
        String port = application.getEnvironment().getRequiredProperty("local.server.port");
        return HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                .method(method, BodyPublishers.noBody())
                .build();
    }
}
