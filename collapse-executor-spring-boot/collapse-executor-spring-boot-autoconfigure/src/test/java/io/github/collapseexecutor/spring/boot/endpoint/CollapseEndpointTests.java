package io.github.collapseexecutor.spring.boot.endpoint;

import static io.github.collapseexecutor.spring.boot.fixture.EndpointApplication.at;
import static io.github.collapseexecutor.spring.boot.fixture.EndpointApplication.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.collapseexecutor.http.DryRun;
import io.github.collapseexecutor.http.fixture.Warnings;
import io.github.collapseexecutor.spring.boot.CollapseControl;
import io.github.collapseexecutor.spring.boot.CollapseExecutorAutoConfiguration;
import io.github.collapseexecutor.spring.boot.fixture.BackendCallers;
import io.github.collapseexecutor.spring.boot.fixture.EndpointApplication;
import io.github.collapseexecutor.spring.boot.registry.ExecutorObserver;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.web.client.ResourceAccessException;
import org.springframework.web.client.RestTemplate;

/** What an engineer on call sees and switches: by the endpoint over HTTP, and by the bean. */
class CollapseEndpointTests {

    @Test
    void itShowsTheSectionItsGroupsAndWhatTheyHaveDone() throws Exception {
        try (EndpointApplication application = new EndpointApplication()) {
            assertThat(application.callsOfThree("/user/secret")).isEqualTo(1);
            String body = application.ask("").body();
            Map<?, ?> section = (Map<?, ?>) at(json(body), "sections", "rest-template");
            assertThat(at(section, "enabled")).isEqualTo(true);
            assertThat(at(section, "paused")).isEqualTo(false);
            assertThat(at(section, "groups", "0", "uris")).asString().isEqualTo("[/user/*]");
            assertThat(at(section, "groups", "1", "policy")).isEqualTo("path-only");
            assertThat(at(section, "settings", "join")).isEqualTo("in-flight");
            assertThat(at(section, "saved")).isEqualTo(2);
            assertThat(at(section, "calls", "leader")).isEqualTo(1);
            assertThat(at(section, "calls", "follower")).isEqualTo(2);
            assertThat(at(section, "batches", "count")).isEqualTo(1);
            assertThat(at(section, "now", "pending")).isEqualTo(0);
            assertThat(at(section, "now", "adapters")).isEqualTo(1);
            assertThat(body).as("H33").doesNotContain("secret").doesNotContain("localhost");
            assertThat(json(application.ask("/rest-template").body())).hasToString(section.toString());
            assertThat(application.ask("/none").statusCode()).isEqualTo(404);
        }
    }

    @Test
    void aGroupNamesTheClientsThatThePropertiesNameForIt() throws Exception {
        try (EndpointApplication application = new EndpointApplication()) {
            Map<?, ?> section = json(application.ask("/rest-template").body());
            assertThat(at(section, "groups", "0", "clients")).isEqualTo(List.of("restTemplate"));
        }
        String groups = "--collapse.executor.rest-template.collapse-groups";
        try (EndpointApplication application = new EndpointApplication(
                "--collapse.executor.rest-template.apply-bean-names=",
                groups + "[0].uris=/one/*",
                groups + "[0].apply-bean-names=restTemplate",
                groups + "[1].uris=/two/*")) {
            Map<?, ?> section = json(application.ask("/rest-template").body());
            assertThat(at(section, "groups", "0", "clients")).isEqualTo(List.of("restTemplate"));
            assertThat(at(section, "groups", "1"))
                    .as("clients that the application gave the adapter have no name here")
                    .asString()
                    .doesNotContain("clients");
        }
    }

    /** Maps whose keys are counted words, classes or bounds, of which an example can have others. */
    private static final Set<String> COUNTED =
            Set.of("calls", "notCollapsed", "notShared", "sizes", "upTo", "failures");

    @Test
    void theAnswerOnThePageHasTheShapeOfARealOne() throws Exception {
        String page = Files.readString(Path.of("../../docs/observability.md"));
        Matcher example = Pattern.compile("(?s)```text\n(\\{.*?)```").matcher(page);
        assertThat(example.find()).isTrue();
        try (EndpointApplication application = new EndpointApplication()) {
            application.callsOfThree("/user/7");
            RestTemplate client = application.context.getBean(RestTemplate.class);
            assertThatThrownBy(() -> client.getForObject("http://localhost:1/user/7", String.class))
                    .isInstanceOf(ResourceAccessException.class);
            Map<?, ?> answer = json(application.ask("/rest-template").body());
            assertThat(shape("", json(example.group(1)))).isEqualTo(shape("", answer));
        }
    }

