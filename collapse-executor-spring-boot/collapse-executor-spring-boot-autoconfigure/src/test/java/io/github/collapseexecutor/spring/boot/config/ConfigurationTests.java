package io.github.collapseexecutor.spring.boot.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.JoinMode;
import io.github.collapseexecutor.gate.OnEachLine;
import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.LeaderFailurePolicy;
import io.github.collapseexecutor.spring.boot.fixture.TestApplication;
import java.time.Duration;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** What the YAML means. */
@OnEachLine
class ConfigurationTests {

    @Test
    void theDocumentedYamlMeansWhatItsCommentsSay() {
        try (ConfigurableApplicationContext context = new TestApplication().startFrom("classpath:documented.yaml")) {
            CollapseExecutorProperties properties = context.getBean(CollapseExecutorProperties.class);
            CollapseOptions core = OptionsReader.coreOptions("rest-template", properties);
            assertThat(core.waitThreshold()).isEqualTo(10);
            assertThat(core.collectingWaitTime()).isZero();

            HttpCollapseOptions http =
                    OptionsReader.httpOptions(OptionsReader.REST_TEMPLATE, properties.restTemplate(), more -> {});
            assertThat(http.rules()).hasSize(2);
            CollapseRule first = http.rules().get(0);
            assertThat(first.policy()).isSameAs(CollapsePolicy.strict());
            assertThat(first.patterns()).map(Object::toString).containsExactly("/user/*", "/test/noop*");
            CollapseRule second = http.rules().get(1);
            assertThat(second.policy().name()).isEqualTo("sample-policy1");
            assertThat(second.policy().requestHeaders()).containsExactly("authorization");
            assertThat(second.policy().requestQueries()).containsExactly("sample");
            assertThat(second.patterns()).map(Object::toString).containsExactly("/samples/*");
        }
    }

    @Test
    void everySettingReachesItsOption() {
        CollapseExecutorProperties properties = propertiesOf(
                "wait-threshold=3",
                "collecting-wait-time=5",
                "max-batch-size=100",
                "max-concurrent-batches=2",
                "max-concurrent-batches-total=12",
                "max-pending=5000",
                "max-wait=250",
                "max-wait-ratio=0.2",
                "call-timeout=3s",
                "join=in-flight",
                "max-join-age=4s",
                "rest-template.max-body-size=512KB",
                "rest-template.ignored-request-headers=X-Trace,X-Span-*",
                "rest-template.credential-headers=X-Badge,X-Acme-*",
                "rest-template.on-leader-failure=re-elect",
                "rest-template.collapse-policies.public.share-across-users=true",
                "rest-template.collapse-policies.public.strip-set-cookie=true",
                "rest-template.collapse-groups[0].collapse-policy-name=public",
                "rest-template.collapse-groups[0].uris=/news/**,regex:/a+",
                "rest-template.collapse-groups[1].collapse-policy-name=path-only",
                "rest-template.collapse-groups[1].patterns=/static/*");

        CollapseOptions core = OptionsReader.coreOptions("rest-template", properties);
        assertThat(core.name()).isEqualTo("rest-template");
        assertThat(core.waitThreshold()).isEqualTo(3);
        assertThat(core.collectingWaitTime()).isEqualTo(Duration.ofMillis(5));
        assertThat(core.maxBatchSize()).isEqualTo(100);
        assertThat(core.maxConcurrentBatches()).isEqualTo(2);
        assertThat(core.maxConcurrentBatchesTotal()).isEqualTo(12);
        assertThat(core.maxPending()).isEqualTo(5000);
        assertThat(core.maxWait()).isEqualTo(Duration.ofMillis(250));
        assertThat(core.maxWaitRatio()).isEqualTo(0.2);
        assertThat(core.callTimeout()).isEqualTo(Duration.ofSeconds(3));
        assertThat(core.joinMode()).isEqualTo(JoinMode.IN_FLIGHT);
        assertThat(core.maxJoinAge()).isEqualTo(Duration.ofSeconds(4));

        HttpCollapseOptions http =
                OptionsReader.httpOptions(OptionsReader.REST_TEMPLATE, properties.restTemplate(), more -> {});
        assertThat(http.maxBodySize()).isEqualTo(512 * 1024);
        assertThat(http.ignoredRequestHeaders()).containsExactlyInAnyOrder("x-trace", "x-span-*");
        assertThat(http.credentialHeaders()).containsExactlyInAnyOrder("x-badge", "x-acme-*");
        assertThat(http.onLeaderFailure()).isEqualTo(LeaderFailurePolicy.RE_ELECT);
        CollapseRule shared = http.rules().get(0);
        assertThat(shared.policy().shareAcrossUsers()).isTrue();
        assertThat(shared.policy().stripSetCookie()).isTrue();
        assertThat(shared.patterns()).map(Object::toString).containsExactly("/news/**", "regex:/a+");
        assertThat(http.rules().get(1).policy()).isSameAs(CollapsePolicy.pathOnly());
        assertThat(http.rules().get(1).patterns()).map(Object::toString).containsExactly("/static/*");
    }

