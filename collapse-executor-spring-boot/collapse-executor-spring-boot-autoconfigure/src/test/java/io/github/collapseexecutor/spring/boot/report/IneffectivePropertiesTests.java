package io.github.collapseexecutor.spring.boot.report;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.github.collapseexecutor.core.BlockingCallableGroupCollapseExecutor;
import io.github.collapseexecutor.spring.annotation.Collapsible;
import io.github.collapseexecutor.spring.boot.CollapseAnnotationsAutoConfiguration;
import io.github.collapseexecutor.spring.boot.CollapseClusterAutoConfiguration;
import io.github.collapseexecutor.spring.boot.CollapseExecutorAutoConfiguration;
import io.github.collapseexecutor.spring.boot.NamedExecutors;
import io.github.collapseexecutor.spring.boot.config.CollapseExecutorProperties;
import io.github.collapseexecutor.spring.boot.fixture.TestApplication;
import io.github.collapseexecutor.spring.boot.writes.CollapseWritesAutoConfiguration;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ClassPathResource;

/** A property that can have no effect is named in the log or in the failure, whichever property it is. */
@ExtendWith(OutputCaptureExtension.class)
class IneffectivePropertiesTests {

    private static final String PREFIX = CollapseExecutorProperties.PREFIX + ".";

    /** Values of those types whose constants differ from property to property, none of them the default. */
    private static final Map<String, String> WORDS = Map.of(
            "join", "in-flight",
            "in-transaction", "refuse",
            "on-leader-failure", "share",
            "on-follower-timeout", "fail",
            "waiting", "block",
            "secret", "a-secret-of-the-tests",
            "other-secrets", "another-secret-of-the-tests");

    /** Other tests of the build set the levels as they need them. */
    @BeforeEach
    void logTheStartReport() {
        LoggingSystem.get(getClass().getClassLoader()).setLogLevel(StartReport.class.getPackageName(), LogLevel.INFO);
    }

    /** Every property with a single value or a list of them, from the metadata, with a value. */
    static Map<String, String> every() {
        Map<String, String> values = new LinkedHashMap<>();
        for (Object listed : (List<?>) requireNonNull(metadata().get("properties"))) {
            Map<?, ?> property = (Map<?, ?>) listed;
            String name = String.valueOf(property.get("name"));
            String type = String.valueOf(property.get("type"));
            if (name.startsWith(PREFIX) && !type.startsWith("java.util.Map") && !type.contains("$Group")) {
                String written = name.replace(".*.", ".some.").replace("[]", "[0]");
                values.put(
                        type.startsWith("java.util.List") ? written + "[0]" : written,
                        value(name, type, property.get("defaultValue")));
            }
        }
        return values;
    }