    /** What each name stands for: a map of shapes, a list of shapes without repetitions, or a kind of value. */
    private static Object shape(String name, Object value) {
        if (value instanceof Map<?, ?> map) {
            Map<String, Object> shapes = new TreeMap<>();
            map.forEach((key, part) -> shapes.put(String.valueOf(key), shape(String.valueOf(key), part)));
            if (COUNTED.contains(name)) {
                return map.isEmpty() ? Set.of("a number") : Set.copyOf(shapes.values());
            }
            return shapes;
        }
        if (value instanceof List<?> list) {
            return list.stream().map(part -> shape(name, part)).distinct().toList();
        }
        return value instanceof Number ? "a number" : value.getClass().getSimpleName();
    }

    @Test
    void itShowsTheSettingsByWhichASectionGathers() throws Exception {
        try (EndpointApplication application = new EndpointApplication(
                "--collapse.executor.executors.rest-template.wait-threshold=7",
                "--collapse.executor.executors.rest-template.collecting-wait-time=5",
                "--collapse.executor.executors.rest-template.max-batch-size=9",
                "--collapse.executor.executors.rest-template.max-batch-weight=1000000",
                "--collapse.executor.executors.rest-template.max-concurrent-batches=3",
                "--collapse.executor.executors.rest-template.max-concurrent-batches-total=11",
                "--collapse.executor.executors.rest-template.max-pending=40",
                "--collapse.executor.executors.rest-template.max-wait-ratio=0.2",
                "--collapse.executor.executors.rest-template.at-most-once=true",
                "--collapse.executor.executors.rest-template.max-join-age=15s",
                "--collapse.executor.executors.rest-template.call-timeout=30s",
                "--collapse.executor.rest-template.max-body-size=1KB",
                "--collapse.executor.rest-template.pass-ttl=25s",
                "--collapse.executor.rest-template.fan-out-limit=5",
                "--collapse.executor.rest-template.follower-timeout=20s",
                "--collapse.executor.rest-template.on-follower-timeout=fail",
                "--collapse.executor.web-client.enabled=false")) {
            Map<?, ?> section = json(application.ask("/rest-template").body());
            assertThat(at(section, "enabled")).isEqualTo(true);
            assertThat(at(section, "settings"))
                    .isEqualTo(Map.ofEntries(
                            Map.entry("join", "in-flight"),
                            Map.entry("maxJoinAge", "PT15S"),
                            Map.entry("waitThreshold", 7),
                            Map.entry("collectingWaitTime", "PT0.005S"),
                            Map.entry("maxBatchSize", 9),
                            Map.entry("maxBatchWeight", 1_000_000),
                            Map.entry("maxConcurrentBatches", 3),
                            Map.entry("maxConcurrentBatchesTotal", 11),
                            Map.entry("maxPending", 40),
                            Map.entry("maxWait", "PT10M"),
                            Map.entry("maxWaitRatio", 0.2),
                            Map.entry("atMostOnce", true),
                            Map.entry("callTimeout", "PT30S"),
                            Map.entry("maxBodySize", 1024),
                            Map.entry("passTtl", "PT25S"),
                            Map.entry("fanOutLimit", 5),
                            Map.entry("onTransportFailure", "re-elect"),
                            Map.entry("onErrorResponse", "share"),
                            Map.entry("followerTimeout", "PT20S"),
                            Map.entry("onFollowerTimeout", "fail")));
            assertThat((int) at(section, "now", "adapters")).isPositive();
            assertThat(at(section, "groups", "0", "shareAcrossUsers")).isEqualTo(false);
            assertThat(at(section, "groups", "2", "shareAcrossUsers")).isEqualTo(true);
            Map<?, ?> off = json(application.ask("/web-client").body());
            assertThat(at(off, "enabled")).isEqualTo(false);
            assertThat(at(off, "now", "adapters")).isEqualTo(0);
            assertThat(List.of(
                            "maxBatchSize",
                            "maxBatchWeight",
                            "maxConcurrentBatches",
                            "maxConcurrentBatchesTotal",
                            "maxPending"))
                    .map(limit -> at(off, "settings", limit))
                    .containsOnly("unlimited");
            assertThat(at(off, "settings", "callTimeout")).isEqualTo("none");
            assertThat(at(off, "settings", "followerTimeout")).isEqualTo("none");
            assertThat(at(off, "settings", "maxJoinAge")).isEqualTo("none");
        }
    }

