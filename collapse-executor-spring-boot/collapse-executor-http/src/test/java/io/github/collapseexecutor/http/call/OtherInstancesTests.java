package io.github.collapseexecutor.http.call;

import static io.github.collapseexecutor.http.rules.Decided.head;
import static io.github.collapseexecutor.http.rules.Decided.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.github.collapseexecutor.core.BatchHandle;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.InvalidOptionException;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.OtherInstances;
import io.github.collapseexecutor.http.client.CollapseHttpRequestInterceptor;
import io.github.collapseexecutor.http.reactive.CollapseExchangeFilterFunction;
import io.github.collapseexecutor.http.rules.FakeRequest;
import io.github.collapseexecutor.http.rules.FakeResponse;
import io.github.collapseexecutor.http.rules.SharedResponse;
import io.github.collapseexecutor.http.rules.SharingRules;
import io.github.collapseexecutor.http.rules.StoredResponse;
import io.github.collapseexecutor.http.servlet.CollapseServletFilter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What the leader of a batch does about other instances, as tables: what they answer, and what they are told. */
class OtherInstancesTests extends MachineFixture {

    private final List<String> told = new ArrayList<>();
    private boolean shareFails;

    /** Other instances that a test answers for. */
    private static final class Asked implements OtherInstances {

        @Override
        public Question ask(String key) {
            return new Question() {
                @Override
                public CompletableFuture<Answer> answer() {
                    return new CompletableFuture<>();
                }

                @Override
                public void leave() {}
            };
        }
    }

    private final class Told implements OtherInstances.Duty {

        private final boolean awaited;

        Told(boolean awaited) {
            this.awaited = awaited;
        }

        @Override
        public boolean isAwaited() {
            return awaited;
        }

        @Override
        public int limit() {
            return 4;
        }

        @Override
        public void share(byte[] response) {
            told.add("share");
            if (shareFails) {
                throw new IllegalStateException("not stored");
            }
        }

        @Override
        public void refuse() {
            told.add("refuse");
        }

        @Override
        public void fail() {
            told.add("fail");
        }

        @Override
        public void end() {
            told.add("end");
        }

        @Override
        public void giveUp() {
            told.add("giveUp");
        }
    }

    private static HttpCollapseOptions.Builder asking() {
        return everything().maxBodySize(8).otherInstances(new Asked());
    }

    private LeaderMachine asked(SharingRules rules, FakeRequest request, BatchHandle batch) {
        LeaderMachine call = gathered(rules, request).lead(batch);
        assertThat(shown(call.start())).isEqualTo("AskInstances");
        assertThat(call.wasSent()).isFalse();
        return call;
    }

