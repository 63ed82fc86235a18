package io.github.collapseexecutor.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.core.env.StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME;
import static org.springframework.core.env.StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
                    COLLAPSE_EXECUTOR_RESTCLIENT_ENABLED         | collapse.executor has no key restclient; rest-template configures RestClient too
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
                                variable("COLLAPSE_EXECUTOR_RESTTEMPLATE_JOIN")))
                .start("collapse.executor.enabled: false") // by this, or by a variable that means it and is misspelt
                .close();
        assertThat(output.getAll().lines().filter(line -> line.contains("COLLAPSE_EXECUTOR_RESTTEMPLATE_JOIN")))
                .singleElement()
                .asString()
                .contains("WARN", "StartReport", "collapse.executor.rest-template has no key join");
    }
}