    @Test
    void everySettingOfWebClientReachesItsOption() {
        CollapseExecutorProperties properties = propertiesOf(
                "web-client.max-body-size=512KB",
                "web-client.ignored-request-headers=X-Trace",
                "web-client.credential-headers=X-Badge",
                "web-client.on-leader-failure=fan-out",
                "web-client.fan-out-limit=7",
                "web-client.pass-ttl=30s",
                "web-client.follower-timeout=1500",
                "web-client.on-follower-timeout=fail",
                "web-client.cache-status=shop",
                "web-client.collapse-policies.own.collapse-request-queries=page",
                "web-client.collapse-groups[0].collapse-policy-name=own",
                "web-client.collapse-groups[0].uris=/news/**");
        assertThat(OptionsReader.coreOptions("web-client", properties).name()).isEqualTo("web-client");
        assertThat(OptionsReader.httpOptions(OptionsReader.WEB_CLIENT, properties.webClient(), more -> {}))
                .hasToString(
                        "HttpCollapseOptions[rules=[CollapseRule[own, [/news/**]]], ignoredRequestHeaders=[x-trace],"
                                + " credentialHeaders=[x-badge], maxBodySize=524288, onLeaderFailure=FAN_OUT, fanOutLimit=7, passTtl=PT30S,"
                                + " followerTimeout=PT1.5S, onFollowerTimeout=FAIL, cacheStatus=shop]");
    }

    @Test
    void aPolicyOfTheServerMayBeStrictAndKeepClientAddressesApart() {
        CollapseExecutorProperties properties = propertiesOf(
                "servlet.credential-headers=X-Badge",
                "servlet.collapse-policies.by-address.strict=true",
                "servlet.collapse-policies.by-address.collapse-client-address=true",
                "servlet.collapse-groups[0].collapse-policy-name=by-address",
                "servlet.collapse-groups[0].uris=/a");
        HttpCollapseOptions http = OptionsReader.httpOptions(OptionsReader.SERVLET, properties.servlet(), more -> {});
        assertThat(http.isCredential("X-Badge")).isTrue();
        CollapsePolicy policy = http.rules().get(0).policy();
        assertThat(policy.everyHeader()).isTrue();
        assertThat(policy.wholeQuery()).isTrue();
        assertThat(policy.clientAddress()).isTrue();
    }

    @Test
    void nothingConfiguredKeepsEveryDefault() {
        CollapseExecutorProperties properties = propertiesOf();
        assertThat(properties.collapses(properties.restTemplate())).isTrue();
        assertThat(properties.collapses(properties.webClient())).isTrue();
        assertThat(OptionsReader.coreOptions("rest-template", properties))
                .usingRecursiveComparison()
                .isEqualTo(CollapseOptions.builder().name("rest-template").build());
        assertThat(OptionsReader.httpOptions(OptionsReader.REST_TEMPLATE, properties.restTemplate(), more -> {}))
                .usingRecursiveComparison()
                .isEqualTo(HttpCollapseOptions.builder().build());
    }

    @ParameterizedTest
    @CsvSource({"-1, -1", "0, 0", "7, 7", "7ms, 7", "1s, 1000", "PT0.25S, 250"})
    void collectingWaitTimeIsInMilliseconds(String typed, long milliseconds) {
        assertThat(OptionsReader.coreOptions("rest-template", propertiesOf("collecting-wait-time=" + typed))
                        .collectingWaitTime())
                .isEqualTo(Duration.ofMillis(milliseconds));
    }

    @ParameterizedTest
    @CsvSource({"fresh, FRESH", "in-flight, IN_FLIGHT", "IN_FLIGHT, IN_FLIGHT", "inFlight, IN_FLIGHT"})
    void joinIsReadLeniently(String typed, JoinMode mode) {
        assertThat(propertiesOf("join=" + typed).join()).isEqualTo(mode);
    }

    @ParameterizedTest
    @CsvSource({
        "enabled=false, false, false",
        "enabled=no, false, false",
        "rest-template.enabled=off, false, true",
        "web-client.enabled=off, true, false"
    })
    void eitherSwitchTurnsCollapsingOff(String property, boolean restTemplate, boolean webClient) {
        CollapseExecutorProperties properties = propertiesOf(property);
        assertThat(properties.collapses(properties.restTemplate())).isEqualTo(restTemplate);
        assertThat(properties.collapses(properties.webClient())).isEqualTo(webClient);
    }