    @Test
    void itShowsWhatADryRunHasFound_andTheMetersCountIt() throws Exception {
        try (EndpointApplication application = new EndpointApplication(
                        "--collapse.executor.rest-template.dry-run=true",
                        "--collapse.executor.executors.rest-template.max-pending=3");
                Warnings warnings = new Warnings(DryRun.class)) {
            BackendCallers callers = new BackendCallers(application.backend);
            callers.add(4, () -> application.get("/user/secret"));
            assertThat(callers.answersOnceAllHaveArrived()).hasSize(4);
            application.askAsAPair("/catalogue/hello?as=Ada", "/catalogue/hello?as=Grace");
            application.askAsAPair("/catalogue/changing", "/catalogue/changing");
            application.askAsAPair("/catalogue/cookie", "/catalogue/cookie");
            String body = application.ask("").body();
            Object groups = at(json(body), "sections", "rest-template", "groups");
            assertThat(at(Map.of("groups", groups), "groups", "0", "dryRun"))
                    .isEqualTo(Map.ofEntries(
                            Map.entry("requests", 4),
                            Map.entry("shared", 2),
                            Map.entry("notShared", Map.of()),
                            Map.entry("refused", 1),
                            Map.entry("compared", 2),
                            Map.entry("different", 0),
                            Map.entry("unexplained", 0),
                            Map.entry("parts", Map.of()),
                            Map.entry("explanations", List.of())));
            assertThat(at(Map.of("groups", groups), "groups", "2", "dryRun"))
                    .isEqualTo(Map.ofEntries(
                            Map.entry("requests", 6),
                            Map.entry("shared", 2),
                            Map.entry("notShared", Map.of("set-cookie", 1)),
                            Map.entry("refused", 0),
                            Map.entry("compared", 2),
                            Map.entry("different", 2),
                            Map.entry("unexplained", 1),
                            Map.entry("parts", Map.of("body", 2)),
                            Map.entry("explanations", List.of(Map.of("name", "query as", "different", 1, "same", 0)))));
            assertThat(body).as("H33").doesNotContain("secret", "localhost", "Ada", "Grace");
            assertThat(warnings.messages())
                    .singleElement()
                    .asString()
                    .startsWith("Dry run of collapse.executor.rest-template.collapse-groups[2] [/catalogue/*]: 1 of ")
                    .doesNotContain("Ada", "Grace");
            assertThat(dryRunMeters(application, "[/user/*]")).containsExactly(4, 2, 2, 0);
            assertThat(dryRunMeters(application, "[/catalogue/*]")).containsExactly(6, 2, 2, 2);
            assertThat(application
                            .context
                            .getBean(MeterRegistry.class)
                            .get("collapse.not.collapsed")
                            .tag("reason", "dry-run")
                            .counter()
                            .count())
                    .isEqualTo(10);
        }
    }

    private static List<Integer> dryRunMeters(EndpointApplication application, String group) {
        MeterRegistry registry = application.context.getBean(MeterRegistry.class);
        return Stream.of("requests", "shared", "compared", "different")
                .map(found -> (int) registry.get("collapse.dry.run." + found)
                        .tag("name", "rest-template")
                        .tag("group", group)
                        .functionCounter()
                        .count())
                .toList();
    }

    @Test
    void failuresAreShownByTheirTypeOnly() throws Exception {
        try (EndpointApplication application = new EndpointApplication()) {
            RestTemplate client = application.context.getBean(RestTemplate.class);
            assertThat(org.assertj.core.api.Assertions.catchThrowable(
                            () -> client.getForObject("http://localhost:1/user/secret", String.class)))
                    .isNotNull();
            String body = application.ask("/rest-template").body();
            assertThat(at(json(body), "failures", "java.net.ConnectException", "count"))
                    .isEqualTo(1);
            assertThat(body).doesNotContain("secret");
        }
    }

    @Test
    void nothingIsSwitchedUnlessThatIsAllowed() throws Exception {
        try (EndpointApplication application = new EndpointApplication()) {
            assertThat(application.post("/rest-template", "pause")).isEqualTo(405);
            assertThat(application.post("/rest-template/0", "pause")).isEqualTo(404);
            assertThat(application.control().isPaused("rest-template", 0)).isFalse();
        }
    }

