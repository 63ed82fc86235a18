package io.github.collapseexecutor.http.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.Reason;
import io.github.collapseexecutor.http.fixture.Warnings;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;

class UnsharedResponsesTests {

    private static final HttpCollapseOptions OPTIONS = HttpCollapseOptions.builder()
            .rules(List.of(
                    CollapseRule.of(CollapsePolicy.strict(), "/one/**"),
                    CollapseRule.of(CollapsePolicy.strict(), "/two/**")))
            .maxBodySize(1_234)
            .build();

    private final SharingRules rules = TestRules.of(OPTIONS);
    private final UnsharedResponses unshared = new UnsharedResponses("users", OPTIONS);

    private void say(String uri, Reason reason) {
        unshared.sayOnce(Decided.request(rules.collapsible(FakeRequest.get(uri))), reason);
    }

    @Test
    void eachReasonOfAGroupAndAHostIsSaidOnce() {
        try (Warnings said = new Warnings(SharingRules.class, Level.INFO)) {
            for (int i = 0; i < 3; i++) {
                say("http://a:1/one/" + i, Reason.NO_STORE);
                say("http://b:1/one/" + i, Reason.NO_STORE);
                say("http://a:1/two/" + i, Reason.NO_STORE);
                say("http://a:1/one/" + i, Reason.VARY);
            }
            assertThat(said.messages()).hasSize(4);
            assertThat(said.messages().get(0))
                    .startsWith("users: a response of a:1 to requests of group [/one/**] was not shared")
                    .contains("Cache-Control: no-store");
            assertThat(said.messages().get(1)).contains(" b:1 ");
            assertThat(said.messages().get(2)).contains("[/two/**]");
            assertThat(said.messages().get(3)).contains("Vary: *");
        }
    }

    @Test
    void H33_nothingOfTheRequestIsSaidButTheHost() {
        try (Warnings said = new Warnings(SharingRules.class, Level.INFO)) {
            say("http://user:secret@a:1/one/secret?q=secret", Reason.NO_STORE);
            assertThat(said.messages()).singleElement().asString().doesNotContain("user:", "secret");
        }
    }

    @Test
    void aClientOfManyHostsSaysItTwentyTimesAtMost() {
        try (Warnings said = new Warnings(SharingRules.class, Level.INFO)) {
            for (int host = 0; host < 100; host++) {
                say("http://a" + host + "/one/1", Reason.PRIVATE);
            }
            assertThat(said.messages()).hasSize(20);
        }
    }

    @Test
    void reasonsThatAreNotTheOriginsAreNotSaid() {
        Set<Reason> ofTheOrigin = EnumSet.of(
                Reason.NO_STORE,
                Reason.NO_CACHE,
                Reason.PRIVATE,
                Reason.AUTHORIZATION,
                Reason.SET_COOKIE,
                Reason.PERSONAL,
                Reason.VARY,
                Reason.LENGTH,
                Reason.STREAM,
                Reason.TOO_LARGE);
        for (Reason reason : Reason.values()) {
            try (Warnings said = new Warnings(SharingRules.class, Level.INFO)) {
                say("http://a/one/1", reason);
                assertThat(said.messages()).as(reason.name()).hasSize(ofTheOrigin.contains(reason) ? 1 : 0);
            }
        }
    }

    @Test
    void aLimitIsNamedWithItsValue() {
        try (Warnings said = new Warnings(SharingRules.class, Level.INFO)) {
            say("http://a/one/1", Reason.TOO_LARGE);
            assertThat(said.messages()).singleElement().asString().contains("max-body-size (1234 bytes)");
        }
    }
}
