package io.github.collapseexecutor.spring.boot.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.cluster.ClusterOptions;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.core.io.ClassPathResource;
import org.springframework.util.unit.DataSize;

/** What an editor shows while the YAML is written. */
class MetadataTests {

    private final Map<String, Map<?, ?>> properties = properties();

    @Test
    void everyPropertyIsListedAndDescribed() {
        Map<String, RecordComponent> expected = new LinkedHashMap<>();
        collect("collapse.executor", CollapseExecutorProperties.class, expected);
        // only a server has requests from several addresses
        expected.remove("collapse.executor.rest-template.collapse-policies.*.collapse-client-address");
        expected.remove("collapse.executor.rest-client.collapse-policies.*.collapse-client-address");
        expected.remove("collapse.executor.web-client.collapse-policies.*.collapse-client-address");
        // only clients share with other instances
        expected.remove("collapse.executor.servlet.collapse-groups[].cluster");
        expected.remove("collapse.executor.webflux.collapse-groups[].cluster");
        for (String server : List.of("servlet", "webflux")) { // which has no clients
            expected.remove("collapse.executor." + server + ".collapse-groups[].apply-bean-names");
            expected.remove("collapse.executor." + server + ".collapse-groups[].apply-http-service-groups");
        }
        assertThat(properties.keySet().stream().filter(name -> !name.startsWith("management.")))
                .containsExactlyInAnyOrderElementsOf(expected.keySet());
        assertThat(properties)
                .allSatisfy((name, property) -> assertThat(String.valueOf(property.get("description")))
                        .as(name)
                        .matches("[A-Z].*\\."));
        assertThat(properties.get("collapse.executor.max-wait"))
                .extracting("description")
                .asString()
                .startsWith("Longest");
    }

    @Test
    void theEndpointMayOnlyBeReadByDefault() {
        assertThat(properties.get("management.endpoint.collapse.access"))
                .extracting("defaultValue")
                .isEqualTo("read_only");
    }

    @Test
    void thePageIsOffByDefault() {
        assertThat(properties.get("management.endpoint.collapsepage.access"))
                .extracting("defaultValue")
                .isEqualTo("none");
    }

    @Test
    void theBuiltInPoliciesAreOfferedForTheNameOfAPolicy() {
        for (String section : List.of("rest-template", "web-client", "servlet", "webflux")) {
            String name = "collapse.executor." + section + ".collapse-groups[].collapse-policy-name";
            Map<?, ?> hint = listed("hints").stream()
                    .filter(candidate -> name.equals(candidate.get("name")))
                    .findFirst()
                    .orElseThrow();
            assertThat((List<?>) hint.get("values"))
                    .extracting(value -> String.valueOf(((Map<?, ?>) value).get("value")))
                    .containsExactly(
                            CollapsePolicy.strict().name(),
                            CollapsePolicy.pathOnly().name());
            assertThat(String.valueOf(hint.get("providers"))).contains("any"); // and those of the application's own
        }
    }

    @Test
    void theListedDefaultsAreThoseOfTheOptions() {
        CollapseOptions core = CollapseOptions.defaults();
        assertThat(defaultOf("wait-threshold")).isEqualTo(String.valueOf(core.waitThreshold()));
        assertThat(DurationStyle.detectAndParse(defaultOf("collecting-wait-time")))
                .isEqualTo(core.collectingWaitTime());
        assertThat(DurationStyle.detectAndParse(defaultOf("max-wait"))).isEqualTo(core.maxWait());
        assertThat(defaultOf("max-wait-ratio")).isEqualTo(String.valueOf(core.maxWaitRatio()));
        assertThat(defaultOf("join")).isEqualTo(core.joinMode().name().toLowerCase(Locale.ROOT));
        HttpCollapseOptions http = HttpCollapseOptions.builder().build();
        for (String section : List.of("rest-template.", "web-client.")) {
            assertThat(DataSize.parse(defaultOf(section + "max-body-size")).toBytes())
                    .isEqualTo(http.maxBodySize());
            assertThat(DurationStyle.detectAndParse(defaultOf(section + "pass-ttl")))
                    .isEqualTo(http.passTtl());
            assertThat(defaultOf(section + "fan-out-limit")).isEqualTo(String.valueOf(http.fanOutLimit()));
            assertThat(defaultOf(section + "on-follower-timeout"))
                    .isEqualTo(http.onFollowerTimeout()
                            .name()
                            .toLowerCase(Locale.ROOT)
                            .replace('_', '-'));
        }
    }

    @Test
    void theListedDefaultsOfTheClusterAreThoseOfItsOptions() {
        ClusterOptions cluster = ClusterOptions.builder("a secret of the tests".getBytes(StandardCharsets.UTF_8))
                .build();
        assertThat(defaultOf("cluster.enabled")).isEqualTo("true");
        assertThat(DurationStyle.detectAndParse(defaultOf("cluster.max-delay"))).isEqualTo(cluster.maxDelay());
        assertThat(DurationStyle.detectAndParse(defaultOf("cluster.lease"))).isEqualTo(cluster.lease());
        assertThat(DurationStyle.detectAndParse(defaultOf("cluster.max-wait"))).isEqualTo(cluster.maxWait());
        assertThat(defaultOf("cluster.max-wait-ratio")).isEqualTo(String.valueOf(cluster.maxWaitRatio()));
        assertThat(defaultOf("cluster.join"))
                .isEqualTo(cluster.joinMode().name().toLowerCase(Locale.ROOT));
        assertThat(DataSize.parse(defaultOf("cluster.max-result-size")).toBytes())
                .isEqualTo(cluster.maxResultSize());
    }

    private String defaultOf(String key) {
        return String.valueOf(Objects.requireNonNull(properties.get("collapse.executor." + key))
                .get("defaultValue"));
    }

    private static void collect(String prefix, Class<?> section, Map<String, RecordComponent> found) {
        for (RecordComponent component : section.getRecordComponents()) {
            String name = prefix + "."
                    + component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
            if (component.getType().isRecord()) {
                collect(name, component.getType(), found);
                continue;
            }
            found.put(name, component);
            if (component.getGenericType() instanceof ParameterizedType collection) {
                Type[] arguments = collection.getActualTypeArguments();
                if (arguments[arguments.length - 1] instanceof Class<?> element && element.isRecord()) {
                    collect(name + (arguments.length > 1 ? ".*" : "[]"), element, found);
                }
            }
        }
    }

    static Map<String, Map<?, ?>> properties() {
        Map<String, Map<?, ?>> byName = new LinkedHashMap<>();
        listed("properties").forEach(property -> byName.put(String.valueOf(property.get("name")), property));
        return byName;
    }

    private static List<Map<?, ?>> listed(String section) {
        try {
            String json = new String(
                    new ClassPathResource(
                                    "META-INF/spring-configuration-metadata.json",
                                    CollapseExecutorProperties.class.getClassLoader())
                            .getInputStream()
                            .readAllBytes(),
                    java.nio.charset.StandardCharsets.UTF_8);
            List<Map<?, ?>> listed = new ArrayList<>();
            List<?> all = (List<?>) Objects.requireNonNull(
                    JsonParserFactory.getJsonParser().parseMap(json).get(section));
            all.forEach(entry -> listed.add((Map<?, ?>) entry));
            return listed;
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
