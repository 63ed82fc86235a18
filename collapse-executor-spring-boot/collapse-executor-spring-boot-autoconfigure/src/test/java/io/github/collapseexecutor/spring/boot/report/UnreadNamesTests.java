package io.github.collapseexecutor.spring.boot.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;
import static org.springframework.core.env.StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME;
import static org.springframework.core.env.StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME;

import io.github.collapseexecutor.spring.boot.config.CollapseExecutorProperties;
import io.github.collapseexecutor.spring.boot.config.UnknownProperty;
import io.github.collapseexecutor.spring.boot.fixture.TestApplication;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** Names of environment variables and system properties that lead to no property: Spring Boot reads past them. */
@ExtendWith(OutputCaptureExtension.class)
class UnreadNamesTests {

    private static PropertySource<?> variable(String name) {
        return new SystemEnvironmentPropertySource(SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, Map.of(name, "secret"));
    }

    private static PropertySource<?> property(String name) {
        return new MapPropertySource(SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME, Map.of(name, "secret"));
    }

    private static List<String> unread(PropertySource<?> source) {
        StandardEnvironment environment = new StandardEnvironment();
        MutablePropertySources sources = environment.getPropertySources();
        sources.forEach(other -> sources.remove(other.getName()));
        sources.addFirst(source);
        return UnreadNames.in(environment);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    COLLAPSE_EXECUTOR_ENABELD                    | collapse.executor has no key enabeld; did you mean enabled?
                    COLLAPSE_EXECUTOR_REST_TEMPLATE_ENABELD      | collapse.executor.rest-template has no key enabeld; did you mean enabled?
                    COLLAPSE_EXECUTOR_RESTTEMPLATE_PASSTTL_NOW   | collapse.executor.rest-template.pass-ttl has no key now
                    COLLAPSE_EXECUTOR_RESTTEMPLATE_COLLAPSEGROUPS_0_URI | collapse.executor.rest-template.collapse-groups[0] has no key uri; did you mean uris?
                    COLLAPSE_EXECUTOR_RESTTEMPLATE_COLLAPSEGROUPS_URIS | collapse.executor.rest-template.collapse-groups is a list, so that it has no keys
                    COLLAPSE_EXECUTOR_EXECUTORS_USERS_JOINS      | collapse.executor.executors.users has no key joins; did you mean join?
                    COLLAPSE_EXECUTOR_REST_CLIENT_ENABELD        | collapse.executor.rest-client has no key enabeld; did you mean enabled?
                    collapse_executor_whatever                   | collapse.executor has no key whatever
                    """)
    void aVariableIsNamedWithWhatIsWrong(String name, String reason) {
        assertThat(unread(variable(name)))
                .singleElement()
                .asString()
                .startsWith("The environment variable " + name + " configures nothing: " + reason)
                .doesNotContain("secret");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "COLLAPSE_EXECUTOR_ENABLED",
                "COLLAPSE_EXECUTOR_MAXWAITRATIO",
                "COLLAPSE_EXECUTOR_MAX_WAIT_RATIO",
                "COLLAPSE_EXECUTOR_REST_TEMPLATE_PASS_TTL",
                "COLLAPSE_EXECUTOR_RESTTEMPLATE_APPLYBEANNAMES",
                "COLLAPSE_EXECUTOR_RESTTEMPLATE_APPLYBEANNAMES_0",
                "COLLAPSE_EXECUTOR_RESTTEMPLATE_COLLAPSEGROUPS_0_URIS_1",
                "COLLAPSE_EXECUTOR_EXECUTORS_REST_TEMPLATE_MAX_WAIT",
                "COLLAPSE_EXECUTOR_RESTTEMPLATE_COLLAPSEPOLICIES_BY_TENANT_COLLAPSE_REQUEST_HEADERS_0",
                "COLLAPSE_EXECUTOR_SERVLET_THREADPOOL_VIRTUAL_ENABLED",
                "COLLAPSE_EXECUTOR_CLUSTER_SECRET",
                "collapse.executor.enabled",
                "COLLAPSE_EXECUTOR_SERVICE_HOST", // of a service in Kubernetes
                "COLLAPSE_EXECUTOR_SERVICE_PORT",
                "COLLAPSE_EXECUTOR_SERVICE_PORT_HTTP",
                "COLLAPSE_EXECUTOR_PORT",
                "COLLAPSE_EXECUTOR_PORT_8080_TCP",
                "COLLAPSE_EXECUTOR_PORT_8080_TCP_ADDR",
                "COLLAPSE_EXECUTOR_SAMPLES_PORT_8080_TCP_PROTO",
                "COLLAPSE_EXECUTORS",
                "PATH"
            })
    void aVariableThatLeadsToAPropertyOrIsNotOursIsNot(String name) {
        assertThat(unread(variable(name))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    collapse.executor.enabeld                     | collapse.executor has no key enabeld; did you mean enabled?
                    collapse.executor.restTemplate.enabeld        | has no key enabeld; did you mean enabled?
                    collapse.executor.rest-template.collapse-groups.uris | collapse.executor.rest-template.collapse-groups is a list
                    """)
    void aSystemPropertyIsNamedWithWhatIsWrong(String name, String reason) {
        assertThat(unread(property(name)))
                .singleElement()
                .asString()
                .startsWith("The system property " + name + " configures nothing: ")
                .contains(reason)
                .doesNotContain("secret");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "collapse.executor.enabled",
                "collapse.executor.restTemplate.pass-ttl",
                "collapse.executor.executors[users.byId].join",
                "collapse.executor.rest-template.collapse-groups[0].uris[1]",
                "collapse.executors",
                "java.version",
                "odd..name[",
                ""
            })
    void aSystemPropertyThatLeadsToAPropertyOrIsNotOursIsNot(String name) {
        assertThat(unread(property(name))).isEmpty();
    }

    @Test
    void theStartReportWarnsOnceOfEach(CapturedOutput output) {
        new TestApplication()
                .alone()
                .with(context -> context.getEnvironment()
                        .getPropertySources()
                        .replace(
                                SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                                variable("COLLAPSE_EXECUTOR_RESTTEMPLATE_JOINS")))
                .start("collapse.executor.enabled: false") // by this, or by a variable that means it and is misspelt
                .close();
        assertThat(output.getAll().lines().filter(line -> line.contains("COLLAPSE_EXECUTOR_RESTTEMPLATE_JOINS")))
                .singleElement()
                .asString()
                .contains("WARN", "StartReport", "collapse.executor.rest-template has no key joins");
    }

    private static List<String> wrongPrefixes(PropertySource<?> source) {
        StandardEnvironment environment = new StandardEnvironment();
        MutablePropertySources sources = environment.getPropertySources();
        sources.forEach(other -> sources.remove(other.getName()));
        sources.addFirst(source);
        return WrongPrefixes.in(environment);
    }

    /** Each key of the tree below each prefix that somebody may take for the right one. */
    static Stream<Arguments> wrongNames() {
        return Arrays.stream(CollapseExecutorProperties.class.getRecordComponents())
                .map(component -> UnknownProperty.dashed(component.getName()))
                .flatMap(key -> Stream.of(
                        arguments("collapse-executor." + key + ".x", "collapse-executor"),
                        arguments("collapseExecutor." + key + ".x", "collapseExecutor"),
                        arguments("collapseexecutor." + key + ".x", "collapseexecutor"),
                        arguments("collapse." + key + ".x", "collapse"),
                        arguments("colapse.executor." + key + ".x", "colapse.executor"),
                        arguments("collapse.executer." + key + ".x", "collapse.executer"),
                        arguments("collapse.executors." + key + ".x", "collapse.executors")))
                .filter(wrong -> !wrong.get()[0]
                        .toString()
                        .matches("collapse\\.executors\\.(executors\\.)?x")); // its end is open
    }

    @ParameterizedTest
    @MethodSource("wrongNames")
    void aPrefixThatIsNearlyOursIsNamedWithTheRightOne(String name, String prefix) {
        PropertySource<?> file = new MapPropertySource("application.yaml", Map.of(name, "secret"));
        assertThat(wrongPrefixes(file))
                .singleElement()
                .asString()
                .startsWith(name + " configures nothing: the prefix is collapse.executor, not " + prefix + ". Write ")
                .endsWith(" in place of " + prefix + ".")
                .doesNotContain("secret");
    }

    @ParameterizedTest
    @CsvSource({
        "collapse-executor.rest-template.collapse-groups[0].uris[1], collapse.executor",
        "collapse.rest-template.enabled, collapse.executor",
        "collapse.rest-client.enabled, collapse.executor",
        "collapse.enabled, collapse.executor",
        "collapse.executors.users.join, collapse.executor.executors",
        "collapse.executors[users.byId].join, collapse.executor.executors",
        "collapse.executors.rest-template.enabled, collapse.executor",
    })
    void theRightNameIsTold(String name, String meant) {
        assertThat(wrongPrefixes(new MapPropertySource("application.yaml", Map.of(name, "1"))))
                .singleElement()
                .asString()
                .contains(". Write " + meant + " in place of ");
    }

    @ParameterizedTest
    @CsvSource({
        "COLLAPSEEXECUTOR_ENABLED, COLLAPSE_EXECUTOR",
        "COLLAPSE_REST_TEMPLATE_ENABLED, COLLAPSE_EXECUTOR",
        "COLLAPSE_RESTTEMPLATE_ENABLED, COLLAPSE_EXECUTOR",
        "COLLAPSE_EXECUTORS_USERS_JOIN, COLLAPSE_EXECUTOR_EXECUTORS",
        "COLAPSE_EXECUTOR_ENABLED, COLLAPSE_EXECUTOR",
    })
    void aVariableWithAWrongPrefixIsNamed(String name, String meant) {
        assertThat(wrongPrefixes(variable(name)))
                .singleElement()
                .asString()
                .startsWith(name + " configures nothing: ")
                .contains(". Write " + meant + " in place of ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "collapse.executor.enabled",
                "collapse.executor.restTemplate.enabled",
                "collapse.executor.enabeld", // which stops the start
                "collapse.executors",
                "collapse.all",
                "collapse.mode.enabled",
                "collapsed.sections",
                "column.executor.enabled",
                "spring.application.name",
                "c",
                "",
                "odd..name[",
            })
    void anotherNameIsNot(String name) {
        assertThat(wrongPrefixes(new MapPropertySource("application.yaml", Map.of(name, "1"))))
                .isEmpty();
        String variable = name.replace('.', '_').replace("-", "").toUpperCase(Locale.ROOT);
        assertThat(wrongPrefixes(variable(variable))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"COLLAPSE_EXECUTORS_SERVICE_HOST", "COLLAPSE_SERVLET_PORT_8080_TCP", "COLLAPSE_PORT"})
    void aServiceInKubernetesIsNot(String name) {
        assertThat(wrongPrefixes(variable(name))).isEmpty();
    }

    @Test
    void theStartReportNamesThePropertiesOfAWrongPrefixOnce(CapturedOutput output) {
        new TestApplication()
                .alone()
                .start("collapse-executor.rest-template: {enabled: true, collapse-groups: [uris: /user/*]}")
                .close();
        assertThat(output.getAll().lines().filter(line -> line.contains("collapse-executor.rest-template")))
                .singleElement()
                .asString()
                .contains("WARN", "StartReport", " and 1 more configure nothing: the prefix is collapse.executor");
    }
}
