package io.github.collapseexecutor.http.rules;

import static io.github.collapseexecutor.http.rules.Decided.request;
import static io.github.collapseexecutor.http.rules.FakeRequest.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What requests are called among instances: the same on all, and different wherever they must not share. */
class InstanceKeysTests {

    private final InstanceKeys keys = new InstanceKeys(HttpCollapseOptions.forPaths("/**"));

    private static CollapsibleRequest arrived(CollapsePolicy policy, FakeRequest request) {
        return arrived(CollapseRule.of(policy, "/**"), request);
    }

    private static CollapsibleRequest arrived(CollapseRule rule, FakeRequest request) {
        SharingRules rules =
                TestRules.of(HttpCollapseOptions.builder().rules(List.of(rule)).build());
        return request(rules.collapsible(request));
    }

    /** A client with a setting that other instances know. */
    private record Client(@Nullable Object owner, List<@Nullable String> settings) implements ClientAmongInstances {}

    private String strict(FakeRequest request) {
        return keys.of(arrived(CollapsePolicy.strict(), request));
    }

    @Test
    void requestsThatDifferInAnythingHaveDifferentKeys() {
        List<FakeRequest> requests = List.of(
                get("http://a/p"),
                get("https://a/p"),
                get("http://b/p"),
                get("http://a:81/p"),
                get("http://u@a/p"),
                get("http://a/P"),
                get("http://a/p?"),
                get("http://a/p?q"),
                FakeRequest.of("HEAD", "http://a/p"),
                get("http://a/p").with("Authorization", "Ada"),
                get("http://a/p").with("Authorization", "Bob"),
                get("http://a/p").with("Cookie", "Ada"),
                get("http://a/p").with("X-A", ""),
                get("http://a/p").with("X-A", "1").with("X-A", "2"),
                get("http://a/p").with("X-A", "1, 2"),
                get("http://a/p").with("X-A", "1").with("X-B", "2"),
                get("http://a/p").with("X-A", null),
                get("http://a/p").with("X-A", "-"));
        Set<String> seen = new HashSet<>();
        for (FakeRequest request : requests) {
            assertThat(seen.add(strict(request))).as("%s", request.uri()).isTrue();
        }
    }

    @Test
    void equalRequestsHaveEqualKeysInEveryProcess() {
        assertThat(strict(get("http://a/p").with("B", "1").with("A", "2")))
                .isEqualTo(new InstanceKeys(HttpCollapseOptions.forPaths("/**"))
                        .of(arrived(
                                CollapsePolicy.strict(),
                                get("http://a:80/p").with("A", "2").with("b", "1"))));
    }

    @Test
    void policiesThatSayOtherThingsAboutUsersHaveDifferentKeys() {
        CollapsePolicy.Builder policy = CollapsePolicy.named("policy");
        String plain = keys.of(arrived(policy.build(), get("http://a/p")));
        String across = keys.of(arrived(policy.shareAcrossUsers(true).build(), get("http://a/p")));
        String stripping = keys.of(arrived(policy.stripSetCookie(true).build(), get("http://a/p")));
        assertThat(Set.of(plain, across, stripping)).hasSize(3).contains(strict(get("http://a/p")));
    }

    @Test
    void policiesThatListOtherPartsHaveDifferentKeysEvenIfNoPartIsThere() {
        Set<String> seen = new HashSet<>();
        for (List<String> headers : Arrays.asList(null, List.<String>of(), List.of("X-A"), List.of("X-A", "X-B"))) {
            for (List<String> queries : Arrays.asList(null, List.<String>of(), List.of("a"), List.of("x-a"))) {
                CollapsePolicy.Builder policy = CollapsePolicy.named("policy");
                if (headers != null) {
                    policy.requestHeaders(headers);
                }
                if (queries != null) {
                    policy.requestQueries(queries);
                }
                assertThat(seen.add(keys.of(arrived(policy.build(), get("http://a/p")))))
                        .as("%s %s", headers, queries)
                        .isTrue();
            }
        }
    }

    @Test
    void instancesThatIgnoreOtherHeadersOrKnowOtherCredentialsHaveDifferentKeys() {
        HttpCollapseOptions.Builder options =
                HttpCollapseOptions.builder().rules(List.of(CollapseRule.of(CollapsePolicy.strict(), "/**")));
        CollapsibleRequest request = arrived(CollapsePolicy.strict(), get("http://a/p"));
        String plain = new InstanceKeys(options.build()).of(request);
        String ignoring =
                new InstanceKeys(options.ignoredRequestHeaders(List.of("X-A")).build()).of(request);
        String knowing = new InstanceKeys(options.ignoredRequestHeaders(List.of())
                        .credentialHeaders(List.of("X-A"))
                        .build())
                .of(request);
        assertThat(Set.of(plain, ignoring, knowing)).hasSize(3);
    }

    @Test
    void aRuleMayKeepItsResponsesWithinTheInstance() {
        CollapseRule rule = CollapseRule.of(CollapsePolicy.strict(), "/**");
        assertThat(keys.of(arrived(rule, get("http://a/p")))).isNotNull();
        assertThat(keys.of(arrived(rule.withinInstance(), get("http://a/p")))).isNull();
    }

    @Test
    void H35_settingsOfAClientArePartOfTheKeyAndItsOwnerIsNot() {
        Object owner = new Object();
        String fast = strict(get("http://a/p").sentBy(new Client(owner, List.of("1 s"))));
        String slow = strict(get("http://a/p").sentBy(new Client(owner, List.of("9 s"))));
        assertThat(fast).isNotNull().isNotEqualTo(slow);
        assertThat(strict(get("http://a/p").sentBy(new Client(owner, List.of("1 s")))))
                .isEqualTo(fast);
        assertThat(strict(get("http://a/p").sentBy(new Client(owner, List.of("a:b", "c")))))
                .isNotEqualTo(strict(get("http://a/p").sentBy(new Client(owner, List.of("a", "b:c")))));
        assertThat(strict(get("http://a/p").sentBy(new Client(new Object(), List.of("1 s")))))
                .isNull();
    }

    @Test
    void H35_anAdapterThatSeesASecondClientSharesNothingAnyMore() {
        Object client = new Object();
        assertThat(strict(get("http://a/p").sentBy(client))).isNotNull();
        assertThat(strict(get("http://a/p").sentBy(client))).isNotNull();
        assertThat(strict(get("http://a/p").sentBy(new Object()))).isNull();
        assertThat(strict(get("http://a/p").sentBy(client))).isNull();
        assertThat(strict(get("http://a/p"))).isNull();
    }
}
