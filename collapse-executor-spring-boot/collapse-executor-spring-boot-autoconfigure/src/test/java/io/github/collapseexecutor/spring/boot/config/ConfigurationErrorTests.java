package io.github.collapseexecutor.spring.boot.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.github.collapseexecutor.gate.OnEachLine;
import io.github.collapseexecutor.spring.boot.fixture.RecordingFailureAnalysisReporter;
import io.github.collapseexecutor.spring.boot.fixture.TestApplication;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;

/** What a user reads when the configuration is wrong: one message with the property, the value and what is allowed. */
@OnEachLine
class ConfigurationErrorTests {

    private static final String REST_TEMPLATE = "collapse.executor.rest-template";
    private static final String GROUPS = REST_TEMPLATE + ".collapse-groups";
    private static final String CORRECT = "Correct the value, or remove the property to keep its default.";

    @Test
    void H34_unknownPolicyStopsTheStart() {
        assertThat(messageOfAll("""
                collapse.executor.rest-template:
                  collapse-policies:
                    sample-policy1:
                      collapse-request-headers: authorization
                  collapse-groups:
                    - collapse-policy-name: sample-polcy1
                      uris: /samples/*
                """)).isEqualTo("""
                The configuration of collapse-executor is not valid:

                    Property: collapse.executor.rest-template.collapse-groups[0].collapse-policy-name
                    Value: "sample-polcy1"
                    Origin: application.yaml - 6:29
                    Reason: there is no policy of this name; did you mean sample-policy1?

                Name one of strict, path-only, sample-policy1, define the policy under \
                collapse.executor.rest-template.collapse-policies, or leave the name out: \
                then requests must be equal in everything that may matter.""");
    }

    @Test
    void H34_emptyUrisStopTheStart() {
        assertThat(messageOf("""
                collapse.executor.rest-template:
                  collapse-groups:
                    - uris: /user/*
                    - uris: []
                """)).isEqualTo("""
                The configuration of collapse-executor is not valid:

                    Property: collapse.executor.rest-template.collapse-groups[1].uris
                    Value: "[]"
                    Origin: application.yaml - 4:13
                    Reason: without a URI pattern no request can belong to the group

                Give at least one URI pattern, for example /user/*""");
    }

    @ParameterizedTest
    @ValueSource(strings = {"patterns: []", "patterns:", "uris:", "collapse-policy-name: path-only"})
    void H34_groupWithoutPatternStopsTheStart(String group) {
        String key = group.startsWith("patterns") ? "patterns" : "uris";
        assertThat(messageOf(GROUPS + ":\n- " + group))
                .contains("Property: " + GROUPS + "[0]." + key + "\n    Value: \"[]\"\n")
                .endsWith("\n\nGive at least one URI pattern, for example /user/*");
    }

    @Test
    void H34_badPatternStopsTheStart() {
        assertThat(messageOf(GROUPS + ":\n- uris: ['/user/*', '/user/{id']"))
                .contains("Property: " + GROUPS + "[0].uris[1]\n    Value: \"/user/{id\"\n")
                .contains("Reason: '/user/{id' is not a URI pattern: at index 6, '{' is not closed; allowed are '?'")
                .endsWith(CORRECT);
    }

