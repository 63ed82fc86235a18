package io.github.collapseexecutor.http.rules;

import static io.github.collapseexecutor.http.rules.Decided.request;
import static io.github.collapseexecutor.http.rules.FakeRequest.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class KeyDigestsTests {

    private static final CollapsePolicy LISTED = CollapsePolicy.named("listed")
            .requestHeaders(List.of("User-Id"))
            .requestQueries(List.of("a", "b"))
            .build();

    private final KeyDigests digests = new KeyDigests();

    private static RequestKey key(CollapsePolicy policy, HttpRequestView request) {
        return key(rules(policy), request);
    }

    private static SharingRules rules(CollapsePolicy policy) {
        return TestRules.of(HttpCollapseOptions.builder()
                .rules(List.of(CollapseRule.of(policy, "/**")))
                .build());
    }

    private static RequestKey key(SharingRules rules, HttpRequestView request) {
        return request(rules.collapsible(request)).key();
    }

    private static RequestKey key(String uri) {
        return key(CollapsePolicy.strict(), get(uri));
    }

    static Stream<Arguments> different() {
        FakeRequest head = FakeRequest.of("HEAD", "http://a/p");
        CollapsePolicy strict = CollapsePolicy.strict();
        return Stream.of(
                Arguments.of(key("http://a/p"), key(strict, head)),
                Arguments.of(key("http://a/p"), key("https://a:80/p")),
                Arguments.of(key("http://a/p"), key("http://u@a/p")),
                Arguments.of(key("http://a/p"), key("http://b/p")),
                Arguments.of(key("http://a/p"), key("http://a:81/p")),
                Arguments.of(key("http://a/p"), key("http://a/q")),
                Arguments.of(key("http://a/p"), key("http://a/p?")),
                Arguments.of(key("http://a/p?1"), key("http://a/p?2")),
                Arguments.of(key(LISTED, get("http://a/p?a=1")), key(LISTED, get("http://a/p?a=2"))),
                Arguments.of(key(LISTED, get("http://a/p?a=1&b=2")), key(LISTED, get("http://a/p?b=2&a=1"))),
                Arguments.of(key(LISTED, get("http://a/p?a=1")), key("http://a/p?a=1")),
                Arguments.of(
                        key(strict, get("http://a/p").with("X-User", "1")),
                        key(strict, get("http://a/p").with("X-User", "2"))),
                Arguments.of(
                        key(strict, get("http://a/p").with("X-User", "12").with("X-Zone", "3")),
                        key(strict, get("http://a/p").with("X-User", "1").with("X-Zone", "23"))),
                Arguments.of(
                        key(strict, get("http://a/p").with("x-a", "1").with("x-b", "2")),
                        key(strict, get("http://a/p").with("x-a", "1x-b12"))),
                Arguments.of(
                        key(strict, get("http://a/p").with("X-User", "1").with("X-User", "2")),
                        key(strict, get("http://a/p").with("X-User", "12"))),
                Arguments.of(
                        key(strict, get("http://a/p").with("X-User", "\ud800")),
                        key(strict, get("http://a/p").with("X-User", "\ud801"))));
    }

    @ParameterizedTest
    @MethodSource("different")
    void keysThatDifferHaveDifferentDigests(RequestKey one, RequestKey other) {
        assertThat(one).isNotEqualTo(other);
        assertThat(digests.of(one)).isNotEqualTo(digests.of(other));
    }

    @Test
    void keysOnEitherSideOfAWriteHaveDifferentDigests() {
        SharingRules rules = rules(CollapsePolicy.strict());
        RequestKey before = key(rules, get("http://a/p"));
        rules.forwarded(FakeRequest.of("POST", "http://a/p"), null);
        assertThat(digests.of(key(rules, get("http://a/p")))).isNotEqualTo(digests.of(before));
    }

    @Test
    void equalKeysHaveEqualDigests() {
        RequestKey one = key(
                CollapsePolicy.strict(),
                get("http://a/p?q").with("B", "1").with("A", "2").with("A", "3"));
        RequestKey same = key(
                CollapsePolicy.strict(),
                get("http://a:80/p?q").with("a", "2").with("A", "3").with("b", "1"));
        assertThat(one).isEqualTo(same);
        assertThat(digests.of(one)).isEqualTo(digests.of(same));
    }

    @Test
    void noTwoInstancesHaveEqualDigests() {
        assertThat(new KeyDigests().of(key("http://a/p"))).isNotEqualTo(digests.of(key("http://a/p")));
    }
}
