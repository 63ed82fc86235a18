package io.github.collapseexecutor.spring.boot.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.github.collapseexecutor.spring.boot.fixture.RecordingFailureAnalysisReporter;
import io.github.collapseexecutor.spring.boot.fixture.TestApplication;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What somebody reads who writes the configuration for the first time and guesses how it is written. */
class NewcomerMistakesTests {

    private static final String SECTION = "collapse.executor.rest-template";

    private static String failure(String yaml) {
        return new TestApplication().alone().failure(yaml);
    }

    @AfterEach
    void forgetTheReport() {
        RecordingFailureAnalysisReporter.take();
    }

    static Stream<Arguments> groups() {
        return Stream.of(
                arguments("{uris: /user/*}", ".uris", "/user/*"),
                arguments("{uris: [/user/*, /test/*]}", ".uris[0]", "/user/*"),
                arguments("{users: {uris: /user/*}}", ".users.uris", "/user/*"),
                arguments("[ /user/* ]", "[0]", "/user/*"),
                arguments("/user/*", "", "/user/*"));
    }

    @ParameterizedTest
    @MethodSource("groups")
    void aGroupWithoutADashIsShownHowItIsWritten(String groups, String property, String value) {
        assertThat(failure(SECTION + ".collapse-groups: " + groups))
                .contains("Property: " + SECTION + ".collapse-groups" + property + "\n    Value: \"" + value + "\"\n")
                .endsWith("\n\nWrite each group behind a dash of its own, for example \"- uris: /user/*\".");
    }

    @Test
    void everyKeyOfAGroupWithoutADashHasOneRemedyTogether() {
        assertThat(failure(SECTION + ".collapse-groups: {uris: /user/*, collapse-policy-name: path-only}"))
                .containsOnlyOnce("behind a dash of its own")
                .contains("Reason: " + SECTION + ".collapse-groups is a list, so that it has no keys");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[{name: by-tenant, collapse-request-headers: x-tenant}]",
                "[{collapse-request-headers: x-tenant}]",
                "[{by-tenant: {collapse-request-headers: x-tenant}}]",
                "[by-tenant]",
                "by-tenant"
            })
    void policiesInAListAreToldThatTheNameIsTheKey(String policies) {
        assertThat(failure(SECTION + ".collapse-policies: " + policies))
                .contains("Property: " + SECTION + ".collapse-policies")
                .contains("the name of a policy is its key")
                .endsWith("Write the name as the key and no dash, for example"
                        + " \"by-tenant: {collapse-request-headers: [x-tenant]}\".");
    }

    @Test
    void aListOfOtherThingsThatIsWrittenAsAMapIsNamed() {
        assertThat(failure(SECTION + ".apply-bean-names: {one: userClient}"))
                .contains("Property: " + SECTION + ".apply-bean-names.one\n    Value: \"userClient\"\n")
                .endsWith("Write each value of " + SECTION + ".apply-bean-names behind a dash of its own.");
    }

    @ParameterizedTest
    @CsvSource({
        "rest-template.collapse-groups[0].policy, collapse-policy-name",
        "rest-template.collapse-groups[0].policyName, collapse-policy-name",
        "rest-template.collapse-groups[0].name, collapse-policy-name",
        "rest-template.collapse-groups[0].uri, uris",
        "rest-template.collapse-groups[0].pattern, patterns",
        "rest-template.groups[0].uris, collapse-groups",
        "rest-template.policies.one.strict, collapse-policies",
        "rest-template.bean-names, apply-bean-names",
        "rest-template.collapse-policies.one.headers, collapse-request-headers",
        "rest-template.collapse-policies.one.queries, collapse-request-queries",
        "web-client.timeout, follower-timeout",
        "web.enabled, web-client",
        "timeout, call-timeout",
    })
    void aShortenedKeyIsCompleted(String key, String meant) {
        assertThat(failure("collapse.executor." + key + ": 1")).contains("; did you mean " + meant + "?\n");
    }

    @Test
    void aKeyThatIsShortForSeveralIsNotGuessed() {
        assertThat(failure(SECTION + ".collapse-policies.one.request: 1")).doesNotContain("did you mean");
    }

    @ParameterizedTest
    @CsvSource({
        "call-timeout, -5s",
        "call-timeout, PT-0.5S",
        "call-timeout, -1500",
        "max-wait, -90m",
        "rest-template.follower-timeout, 0",
        "rest-template.pass-ttl, 400d",
        "web-client.pass-ttl, -1ms",
    })
    void durationsAreEchoedAsWritten(String key, String written) {
        assertThat(failure("collapse.executor." + key + ": " + written))
                .contains("Property: collapse.executor." + key + "\n    Value: \"" + written + "\"\n");
    }

    @ParameterizedTest
    @CsvSource({
        "call-timeout, -5s, -5s",
        "call-timeout, -1500, -1500ms",
        "call-timeout, 0, 0",
        "max-wait, -120m, -2h",
        "rest-template.pass-ttl, 400d, 400d",
        "rest-template.pass-ttl, -1ns, PT-0.000000001S",
    })
    void theExceptionInTheLogHasTheDurationWithItsUnit(String key, String written, String shown) {
        assertThatThrownBy(() -> new TestApplication().alone().start("collapse.executor." + key + ": " + written))
                .hasStackTraceContaining("property collapse.executor." + key + ", value \"" + shown + "\": ");
    }
}