    @Test
    void bothNamesOfTheUrisStopTheStart() {
        assertThat(messageOf(GROUPS + ":\n- uris: /user/*\n  patterns: /test/*"))
                .contains("Property: " + GROUPS + "[0].patterns\n    Value: \"/test/*\"\n")
                .contains("Reason: patterns is another name of uris, and the group has both")
                .endsWith("Put all of them under uris.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"path-only", "strict"})
    void redefinedBuiltInPolicyStopsTheStart(String name) {
        assertThat(messageOf(REST_TEMPLATE + ".collapse-policies." + name + ".share-across-users: true"))
                .contains("Property: " + REST_TEMPLATE + ".collapse-policies." + name + "\n")
                .contains("Reason: this is the name of a built-in policy, which cannot be redefined")
                .endsWith("Give the policy another name, here and in the groups that name it.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "false", "enabled"})
    void aSingleValueInPlaceOfTheSectionStopsTheStart(String value) {
        assertThat(messageOf("collapse.executor: " + value))
                .contains("Property: collapse.executor\n    Value: \"" + value + "\"\n")
                .contains("Reason: it is a section with keys of its own, not a single value")
                .endsWith("Put its keys below it, for example collapse.executor.enabled: false.");
    }

    static Stream<Arguments> refusedValues() {
        return Stream.of(
                arguments("max-batch-size", "-5", "it must be at least 1; leave it unset for no limit"),
                arguments("max-batch-size", "0", "it must be at least 1; leave it unset for no limit"),
                arguments("max-concurrent-batches", "-1", "it must be at least 1; leave it unset for no limit"),
                arguments("max-pending", "-1", "it must be at least 1; leave it unset for no limit"),
                arguments("wait-threshold", "-1", "it must not be negative"),
                arguments("max-wait", "-5s", "it must not be negative"),
                arguments("max-wait-ratio", "1.5", "it must be at least 0 and below 1, for example 0.1"),
                arguments("call-timeout", "0", "it must be positive; leave it unset for no time-out"),
                arguments("max-join-age", "0", "it must be positive; leave it unset to join a call as long as it runs"),
                arguments("rest-template.max-body-size", "-1KB", "it must be a number of bytes from 0"),
                arguments(
                        "rest-template.ignored-request-headers[0]",
                        "x y",
                        "it must be the name of a header; allowed are letters, digits and "),
                arguments(
                        "rest-template.ignored-request-headers[0]",
                        "Authorization",
                        "it cannot be ignored; credentials"),
                arguments("rest-template.credential-headers[0]", "*", "a '*' may only end a name"),
                arguments(
                        "rest-template.collapse-policies.one.collapse-request-headers[0]",
                        "a:b",
                        "it must be the name of a header; allowed are letters, digits and "),
                arguments("join", "fresch", "it must be fresh or in-flight"),
                arguments("servlet.collapse-groups[0].join", "inflght", "it must be fresh or in-flight"),
                arguments("rest-template.on-leader-failure", "retry", "it must be share or re-elect or fan-out"),
                arguments("enabled", "ture", "it must be true or false"),
                arguments("rest-template.enabled", "maybe", "it must be true or false"),
                arguments("max-batch-size", "ten", "it must be a whole number, for example 10"),
                arguments("max-wait-ratio", "a tenth", "it must be a number, for example 0.1"),
                arguments("max-wait", "1 minute", "it must be a number of milliseconds, or a duration with its unit"),
                arguments(
                        "rest-template.max-body-size", "big", "it must be a number of bytes, or a size with its unit"),
                arguments("rest-template", "true", "it is a section with keys of its own, not a single value"));
    }

    @ParameterizedTest
    @MethodSource("refusedValues")
    void valueThatIsNotAllowedStopsTheStart(String key, String value, String reason) {
        assertThat(messageOf("collapse.executor." + key + ": \"" + value + "\""))
                .contains("Property: collapse.executor." + key + "\n    Value: \"" + value + "\"\n    Origin: ")
                .contains("    Reason: " + reason)
                .endsWith("\n\n" + CORRECT);
    }

    @Test
    void aClientThatIsToKeepClientAddressesApartStopsTheStart() {
        assertThat(messageOf(REST_TEMPLATE + ".collapse-policies.one.collapse-client-address: true"))
                .contains("Property: " + REST_TEMPLATE
                        + ".collapse-policies.one.collapse-client-address\n    Value: \"true\"")
                .contains("Reason: only a server has requests from several client addresses")
                .endsWith("Remove the property here; it belongs under collapse.executor.servlet.collapse-policies"
                        + " or collapse.executor.webflux.collapse-policies.");
    }

    @ParameterizedTest
    @CsvSource({
        "fan-out-limit, 0, it must be a number of requests of at least 1",
        "pass-ttl, -1s, it must be a duration from 0 to 365 days",
        "follower-timeout, 0, it must be a positive duration of at most 365 days",
        "cache-status, a b, it must be a name of letters",
        "on-follower-timeout, wait, it must be go-alone or fail",
        "max-body-size, -1KB, it must be a number of bytes from 0",
    })
    void aBadSettingOfWebClientStopsTheStart(String key, String value, String reason) {
        assertThat(messageOf("collapse.executor.web-client." + key + ": " + value))
                .contains("Property: collapse.executor.web-client." + key + "\n    Value: \"" + value + "\"\n")
                .contains(reason);
    }

    @Test
    void H34_unknownPolicyOfWebClientStopsTheStart() {
        assertThat(messageOf("""
                collapse.executor.web-client:
                  collapse-groups:
                    - collapse-policy-name: other
                      uris: /user/*
                """))
                .contains("Property: collapse.executor.web-client.collapse-groups[0].collapse-policy-name")
                .contains("define the policy under collapse.executor.web-client.collapse-policies");
    }

    @Test
    void H34_aBadSectionOfTheServerStopsTheStart() {
        TestApplication server = new TestApplication().withServer();
        assertThat(server.failure("""
                collapse.executor.servlet:
                  batch-size: 0
                  collapse-groups:
                    - uris: /user/*
                """)).contains("Property: collapse.executor.servlet.batch-size");
        assertThat(server.failure("""
                collapse.executor.servlet:
                  collapse-groups:
                    - collapse-policy-name: other
                      uris: /user/*
                """)).contains("define the policy under collapse.executor.servlet.collapse-policies");
    }

    static Stream<Arguments> unknownKeys() {
        return Stream.of(
                arguments("wait-treshold", "collapse.executor has no key wait-treshold; did you mean wait-threshold?"),
                arguments("waitTreshold", "collapse.executor has no key waitTreshold; did you mean wait-threshold?"),
                arguments("colour", "collapse.executor has no key colour"),
                arguments(
                        "rest-tempate.enabled",
                        "collapse.executor has no key rest-tempate; did you mean rest-template?"),
                arguments("rest-template.uris", REST_TEMPLATE + " has no key uris"),
                arguments("rest-template.collapse-groups[0].urls", GROUPS + "[0] has no key urls; did you mean uris?"),
                arguments(
                        "rest-template.collapse-policies.one.share-accross-users",
                        REST_TEMPLATE + ".collapse-policies.one has no key share-accross-users;"
                                + " did you mean share-across-users?"),
                arguments("enabled.always", "collapse.executor.enabled has no key always"),
                arguments("servlet.apply-bean-names", "collapse.executor.servlet has no key apply-bean-names"));
    }

    @ParameterizedTest
    @MethodSource("unknownKeys")
    void unknownKeyStopsTheStart(String key, String reason) {
        assertThat(messageOf("collapse.executor." + key + ": 1"))
                .contains("    Value: \"1\"\n    Origin: application.yaml - 1:")
                .contains("    Reason: " + reason + "\n");
    }

    @Test
    void unknownKeysAreListedTogetherWithWhatIsAllowed() {
        assertThat(messageOfAll("""
                collapse.executor:
                  max-batchsize: 10
                  max-batch-sise: 10
                  servlet:
                    threads:
                      virtual: true
                  colour: red
                """)).isEqualTo("""
                The configuration of collapse-executor is not valid:

                    Property: collapse.executor.colour
                    Value: "red"
                    Origin: application.yaml - 7:11
                    Reason: collapse.executor has no key colour

                    Property: collapse.executor.max-batch-sise
                    Value: "10"
                    Origin: application.yaml - 3:19
                    Reason: collapse.executor has no key max-batch-sise; did you mean max-batch-size?

                    Property: collapse.executor.servlet.threads.virtual
                    Value: "true"
                    Origin: application.yaml - 6:16
                    Reason: collapse.executor.servlet has no key threads

                Use one of the keys of collapse.executor: enabled, wait-threshold, collecting-wait-time, max-batch-size, \
                max-concurrent-batches, max-concurrent-batches-total, max-pending, max-wait, max-wait-ratio, call-timeout, join, max-join-age, \
                rest-template, rest-client, web-client, servlet, webflux, annotations, cluster, executors, writers, sequences.
                Use one of the keys of collapse.executor.servlet: enabled, collapse-policies, collapse-groups, join, batch-size, \
                waiting, async-safe-filters, thread-pool, max-body-size, ignored-request-headers, credential-headers, on-leader-failure, fan-out-limit, \
                pass-ttl, follower-timeout, on-follower-timeout, cache-status, dry-run.""");
    }

    @Test
    void keysBelowASingleValueAreToldSo() {
        assertThat(messageOf("collapse.executor.enabled.always: true"))
                .endsWith("Give collapse.executor.enabled a single value.");
    }

    @Test
    void aPropertyBelowANameThatOnlyBracketsCanHoldIsNamedAllTheSame() {
        assertThat(messageOf(REST_TEMPLATE + ".collapse-policies.[By Tenant].collapse-request-headers: x y"))
                .contains("Property: " + REST_TEMPLATE + ".collapse-policies.By Tenant.collapse-request-headers[0]\n"
                        + "    Value: \"x y\"\n");
    }

    @Test
    void gapInAListStopsTheStart() {
        assertThat(messageOf(GROUPS + "[0].uris[1]: /user/*"))
                .contains("Property: " + GROUPS + "[0].uris[1]\n")
                .contains("Reason: the indexes of a list start at 0 and leave none out")
                .endsWith("Number the list anew.");
    }

    @Test
    void nameOfNoBeanStopsTheStart() {
        assertThat(messageOfAll(REST_TEMPLATE + ".apply-bean-names: [catalogue, catalog]"))
                .contains("Property: " + REST_TEMPLATE + ".apply-bean-names[1]\n    Value: \"catalog\"\n")
                .contains("Reason: there is no bean of this name; did you mean catalogue?")
                .contains("Name a bean of type RestTemplate, RestClient or RestClient.Builder; this application has "
                        + "catalogue, stock, ");
    }

    @Test
    void nameOfABeanOfAnotherTypeStopsTheStart() {
        assertThat(messageOfAll(REST_TEMPLATE + ".apply-bean-names: text"))
                .contains("Property: " + REST_TEMPLATE + ".apply-bean-names[0]\n    Value: \"text\"\n"
                        + "    Origin: application.yaml - 1:")
                .contains("Reason: the bean of this name is a java.lang.String");
    }

    @Test
    void everyErrorStopsAlsoAStartThatIsLazy() {
        String lazy = "spring.main.lazy-initialization: true\n";
        assertThat(messageOfAll(lazy + GROUPS + "[0].uris: user")).contains("Property: " + GROUPS + "[0].uris");
        assertThat(messageOfAll(lazy + REST_TEMPLATE + ".apply-bean-names: none"))
                .contains("apply-bean-names[0]");
        assertThat(messageOfAll(lazy + "collapse.executor.wait-treshold: 1")).contains("did you mean wait-threshold?");
    }

    @Test
    void theExceptionSaysTheSameWithoutAnalyzer() {
        assertThatThrownBy(() -> new TestApplication().start("collapse.executor.max-pending: -1"))
                .rootCause()
                .hasMessage("maxPending is -1: it must be at least 1; leave it unset for no limit");
        RecordingFailureAnalysisReporter.take();
    }

    @Test
    void withoutAnEnvironmentTheValueIsShownAsItWasRead() {
        FailureAnalysis analysis = new CollapseFailureAnalyzer(null)
                .analyze(new InvalidCollapsePropertyException(
                        "collapse.executor.max-wait", Duration.ofSeconds(-5), "it must not be negative", CORRECT));
        assertThat(analysis.getDescription())
                .contains("Value: \"-5s\"")
                .contains("Reason: it must not be negative")
                .doesNotContain("Origin");
        assertThat(analysis.getAction()).isEqualTo(CORRECT);
    }

    @Test
    void errorsOfOthersAreLeftToOthers() {
        assertThat(new CollapseFailureAnalyzer(null).analyze(new IllegalStateException("another's")))
                .isNull();
        assertThat(messageOfAll("spring.task.execution.pool.core-size: many")).doesNotContain("collapse-executor");
    }

    /** Of an application without beans of its own. */
    private static String messageOf(String yaml) {
        return new TestApplication().alone().failure(yaml);
    }

    /** Of an application with all that is auto-configured. */
    private static String messageOfAll(String yaml) {
        return new TestApplication().with(Clients.class).failure(yaml);
    }

    @Configuration(proxyBeanMethods = false)
    static class Clients {

        @Bean
        RestTemplate catalogue() {
            return new RestTemplate();
        }

        @Bean
        RestClient stock() {
            return RestClient.create();
        }

        @Bean
        String text() {
            return "text";
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            executors.app.Prices.price.join: in-flight             | executors | app    | Prices | app.Prices.price
            executors.prices.price.max-pending: 5                  | executors | prices | price  | prices.price
            writers.audit.log.max-batch-size: 5                    | writers   | audit  | log    | audit.log
            rest-template.collapse-policies.by.tenant.strict: true | rest-template.collapse-policies | by | tenant | by.tenant
            """)
    void aNameWithDotsIsToldTheBracketsThatItNeeds(String line, String map, String first, String second, String whole) {
        assertThat(messageOf("collapse.executor." + line))
                .contains("Reason: collapse.executor." + map + "." + first + " has no key " + second
                        + "; in a name with dots, each part is taken for a key\n")
                .contains("If the name is " + whole + ", write it in brackets, with quotes in YAML: collapse.executor."
                        + map + " and below it \"[" + whole + "]\".");
    }

    @ParameterizedTest
    @CsvSource({
        "rest-template, max-batch-size, max-batch-size",
        "web-client, callTimeout, call-timeout",
        "servlet, max-pending, max-pending",
        "webflux, max-wait, max-wait"
    })
    void howASectionGathersIsPointedTo(String section, String key, String dashed) {
        assertThat(messageOf("collapse.executor." + section + "." + key + ": 5"))
                .contains("Reason: collapse.executor." + section + " has no key " + key
                        + "; how its requests are gathered stands below executors\n")
                .endsWith("Write collapse.executor.executors." + section + "." + dashed + ", or collapse.executor."
                        + dashed + " for all.");
    }
}