    static Stream<Arguments> endings() {
        FakeResponse ok = FakeResponse.of(200);
        return Stream.of(
                arguments("a response for all", ok, true, true, "share"),
                arguments("of a batch of several", ok, false, true, "share"),
                arguments("that nobody else waits for", ok, false, false, "end"),
                arguments("H38 of a lone request that nobody else waits for", ok, true, false, "end"),
                arguments("H18", FakeResponse.of(200).with("Set-Cookie", "a=b"), true, true, "refuse"),
                arguments("H16", FakeResponse.of(200).with("Cache-Control", "private"), false, true, "refuse"),
                arguments("H27", FakeResponse.of(200).with("Content-Length", "9"), true, true, "refuse"),
                arguments("after a redirect", FakeResponse.of(200).forThisInstanceOnly(), false, true, "refuse"),
                arguments("H39", FakeResponse.unreadable(), true, true, "refuse"),
                arguments("H19 of an origin in distress", FakeResponse.of(503), false, true, "fail"),
                arguments(
                        "H19 for some time",
                        FakeResponse.of(503).with("Cache-Control", "max-age=9"),
                        true,
                        true,
                        "fail"),
                arguments("H19 a limit", FakeResponse.of(429).with("Retry-After", "1"), false, true, "fail"),
                arguments("H19 as final as any", FakeResponse.of(501), true, true, "share"),
                arguments("H22 an error response", FakeResponse.of(500), true, true, "fail"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("endings")
    void theOthersAreToldOfAResponse(String rule, FakeResponse response, boolean lone, boolean awaited, String expected)
            throws IOException {
        SharingRules rules = rules(asking());
        FakeRequest request = fromTenant("1");
        LeaderMachine call = asked(rules, request, () -> lone);
        assertThat(shown(call.answered(new OtherInstances.Send(new Told(awaited)))))
                .isEqualTo("Send");
        Command.OfCall next = call.headArrived(request, () -> response);
        if (next instanceof Command.Collect) {
            next = call.bodyCollected(new byte[3], () -> null);
            assertThat(((Command.Share) next).receiver()).isEqualTo(SharedResponse.Receiver.LEADER);
        }
        assertThat(told).containsExactly(expected);
    }

    @Test
    void H27_aBodyThatIsTooLargeIsRefused() throws IOException {
        FakeRequest request = fromTenant("1");
        LeaderMachine call = asked(rules(asking()), request, () -> true);
        call.answered(new OtherInstances.Send(new Told(true)));
        call.headArrived(request, () -> FakeResponse.of(200));
        call.bodyTooLarge();
        assertThat(told).containsExactly("refuse");
    }

    @Test
    void aBodyThatIsTooLargeForTheOthersIsRefusedThemOnly() throws IOException {
        FakeRequest request = fromTenant("1");
        LeaderMachine call = asked(rules(asking()), request, () -> true);
        call.answered(new OtherInstances.Send(new Told(true)));
        call.headArrived(request, () -> FakeResponse.of(200));
        assertThat(shown(call.bodyCollected(new byte[5], () -> null))).isEqualTo("Share");
        assertThat(told).containsExactly("refuse");
    }

    @Test
    void aResponseThatCannotBeStoredReachesItsOwnCallers() throws IOException {
        shareFails = true;
        FakeRequest request = fromTenant("1");
        LeaderMachine call = asked(rules(asking()), request, () -> true);
        call.answered(new OtherInstances.Send(new Told(true)));
        call.headArrived(request, () -> FakeResponse.of(200));
        assertThat(shown(call.bodyCollected(new byte[3], () -> null))).isEqualTo("Share");
        assertThat(told).containsExactly("share", "refuse");
    }

    @Test
    void H22_ofAFailureTheOthersAreTold() {
        LeaderMachine call = asked(rules(asking()), fromTenant("1"), () -> false);
        call.answered(new OtherInstances.Send(new Told(true)));
        call.failed(refused, true);
        assertThat(told).containsExactly("fail");
    }

    @Test
    void H23_aFailureOfTheLeadersOwnLeavesTheCallToAnother() {
        LeaderMachine call = asked(rules(asking()), fromTenant("1"), new OwnFailures());
        call.answered(new OtherInstances.Send(new Told(true)));
        assertThat(shown(call.failed(refused, true))).isEqualTo("break NotMade");
        assertThat(told).containsExactly("giveUp");
    }

    private static byte[] stored(SharingRules rules, FakeRequest leader, FakeResponse response) {
        return StoredResponse.bytesOf(
                head(rules.shareable(request(rules.collapsible(leader)), leader, response)), new byte[3]);
    }

    @Test
    void theResponseOfAnotherInstanceAnswersTheBatch() {
        SharingRules rules = rules(asking());
        LeaderMachine call = asked(rules, fromTenant("1"), () -> false);
        byte[] theirs = stored(rules, fromTenant("1"), FakeResponse.of(200).with("Vary", "X"));
        Command.OfCall next = call.answered(new OtherInstances.Take(theirs, () -> told.add("unreadable")));
        assertThat(((Command.Share) next).receiver()).isEqualTo(SharedResponse.Receiver.FOLLOWER);
        assertThat(shown(call.leaderAnswered())).isEqualTo("publish Shared");
        assertThat(call.wasSent()).isFalse();
        assertThat(told).isEmpty();
    }

    @Test
    void H14_aResponseThatDoesNotSuitTheRequestIsNotTaken() {
        SharingRules rules = rules(asking());
        LeaderMachine call = asked(rules, fromTenant("2"), () -> false);
        byte[] theirs = stored(rules, fromTenant("1"), FakeResponse.of(200).with("Vary", "X"));
        assertThat(shown(call.answered(new OtherInstances.Take(theirs, () -> told.add("unreadable")))))
                .isEqualTo("Send");
        assertThat(call.wasSent()).isTrue();
    }

    @Test
    void aFormThatCannotBeReadIsNotTakenAndTheOthersAreTold() {
        LeaderMachine call = asked(rules(asking()), fromTenant("1"), () -> false);
        assertThat(shown(call.answered(new OtherInstances.Take(new byte[] {7}, () -> told.add("unreadable")))))
                .isEqualTo("Send");
        assertThat(told).containsExactly("unreadable");
    }

    @Test
    void withoutAnAnswerInTimeTheRequestIsSent() {
        LeaderMachine call = asked(rules(asking()), fromTenant("1"), () -> false);
        assertThat(shown(call.unanswered())).isEqualTo("Send");
    }

    @Test
    void requestsThatGatherAgainDoNotAsk() {
        CallMachine machine = gathered(rules(asking()), fromTenant("1"));
        assertThat(shown(machine.joined(failed(refused)))).isEqualTo("gather REGROUPING");
        assertThat(shown(machine.lead(() -> false).start())).isEqualTo("Send");
    }

    @Test
    void withoutOtherInstancesNobodyAsks() {
        assertThat(shown(gathered(rules(everything()), fromTenant("1"))
                        .lead(() -> false)
                        .start()))
                .isEqualTo("Send");
    }

    @Test
    void aServerRefusesTheOption() {
        HttpCollapseOptions options = asking().build();
        assertThatExceptionOfType(InvalidOptionException.class)
                .isThrownBy(() -> CollapseServletFilter.builder(options).build())
                .withMessageContaining("only clients share responses");
    }

    @Test
    void H35_aClientThatIsMadeFromAnotherSharesByANameOfItsOwn() {
        HttpCollapseOptions options = asking().build();
        CollapseHttpRequestInterceptor interceptor =
                new CollapseHttpRequestInterceptor(options, CollapseOptions.defaults());
        assertThat(interceptor.forAnotherClient())
                .extracting("http.set.otherInstances")
                .isNull();
        Asked own = new Asked();
        assertThat(interceptor.forAnotherClient(own))
                .extracting("http.set.otherInstances")
                .isSameAs(own);
        CollapseExchangeFilterFunction filter = new CollapseExchangeFilterFunction(options, CollapseOptions.defaults());
        assertThat(filter.forAnotherClient())
                .extracting("http.set.otherInstances")
                .isNull();
        assertThat(filter.forAnotherClient(own))
                .extracting("http.set.otherInstances")
                .isSameAs(own);
    }

    @Test
    void aBuilderOfOptionsKeepsThemAll() {
        HttpCollapseOptions options = asking().cacheStatus("here").build();
        assertThat(options.toBuilder().build()).usingRecursiveComparison().isEqualTo(options);
    }

    /** The handle of a batch whose leader has been interrupted. */
    private static final class OwnFailures implements BatchHandle {
        @Override
        public boolean isLone() {
            return false;
        }

        @Override
        public boolean isLeadersOwn(Throwable failure) {
            return true;
        }
    }
}