    @Test
    void aPausedSectionPassesEveryRequestAtOnceUntilItIsResumed() throws Exception {
        try (EndpointApplication application =
                new EndpointApplication("--management.endpoint.collapse.access=unrestricted")) {
            application.backend.release();
            HttpResponse<String> paused = application.change("/rest-template", "pause");
            assertThat(paused.statusCode()).isEqualTo(200);
            assertThat(at(json(paused.body()), "paused"))
                    .as("the report of this section, and of no other")
                    .isEqualTo(true);
            assertThat(json(paused.body()).keySet())
                    .isEqualTo(json(application.ask("/rest-template").body()).keySet());
            assertThat(application.callsOfThree("/user/1")).isEqualTo(3);
            assertThat(application.callsOfThree("/article/1")).isEqualTo(3);
            Map<?, ?> section = json(application.ask("/rest-template").body());
            assertThat(at(section, "paused")).isEqualTo(true);
            assertThat(at(section, "notCollapsed", "paused")).isEqualTo(6);
            assertThat(application.post("/rest-template", "resume")).isEqualTo(200);
            assertThat(application.control().isPaused("rest-template", 0)).isFalse();
        }
    }

    @Test
    void aPausedGroupPassesItsRequestsAndTheOthersCollapse() throws Exception {
        try (EndpointApplication application =
                new EndpointApplication("--management.endpoint.collapse.access=unrestricted")) {
            HttpResponse<String> paused = application.change("/rest-template/1", "pause");
            assertThat(paused.statusCode()).isEqualTo(200);
            Map<?, ?> section = json(paused.body());
            assertThat(at(section, "paused")).isEqualTo(false);
            assertThat(at(section, "groups", "0", "paused")).isEqualTo(false);
            assertThat(at(section, "groups", "1", "paused")).isEqualTo(true);
            assertThat(application.control().isPaused("rest-template", 1)).isTrue();
            BackendCallers callers = new BackendCallers(application.backend);
            callers.add(3, () -> application.get("/article/1"));
            callers.add(3, () -> application.get("/user/1"));
            callers.answersOnceAllHaveArrived();
            assertThat(application.backend.calls())
                    .containsExactlyInAnyOrder(
                            "article 1 for anybody",
                            "article 1 for anybody",
                            "article 1 for anybody",
                            "user 1 for anybody");
            assertThat(application.post("/rest-template/1", "resume")).isEqualTo(200);
            assertThat(application.control().isPaused("rest-template", 1)).isFalse();
        }
    }

    @Test
    void anUnknownNameIsABadRequestThatListsTheKnownOnes() throws Exception {
        try (EndpointApplication application =
                new EndpointApplication("--management.endpoint.collapse.access=unrestricted")) {
            assertThat(refusal(application, "/none", "pause"))
                    .startsWith("There is no section none: name one of ")
                    .contains("rest-template");
            assertThat(refusal(application, "/rest-template", "stop"))
                    .isEqualTo("There is no action stop: there are pause, resume and, of a section, forget");
            assertThat(refusal(application, "/rest-template/3", "pause"))
                    .isEqualTo("Section rest-template has no group 3: name one from 0 to 2, its place under"
                            + " collapse-groups");
            assertThat(refusal(application, "/rest-template/-1", "pause")).contains(" has no group -1: ");
            assertThat(refusal(application, "/rest-template/0", "forget")).startsWith("There is no action forget: ");
            assertThat(application.control().isPaused("rest-template")).isFalse();
        }
    }

    private static String refusal(EndpointApplication application, String path, String action) throws Exception {
        HttpResponse<String> refused = application.change(path, action);
        assertThat(refused.statusCode()).isEqualTo(400);
        return String.valueOf(json(refused.body()).get("message"));
    }

    @Test
    void theControlNamesWhatThereIs() {
        runner().run(context -> {
            CollapseControl control = context.getBean(CollapseControl.class);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> control.pause("rest-client"))
                    .withMessageContaining("rest-client")
                    .withMessageContaining("rest-template");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> control.pause("rest-template", 1))
                    .withMessage("Section rest-template has no group 1: name one from 0 to 0, its place under"
                            + " collapse-groups");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> control.pause("web-client", 0))
                    .withMessageContaining("it has no groups");
        });
    }

    @Test
    void withoutTheActuatorThereIsTheControlOnly() {
        runner().withClassLoader(new FilteredClassLoader("org.springframework.boot.actuate"))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(CollapseControl.class)
                        .doesNotHaveBean(CollapseEndpoint.class)
                        .doesNotHaveBean(ExecutorObserver.class));
    }

    @Test
    void anEndpointThatIsNotExposedKeepsNoStatistics() {
        runner().run(context -> assertThat(context)
                .hasNotFailed()
                .doesNotHaveBean(CollapseEndpoint.class)
                .doesNotHaveBean(ExecutorObserver.class));
    }

    private static ApplicationContextRunner runner() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        CollapseExecutorAutoConfiguration.class, CollapseEndpointAutoConfiguration.class))
                .withPropertyValues("collapse.executor.rest-template.collapse-groups[0].uris=/user/*");
    }
}