    private static Map<String, Object> metadata() {
        try (var in = new ClassPathResource(
                        "META-INF/spring-configuration-metadata.json",
                        CollapseExecutorProperties.class.getClassLoader())
                .getInputStream()) {
            return JsonParserFactory.getJsonParser().parseMap(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static String value(String name, String type, Object byDefault) {
        String key = name.substring(name.lastIndexOf('.') + 1);
        if (WORDS.containsKey(key)) {
            return WORDS.get(key);
        }
        return switch (type) {
            case "java.lang.Boolean" -> String.valueOf(!Boolean.TRUE.equals(byDefault));
            case "java.lang.Integer", "java.lang.Long" -> "7";
            case "java.lang.Double" -> "0.3";
            case "java.time.Duration" -> "300ms";
            case "org.springframework.util.unit.DataSize" -> "64KB";
            case "java.lang.String", "java.util.List<java.lang.String>" -> "some";
            default -> throw new IllegalStateException(name + " has the type " + type + ": add a value of it to WORDS");
        };
    }

    /** An application without a client, a server, a database, Redis, or an annotated method. */
    private static ApplicationContextRunner application() {
        return new ApplicationContextRunner()
                .withPropertyValues("spring.application.name=some")
                .withConfiguration(AutoConfigurations.of(
                        CollapseExecutorAutoConfiguration.class,
                        CollapseWritesAutoConfiguration.class,
                        CollapseAnnotationsAutoConfiguration.class,
                        CollapseClusterAutoConfiguration.class));
    }

    private static boolean run(ApplicationContextRunner application, List<String> properties) {
        AtomicBoolean started = new AtomicBoolean(true);
        application.withPropertyValues(properties.toArray(String[]::new)).run(context -> {
            Throwable failure = context.getStartupFailure();
            if (failure != null) { // whose causes name the property, as the log does
                started.set(false);
                failure.printStackTrace(System.out);
            }
        });
        return started.get();
    }

    /** A group needs a pattern, or the start fails for want of it. */
    private static List<String> withPattern(String property) {
        int group = property.indexOf("collapse-groups[0]");
        List<String> properties = new ArrayList<>(List.of(property + "=" + every().get(property)));
        if (group > 0 && !property.contains(".uris[") && !property.contains(".patterns[")) {
            properties.add(property.substring(0, group) + "collapse-groups[0].uris=/user/*");
        }
        return properties;
    }

    /** The property without the place in its list; of a group, its section, and of an executor or writer, its name. */
    private static String named(String property) {
        return property.replaceAll("\\[0]$", "")
                .replaceAll("\\.collapse-groups\\[.*$", "")
                .replaceAll("\\.(executors|writers)\\.some\\..*$", ".$1.some");
    }

    /**
     * One property of each section at a time, since sections do not look at one another; each by itself where one of them stops the start.
     */
    @Test
    void whereNothingUsesAPropertyItIsNamedWithTheRemedy(CapturedOutput output) {
        Map<String, List<String>> bySection = every().keySet().stream()
                .collect(Collectors.groupingBy(
                        name -> name.replaceFirst("^collapse\\.executor\\.(([a-z-]+)\\.)?.*$", "$2")
                                .replace("rest-client", "rest-template"))); // two names of one section
        List<String> silent = new ArrayList<>();
        // the switch has a test of its own; what stands for all executors has an effect where another section has
        // groups
        requireNonNull(bySection.remove("")).stream()
                .filter(property -> !property.equals(PREFIX + "enabled"))
                .forEach(property -> starts(List.of(property), output, silent));
        while (bySection.values().stream().anyMatch(names -> !names.isEmpty())) {
            List<String> together = new ArrayList<>();
            for (List<String> names : bySection.values()) {
                if (!names.isEmpty()) {
                    together.add(names.remove(0));
                }
            }
            if (!starts(together, output, silent)) {
                together.forEach(property -> starts(List.of(property), output, silent));
            }
        }
        assertThat(silent).as(output.getAll()).isEmpty();
    }

    /** Whether the application starts, or has one property only; adds those that nobody is told of. */
    private static boolean starts(List<String> properties, CapturedOutput output, List<String> silent) {
        int before = output.getAll().length();
        List<String> all =
                properties.stream().flatMap(name -> withPattern(name).stream()).toList();
        boolean started = run(application(), all);
        if (started || properties.size() == 1) {
            String said = output.getAll().substring(before);
            properties.stream().filter(name -> !said.contains(named(name))).forEach(silent::add);
        }
        return started;
    }

    @Test
    void whereTheMainSwitchIsOffOneLineSaysThatNothingElseHasAnEffect(CapturedOutput output) {
        List<String> properties = new ArrayList<>();
        every().forEach((name, value) -> {
            if (!name.contains(".patterns[") && !name.contains(".cluster.") && !name.contains(".rest-client.")) {
                properties.add(name + "=" + value);
            }
        });
        properties.add(PREFIX + "enabled=false");
        run(application(), properties);
        assertThat(output.getAll())
                .containsOnlyOnce("collapse.executor.enabled is false: nothing collapses, and no other property below"
                        + " collapse.executor has an effect. Remove it, or set it to true, to collapse again.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"rest-template", "rest-client", "web-client", "servlet", "webflux", "annotations", "cluster"})
    void whereTheSwitchOfASectionIsOffOneLineSaysThatItsPropertiesHaveNoEffect(String section, CapturedOutput output) {
        List<String> properties = new ArrayList<>();
        every().forEach((name, value) -> {
            if (name.startsWith(PREFIX + section + ".") && !name.contains(".patterns[")) {
                properties.add(name + "=" + value);
            }
        });
        properties.add(PREFIX + section + ".enabled=false");
        run(application(), properties);
        assertThat(output.getAll())
                .containsOnlyOnce("collapse.executor." + section + ".enabled is false: ")
                .containsOnlyOnce(
                        "and no other property below collapse.executor." + section + " has an effect. Remove it,");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            short            | cluster.enabled=false
            short            | enabled=false
            short            | enabled=true
            ${NOT_SET}       | cluster.enabled=false
            """)
    void aSecretThatIsNotAllowedIsNamedWhileNothingIsSharedAndIsNotShown(
            String secret, String off, CapturedOutput output) {
        run(application(), List.of(PREFIX + off, PREFIX + "cluster.secret=" + secret));
        assertThat(output.getAll()).contains("collapse.executor.cluster.secret").doesNotContain("short");
    }

    static Stream<Arguments> overridden() {
        String group = "rest-template.collapse-groups[0].uris=/user/*";
        return Stream.of(
                arguments(
                        "rest-template.on-follower-timeout", List.of(group, "rest-template.on-follower-timeout=fail")),
                arguments(
                        "rest-template.follower-timeout",
                        List.of(group, "rest-template.follower-timeout=2s", "call-timeout=2s")),
                arguments(
                        "rest-template.follower-timeout",
                        List.of(group, "rest-template.follower-timeout=2s", "executors.rest-template.call-timeout=1s")),
                arguments("rest-template.max-body-size", List.of(group, "rest-template.max-body-size=2")),
                arguments(
                        "rest-template.dry-run",
                        List.of(group, "rest-template.collapse-groups[0].dry-run=false", "rest-template.dry-run=true")),
                arguments(
                        "rest-template.ignored-request-headers",
                        List.of(
                                group,
                                "rest-template.collapse-groups[0].collapse-policy-name=one",
                                "rest-template.collapse-policies.one.collapse-request-headers=x-tenant",
                                "rest-template.ignored-request-headers=x-noise")),
                arguments(
                        "rest-template.collapse-policies.one.collapse-request-queries",
                        List.of(
                                group,
                                "rest-template.collapse-groups[0].collapse-policy-name=one",
                                "rest-template.collapse-policies.one.strict=true",
                                "rest-template.collapse-policies.one.collapse-request-queries=page")),
                arguments(
                        "executors.rest-template.join",
                        List.of(group, "executors.rest-template.join=fresh", "rest-template.join=in-flight")),
                arguments(
                        "rest-template.join",
                        List.of(group, "rest-template.collapse-groups[0].join=fresh", "rest-template.join=in-flight")),
                arguments(
                        "executors.rest-template.join",
                        List.of(
                                group,
                                "rest-template.collapse-groups[0].join=fresh",
                                "executors.rest-template.join=in-flight")),
                arguments(
                        "max-join-age",
                        List.of(
                                group,
                                "rest-template.collapse-groups[0].join=fresh",
                                "join=in-flight",
                                "max-join-age=2s")),
                arguments("max-join-age", List.of(group, "max-join-age=2s")),
                arguments(
                        "executors.rest-template.max-join-age",
                        List.of(group, "executors.rest-template.max-join-age=2s")),
                arguments("max-wait", List.of(group, "max-wait=2s", "max-wait-ratio=0")),
                arguments("collecting-wait-time", List.of(group, "collecting-wait-time=2ms", "wait-threshold=1")),
                arguments("wait-threshold", List.of(group, "wait-threshold=3", "collecting-wait-time=-1ms")),
                arguments("executors.web-client", List.of(group, "executors.web-client.max-pending=5")));
    }

    @ParameterizedTest
    @MethodSource("overridden")
    void aPropertyBeforeWhichAnotherGoesIsNamed(String property, List<String> set, CapturedOutput output) {
        assertThat(run(application(), set.stream().map(PREFIX::concat).toList()))
                .isTrue();
        assertThat(output.getAll()
                        .lines()
                        .filter(line -> line.contains(" WARN ") && line.contains("StartReport"))
                        .filter(line -> line.contains(PREFIX + property)))
                .singleElement()
                .asString()
                .containsAnyOf(" has no effect: ", " is 2 bytes, ")
                .containsAnyOf("emove", "write");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "max-join-age=2s, join=in-flight",
                "max-join-age=2s, rest-template.join=in-flight",
                "max-join-age=2s, rest-template.collapse-groups[0].join=in-flight",
                "rest-template.follower-timeout=1s, call-timeout=2s, rest-template.on-follower-timeout=fail",
                "rest-template.max-body-size=2KB, max-wait=2s, collecting-wait-time=1ms, wait-threshold=2",
                "rest-template.max-body-size=0, rest-template.dry-run=true, rest-template.ignored-request-headers=x-noise"
            })
    void aPropertyThatHasAnEffectIsNot(String properties, CapturedOutput output) {
        List<String> set = new ArrayList<>(List.of(PREFIX + "rest-template.collapse-groups[0].uris=/user/*"));
        for (String property : List.of(properties.split(", "))) {
            set.add(PREFIX + property);
        }
        assertThat(run(application(), set)).isTrue();
        assertThat(output.getAll()).doesNotContain(" no effect").doesNotContain(" bytes,");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "collapse.executor.servlet.async-safe-filters=java.lang.Object, collapse.executor.servlet.waiting=block",
                "collapse.executor.executors.servlet.max-batch-size=7, collapse.executor.servlet.batch-size=5"
            })
    void aPropertyOfAServerBeforeWhichAnotherGoesIsNamed(String properties, CapturedOutput output) {
        List<String> set = List.of(properties.split(", "));
        String yaml = String.join("\n", set).replace("=", ": ") + "\n" + PREFIX + "servlet.collapse-groups[0].uris: /u";
        new TestApplication().withServer().start(yaml).close();
        String property = set.get(0).substring(0, set.get(0).indexOf('='));
        assertThat(output.getAll().lines().filter(line -> line.contains(property)))
                .singleElement()
                .asString()
                .contains(" has no effect: ");
    }

    /** Each gathers its callers by properties that stand for all; a call may name a join mode, so that nothing is said of that. */
    @Test
    void anExecutorThatIsMadeByNameUsesThePropertiesOfAll(CapturedOutput output) {
        run(
                application().withBean("made", Object.class, Object::new).withUserConfiguration(MadeByName.class),
                List.of(PREFIX + "max-pending=7", PREFIX + "max-join-age=2s", PREFIX + "executors.made.max-wait=1s"));
        assertThat(output.getAll()).doesNotContain(" no effect");
    }

    @Configuration(proxyBeanMethods = false)
    static class MadeByName {

        @Bean
        BlockingCallableGroupCollapseExecutor byName(NamedExecutors executors) {
            return executors.make("made", BlockingCallableGroupCollapseExecutor::new);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Annotated {

        @Bean
        Prices prices() {
            return new Prices();
        }
    }

    static class Prices {

        @Collapsible
        public int price(int id) {
            return id;
        }

        @Collapsible(name = "stock")
        public int stock(int id) {
            return id;
        }
    }

    @Test
    void aLineAtTheStartNamesTheAnnotatedMethods(CapturedOutput output) {
        run(
                application().withUserConfiguration(Annotated.class),
                List.of(
                        PREFIX + "executors.stock.join=in-flight",
                        PREFIX + "max-join-age=2s",
                        PREFIX + "max-pending=50",
                        PREFIX + "annotations.in-transaction=refuse"));
        assertThat(output.getAll().lines().filter(line -> line.contains("StartReport")))
                .singleElement()
                .asString()
                .contains(" INFO ")
                .containsPattern(
                        "annotations: (prices\\.price \\(fresh\\), stock \\(in-flight\\)|stock .*, prices\\.price .*) collapse$");
    }

    /** As the auto-configuration is in a slice of a test, with the configuration of the whole application. */
    @Test
    void inASliceOfATestThatHasNothingOfItAnApplicationStartsAndIsToldNothing(CapturedOutput output) {
        List<String> properties = List.of(
                "spring.boot.enableautoconfiguration=false",
                PREFIX + "max-pending=7",
                PREFIX + "rest-template.cluster=true",
                PREFIX + "executors.users.cluster=true",
                PREFIX + "rest-template.apply-bean-names=userClient",
                PREFIX + "rest-template.collapse-groups[0].uris=/user/*",
                PREFIX + "web-client.apply-bean-names=userWebClient",
                PREFIX + "web-client.collapse-groups[0].uris=/user/*",
                PREFIX + "servlet.collapse-groups[0].uris=/user/*",
                PREFIX + "webflux.collapse-groups[0].uris=/user/*",
                PREFIX + "sequences.table=numbers");
        ApplicationContextRunner slice = new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(CollapseExecutorAutoConfiguration.class));
        assertThat(run(slice, properties)).as(output.getAll()).isTrue();
        assertThat(output.getAll()).doesNotContain(" WARN ");
        List<String> mistaken =
                List.of("spring.boot.enableautoconfiguration=false", PREFIX + "rest-template.enabeld=true");
        assertThat(run(slice, mistaken)).isFalse();
    }
}