    @Test
    void environmentVariablesBindAndOnesThatOnlyLookAlikeDoNoHarm() {
        Map<String, Object> variables = Map.of(
                "COLLAPSE_EXECUTOR_WAITTHRESHOLD", "4",
                "COLLAPSE_EXECUTOR_RESTTEMPLATE_COLLAPSEGROUPS_0_URIS_0", "/user/*",
                "COLLAPSE_EXECUTOR_SERVICE_HOST", "10.0.0.1",
                "COLLAPSE_EXECUTOR_PORT_80_TCP_ADDR", "10.0.0.1");
        new ApplicationContextRunner()
                .withUserConfiguration(PropertiesOnly.class)
                .withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .replace(
                                "systemEnvironment",
                                new SystemEnvironmentPropertySource("systemEnvironment", variables)))
                .run(context -> {
                    CollapseExecutorProperties properties = context.getBean(CollapseExecutorProperties.class);
                    assertThat(properties.waitThreshold()).isEqualTo(4);
                    assertThat(properties.restTemplate().collapseGroups())
                            .singleElement()
                            .extracting(CollapseExecutorProperties.Group::uris)
                            .asInstanceOf(InstanceOfAssertFactories.LIST)
                            .containsExactly("/user/*");
                });
    }

    @Test
    void everySettingOfANamedExecutorReachesItsOption() {
        CollapseOptions.Builder expected = CollapseOptions.builder()
                .waitThreshold(3)
                .collectingWaitTime(Duration.ofMillis(5))
                .maxBatchSize(20)
                .maxBatchWeight(5_000_000_000L)
                .maxConcurrentBatches(4)
                .maxConcurrentBatchesTotal(6)
                .maxPending(500)
                .maxWait(Duration.ofSeconds(2))
                .maxWaitRatio(0.5)
                .callTimeout(Duration.ofSeconds(30))
                .joinMode(JoinMode.IN_FLIGHT)
                .maxJoinAge(Duration.ofMillis(1500))
                .atMostOnce(true);
        CollapseExecutorProperties properties = propertiesOf(
                "executors.users.wait-threshold=3",
                "executors.users.collecting-wait-time=5",
                "executors.users.max-batch-size=20",
                "executors.users.max-batch-weight=5000000000",
                "executors.users.max-concurrent-batches=4",
                "executors.users.max-concurrent-batches-total=6",
                "executors.users.max-pending=500",
                "executors.users.max-wait=2s",
                "executors.users.max-wait-ratio=0.5",
                "executors.users.call-timeout=30s",
                "executors.users.join=in-flight",
                "executors.users.max-join-age=1500",
                "executors.users.at-most-once=true");
        assertThat(OptionsReader.coreOptions("users", properties))
                .usingRecursiveComparison()
                .isEqualTo(expected.name("users").build());
        assertThat(OptionsReader.coreOptions("others", properties))
                .usingRecursiveComparison()
                .isEqualTo(CollapseOptions.builder().name("others").build());
    }

    private static CollapseExecutorProperties propertiesOf(String... settings) {
        CollapseExecutorProperties[] bound = new CollapseExecutorProperties[1];
        ApplicationContextRunner runner = new ApplicationContextRunner().withUserConfiguration(PropertiesOnly.class);
        for (String setting : settings) {
            runner = runner.withPropertyValues("collapse.executor." + setting);
        }
        runner.run(context -> bound[0] = context.getBean(CollapseExecutorProperties.class));
        return bound[0];
    }

    @Configuration(proxyBeanMethods = false)
    @EnableConfigurationProperties(CollapseExecutorProperties.class)
    static class PropertiesOnly {}

    @ParameterizedTest
    @ValueSource(strings = {"rest-template", "web-client", "servlet", "webflux"})
    void theJoinOfASectionGoesBeforeThoseOfItsExecutorAndOfAll(String section) {
        for (JoinMode mode : JoinMode.values()) {
            JoinMode other = mode == JoinMode.FRESH ? JoinMode.IN_FLIGHT : JoinMode.FRESH;
            CollapseExecutorProperties properties =
                    propertiesOf("join=" + other, "executors." + section + ".join=" + other, section + ".join=" + mode);
            assertThat(OptionsReader.coreOptions(section, properties).joinMode())
                    .isEqualTo(mode);
            assertThat(OptionsReader.coreOptions("another", properties).joinMode())
                    .isEqualTo(other);
        }
    }
}
