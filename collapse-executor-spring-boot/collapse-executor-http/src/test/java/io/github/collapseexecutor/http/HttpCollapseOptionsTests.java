package io.github.collapseexecutor.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpCollapseOptionsTests {

    @Test
    void theDefaultsCollapseNothing() {
        HttpCollapseOptions options = HttpCollapseOptions.builder().build();
        assertThat(options.rules()).isEmpty();
        assertThat(options.ignoredRequestHeaders()).isEmpty();
        assertThat(options.maxBodySize()).isEqualTo(2_097_152);
        assertThat(options.onLeaderFailure()).isNull();
        assertThat(options)
                .hasToString(
                        "HttpCollapseOptions[rules=[], ignoredRequestHeaders=[], credentialHeaders=[], maxBodySize=2097152,"
                                + " onLeaderFailure=default, fanOutLimit=64, passTtl=PT2M, followerTimeout=none,"
                                + " onFollowerTimeout=GO_ALONE, cacheStatus=off]");
    }

    @Test
    void optionsAreCopiesOfWhatTheBuilderWasGiven() {
        List<CollapseRule> groups = new ArrayList<>(List.of(CollapseRule.of(CollapsePolicy.pathOnly(), "/a", "/b")));
        HttpCollapseOptions.Builder builder = HttpCollapseOptions.builder()
                .rules(groups)
                .ignoredRequestHeaders(List.of("X-Trace-*"))
                .credentialHeaders(List.of("X-Badge"))
                .maxBodySize(1)
                .onLeaderFailure(LeaderFailurePolicy.SHARE)
                .fanOutLimit(2)
                .passTtl(Duration.ZERO)
                .followerTimeout(Duration.ofSeconds(3))
                .onFollowerTimeout(FollowerTimeoutPolicy.FAIL)
                .cacheStatus("my.proxy");
        HttpCollapseOptions options = builder.build();
        groups.clear();
        builder.maxBodySize(2).ignoredRequestHeaders(List.of());
        assertThat(options)
                .hasToString("HttpCollapseOptions[rules=[CollapseRule[path-only, [/a, /b]]],"
                        + " ignoredRequestHeaders=[x-trace-*], credentialHeaders=[x-badge], maxBodySize=1,"
                        + " onLeaderFailure=SHARE, fanOutLimit=2,"
                        + " passTtl=PT0S, followerTimeout=PT3S, onFollowerTimeout=FAIL, cacheStatus=my.proxy]");
        assertThat(options.rules().get(0).patterns()).hasSize(2);
        assertThat(options.rules().get(0).policy()).isSameAs(CollapsePolicy.pathOnly());
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 2_147_483_640, Long.MAX_VALUE})
    void aBodySizeOutOfRangeIsRefused(long bytes) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HttpCollapseOptions.builder().maxBodySize(bytes))
                .withMessage("maxBodySize is " + bytes + ": it must be a number of bytes from 0 to 2147483639");
    }

    @Test
    void aSettingOutOfRangeIsRefused() {
        HttpCollapseOptions.Builder builder = HttpCollapseOptions.builder();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.fanOutLimit(0))
                .withMessageStartingWith("fanOutLimit is 0: it must be");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.passTtl(Duration.ofMillis(-1)))
                .withMessageStartingWith("passTtl is PT-0.001S: it must be");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.followerTimeout(Duration.ZERO))
                .withMessageStartingWith("followerTimeout is PT0S: it must be");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.followerTimeout(Duration.ofDays(366)))
                .withMessageStartingWith("followerTimeout is PT8784H: it must be");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.cacheStatus("a b"))
                .withMessageStartingWith("cacheStatus is 'a b': it must be");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a b",
                "a:",
                "\u00e9",
                "*",
                "X-*-Id",
                "Authorization",
                "if-none-match",
                "Idempotency-Key",
                "X-Forwarded-User",
                "X-Auth-Request-*"
            })
    void aHeaderThatCannotBeIgnoredIsRefused(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HttpCollapseOptions.builder().ignoredRequestHeaders(List.of(name)))
                .withMessageStartingWith("ignoredRequestHeaders is '" + name + "': ");
    }

    @Test
    void aCredentialOfOnesOwnCannotBeIgnored() {
        HttpCollapseOptions.Builder credentialFirst =
                HttpCollapseOptions.builder().credentialHeaders(List.of("X-Badge"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> credentialFirst.ignoredRequestHeaders(List.of("x-badge")))
                .withMessageStartingWith("ignoredRequestHeaders is 'x-badge': it cannot be ignored");
        HttpCollapseOptions.Builder ignoredFirst = HttpCollapseOptions.builder()
                .ignoredRequestHeaders(List.of("X-Badge"))
                .credentialHeaders(List.of("X-*"));
        assertThatIllegalArgumentException()
                .isThrownBy(ignoredFirst::build)
                .withMessageStartingWith("ignoredRequestHeaders is 'x-badge': it cannot be ignored");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "*", "X-*-Id"})
    void aNameThatIsNoHeaderIsNoCredentialHeader(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HttpCollapseOptions.builder().credentialHeaders(List.of(name)))
                .withMessageStartingWith("credentialHeaders is '" + name + "': ");
    }

    @Test
    void credentialsAreKnownByTheirNames() {
        HttpCollapseOptions options = HttpCollapseOptions.builder()
                .credentialHeaders(List.of("X-Badge"))
                .build();
        assertThat(List.of("Authorization", "COOKIE", "X-Auth-Request-User", "x-badge"))
                .allMatch(options::isCredential);
        assertThat(List.of("Accept", "X-Forwarded-For", "X-Auth")).noneMatch(options::isCredential);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "strict", "path-only"})
    void aPolicyNeedsANameOfItsOwn(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CollapsePolicy.named(name))
                .withMessageStartingWith("name is '" + name + "': a policy needs");
    }

    @Test
    void aPolicyListsHeadersAndParameters() {
        CollapsePolicy.Builder builder = CollapsePolicy.named("own")
                .requestHeaders(List.of("User-Id", "USER-ID"))
                .requestQueries(List.of("Sample"))
                .shareAcrossUsers(true)
                .stripSetCookie(true);
        CollapsePolicy policy = builder.build();
        builder.requestHeaders(List.of());
        assertThat(policy)
                .hasToString("CollapsePolicy[own, everyHeader=false, requestHeaders=[user-id], wholeQuery=false,"
                        + " requestQueries=[Sample], clientAddress=false, shareAcrossUsers=true, stripSetCookie=true]");
        assertThat(policy.name()).isEqualTo("own");
        assertThat(policy.requestHeaders()).containsExactly("user-id");
        assertThat(policy.requestQueries()).containsExactly("Sample");
    }

    @Test
    void aPolicyRefusesWhatIsNoName() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CollapsePolicy.named("own").requestHeaders(List.of("a b")))
                .withMessageStartingWith("requestHeaders is 'a b': it must be the name of a header");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CollapsePolicy.named("own").requestQueries(List.of("")))
                .withMessageStartingWith("requestQueries is '': the name");
    }

    @Test
    void optionsForPathsAreOneStrictGroupAndElseTheDefaults() {
        HttpCollapseOptions built = HttpCollapseOptions.builder()
                .rules(List.of(CollapseRule.of(CollapsePolicy.strict(), "/user/*", "/test/**")))
                .build();
        assertThat(HttpCollapseOptions.forPaths("/user/*", "/test/**")).hasToString(built.toString());
        assertThatIllegalArgumentException().isThrownBy(HttpCollapseOptions::forPaths);
    }

    @Test
    void H34_aRuleNeedsAPattern() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CollapseRule.of(CollapsePolicy.strict(), List.of()))
                .withMessageStartingWith("patterns is []: a rule needs");
    }

    @Test
    @SuppressWarnings("NullAway") // the point of the test
    void nullIsRefused() {
        assertThatNullPointerException().isThrownBy(() -> CollapsePolicy.named(null));
        assertThatNullPointerException().isThrownBy(() -> CollapseRule.of(null, "/a"));
        assertThatNullPointerException()
                .isThrownBy(() -> HttpCollapseOptions.builder().onLeaderFailure(null));
    }

    @Test
    void failuresAreSharedOrReElectedUnlessOneChoiceIsMadeForBoth() {
        assertThat(HttpCollapseOptions.builder().build().onErrorResponse()).isEqualTo(LeaderFailurePolicy.SHARE);
        assertThat(HttpCollapseOptions.builder().build().onTransportFailure()).isEqualTo(LeaderFailurePolicy.RE_ELECT);
        HttpCollapseOptions chosen = HttpCollapseOptions.builder()
                .onLeaderFailure(LeaderFailurePolicy.FAN_OUT)
                .build();
        assertThat(chosen.onErrorResponse()).isEqualTo(LeaderFailurePolicy.FAN_OUT);
        assertThat(chosen.onTransportFailure()).isEqualTo(LeaderFailurePolicy.FAN_OUT);
    }
}
