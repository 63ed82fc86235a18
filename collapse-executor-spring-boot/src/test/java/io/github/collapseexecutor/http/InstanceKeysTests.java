package io.github.collapseexecutor.http;

import static io.github.collapseexecutor.http.Decided.request;
import static io.github.collapseexecutor.http.FakeRequest.get;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What requests are called among instances: the same on all, and different wherever they must not share. */
class InstanceKeysTests {

    private final InstanceKeys keys = new InstanceKeys();

    private static CollapsibleRequest arrived(CollapsePolicy policy, FakeRequest request) {
        SharingRules rules = new SharingRules(HttpCollapseOptions.builder()
                .rules(List.of(CollapseRule.of(policy, "/**")))
                .build());
        return request(rules.collapsible(request));
    }

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
                .isEqualTo(new InstanceKeys()
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
        assertThat(Set.of(plain, across, stripping, strict(get("http://a/p")))).hasSize(4);
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
