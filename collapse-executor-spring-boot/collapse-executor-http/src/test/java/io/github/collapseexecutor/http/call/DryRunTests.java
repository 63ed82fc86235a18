package io.github.collapseexecutor.http.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.BatchSummary;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.ContextCarrier;
import io.github.collapseexecutor.core.JoinMode;
import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.DryRun;
import io.github.collapseexecutor.http.DryRunFindings;
import io.github.collapseexecutor.http.DryRunReport;
import io.github.collapseexecutor.http.HttpCollapseListener;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.LeaderFailurePolicy;
import io.github.collapseexecutor.http.Reason;
import io.github.collapseexecutor.http.dryrun.BodyWatch;
import io.github.collapseexecutor.http.fixture.Warnings;
import io.github.collapseexecutor.http.rules.CollapsibleRequest;
import io.github.collapseexecutor.http.rules.Decided;
import io.github.collapseexecutor.http.rules.FakeRequest;
import io.github.collapseexecutor.http.rules.FakeResponse;
import io.github.collapseexecutor.http.rules.HttpResponseView;
import io.github.collapseexecutor.http.rules.ManualHttpTime;
import io.github.collapseexecutor.http.rules.RequestDifferences;
import io.github.collapseexecutor.http.rules.SharingRules;
import io.github.collapseexecutor.http.rules.Side;
import io.github.collapseexecutor.http.rules.TestRules;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a dry run counts, explains and keeps. */
class DryRunTests {

    private static final FakeResponse OK = FakeResponse.of(200);

    private final DryRun dryRun = new DryRun("users");

    private HttpCollapseOptions inDryRun() {
        return HttpCollapseOptions.builder()
                .rules(List.of(CollapseRule.of(CollapsePolicy.pathOnly(), "/**").inDryRun(dryRun)))
                .build();
    }

    private FutureHttpCollapseExecutor executor(CollapseOptions core) {
        return FutureHttpCollapseExecutor.ofClient(inDryRun(), core);
    }

    private static FakeFutureExchange sent(FutureHttpCollapseExecutor executor, FakeRequest request) {
        FakeFutureExchange exchange = new FakeFutureExchange(request);
        var unused = executor.execute(exchange);
        assertThat(exchange.wasSent()).isTrue();
        return exchange;
    }

    private static FakeRequest from(String user) {
        return FakeRequest.get("http://a/p").with("X-User", user);
    }

    @Test
    void aRequestThatWouldBeRefusedIsCountedAndSentAllTheSame() {
        FutureHttpCollapseExecutor executor = executor(CollapseOptions.builder()
                .joinMode(JoinMode.IN_FLIGHT)
                .maxPending(3)
                .build());
        List<FakeFutureExchange> all = List.of(
                sent(executor, from("1")),
                sent(executor, from("1")),
                sent(executor, from("1")),
                sent(executor, from("1")));
        all.forEach(exchange -> exchange.receive(OK, "a"));
        assertThat(dryRun.report().requests()).isEqualTo(4);
        assertThat(dryRun.report().shared()).isEqualTo(2);
        assertThat(dryRun.report().refused()).isEqualTo(1);
    }

    /** The others of the adapter are fresh. */
    @Test
    void aRuleThatJoinsInFlightWouldShareACallThatIsRunning() {
        CollapseRule joining = CollapseRule.of(CollapsePolicy.pathOnly(), "/**").joining(JoinMode.IN_FLIGHT);
        FutureHttpCollapseExecutor executor = FutureHttpCollapseExecutor.ofClient(
                HttpCollapseOptions.builder()
                        .rules(List.of(joining.inDryRun(dryRun)))
                        .build(),
                CollapseOptions.defaults());
        List<FakeFutureExchange> all = List.of(sent(executor, from("1")), sent(executor, from("1")));
        all.forEach(exchange -> exchange.receive(OK, "a"));
        assertThat(dryRun.report().shared()).isEqualTo(1);
    }

    /** A carrier takes the contexts of callers to a call that they share. */
    @Test
    void noContextIsTakenForACallThatNobodyShares() {
        ContextCarrier untouched = new ContextCarrier() {
            @Override
            public @Nullable Object capture() {
                throw new AssertionError("nothing is shared");
            }

            @Override
            public <T extends @Nullable Object> T around(List<@Nullable Object> contexts, Callable<T> execution) {
                throw new AssertionError("nothing is shared");
            }
        };
        FutureHttpCollapseExecutor executor = executor(CollapseOptions.builder()
                .joinMode(JoinMode.IN_FLIGHT)
                .contextCarrier(untouched)
                .build());
        List<FakeFutureExchange> all = List.of(sent(executor, from("1")), sent(executor, from("1")));
        all.forEach(exchange -> exchange.receive(OK, "a"));
        assertThat(dryRun.report().shared()).isEqualTo(1);
    }

    @Test
    void aFollowerOfAFailureWouldHaveSharedNoResponse() {
        FutureHttpCollapseExecutor executor =
                executor(CollapseOptions.builder().joinMode(JoinMode.IN_FLIGHT).build());
        FakeFutureExchange leader = sent(executor, from("1"));
        FakeFutureExchange follower = sent(executor, from("1"));
        leader.sending.completeExceptionally(new IOException("reset"));
        follower.receive(OK, "a");
        assertThat(dryRun.report().shared()).isZero();
        assertThat(dryRun.report().notShared()).isEqualTo(Map.of(Reason.LEADER_FAILED, 1L));
    }

    /** A re-elected follower's response may suit the others; that is not known without it, so that it is not counted as saved. */
    @ParameterizedTest
    @CsvSource({"SHARE, 500, 1", "SHARE, 503, 1", "FAN_OUT, 500, 0", "FAN_OUT, 503, 1", "RE_ELECT, 500, 0"})
    void aFollowerOfAnErrorResponseWouldHaveSharedItIfFailuresAreShared(
            LeaderFailurePolicy policy, int status, int shared) {
        FutureHttpCollapseExecutor executor = FutureHttpCollapseExecutor.ofClient(
                HttpCollapseOptions.builder()
                        .rules(List.of(CollapseRule.of(CollapsePolicy.pathOnly(), "/**")
                                .inDryRun(dryRun)))
                        .onLeaderFailure(policy)
                        .build(),
                CollapseOptions.builder().joinMode(JoinMode.IN_FLIGHT).build());
        FakeFutureExchange leader = sent(executor, from("1"));
        FakeFutureExchange follower = sent(executor, from("1"));
        leader.receive(FakeResponse.of(status), "down");
        follower.receive(OK, "a");
        assertThat(dryRun.report().shared()).isEqualTo(shared);
        assertThat(dryRun.report().notShared()).isEqualTo(shared == 1 ? Map.of() : Map.of(Reason.LEADER_FAILED, 1L));
    }

    /** The third one joins in flight, or gathers with the second; the fourth comes when the first has its answer. */
    @ParameterizedTest
    @CsvSource({"IN_FLIGHT, 2", "FRESH, 1"})
    void aRequestThatComesAfterTheAnswerWouldNotHaveSharedIt(JoinMode join, int shared) {
        FutureHttpCollapseExecutor executor = executor(
                CollapseOptions.builder().joinMode(join).maxConcurrentBatches(1).build());
        FakeFutureExchange first = sent(executor, from("1"));
        FakeFutureExchange second = sent(executor, from("1"));
        FakeFutureExchange third = sent(executor, from("1"));
        first.receive(OK, "a");
        FakeFutureExchange late = sent(executor, from("1"));
        List.of(second, third, late).forEach(exchange -> exchange.receive(OK, "a"));
        assertThat(dryRun.report().requests()).isEqualTo(4);
        assertThat(dryRun.report().shared()).isEqualTo(shared);
        assertThat(dryRun.report().notShared()).isEmpty();
    }

    /** A response whose head shows, when it is read the second time, that somebody else has come since it was decided about. */
    private static FakeFutureExchange answeredWhile(FakeRequest request, Runnable meanwhile) {
        return new FakeFutureExchange(request) {
            @Override
            public HttpResponseView headOf(Answer response) {
                return new DelayedHead(response.head, meanwhile);
            }
        };
    }

    private static final class DelayedHead implements HttpResponseView {

        private final HttpResponseView head;
        private final Runnable meanwhile;
        private int readings;

        DelayedHead(HttpResponseView head, Runnable meanwhile) {
            this.head = head;
            this.meanwhile = meanwhile;
        }

        @Override
        public int status() {
            return head.status();
        }

        @Override
        public String reason() {
            return head.reason();
        }

        @Override
        public void forEachHeader(BiConsumer<? super String, ? super List<String>> action) {
            head.forEachHeader(action);
            if (++readings == 2) {
                meanwhile.run();
            }
        }
    }

    /** H17, H19: it is in time for the call, which ends a moment later, and too late for such a response. */
    @ParameterizedTest
    @CsvSource({"200, max-age=0, 0, 1", "503, max-age=1, 0, 1", "200, max-age=1, 1, 0"})
    void aRequestThatComesAfterTheHeadSharesNoResponseThatIsForEarlierOnes(
            int status, String control, int shared, int late) {
        ManualHttpTime time = new ManualHttpTime();
        FutureHttpCollapseExecutor executor = new FutureHttpCollapseExecutor(
                inDryRun(),
                CollapseOptions.builder().joinMode(JoinMode.IN_FLIGHT).build(),
                Side.CLIENT,
                time);
        List<FakeFutureExchange> meanwhile = new ArrayList<>();
        FakeFutureExchange leader = answeredWhile(from("1"), () -> {
            time.advance(Duration.ofNanos(1));
            meanwhile.add(sent(executor, from("1")));
        });
        var unused = executor.execute(leader);
        FakeFutureExchange inTime = sent(executor, from("1"));
        leader.receive(FakeResponse.of(status).with("Cache-Control", control), "a");
        inTime.receive(OK, "a");
        meanwhile.forEach(exchange -> exchange.receive(OK, "a"));
        assertThat(dryRun.report().requests()).isEqualTo(3);
        assertThat(dryRun.report().shared()).isEqualTo(1 + shared);
        assertThat(dryRun.report().notShared()).isEqualTo(late == 0 ? Map.of() : Map.of(Reason.LATE, 1L));
    }

    @Test
    void H08_aRequestThatInsistsOnFreshnessWouldNotHaveJoinedTheRunningCall() {
        FutureHttpCollapseExecutor executor =
                executor(CollapseOptions.builder().joinMode(JoinMode.IN_FLIGHT).build());
        FakeFutureExchange leader = sent(executor, from("1"));
        FakeFutureExchange insisting = sent(executor, from("1").with("Cache-Control", "no-cache"));
        FakeFutureExchange follower = sent(executor, from("1"));
        List.of(leader, insisting, follower).forEach(exchange -> exchange.receive(OK, "a"));
        assertThat(dryRun.report().requests()).isEqualTo(3);
        assertThat(dryRun.report().shared()).isEqualTo(1);
    }

    @Test
    void theResponsesToHeadAreComparedAlthoughNobodyReadsABody() {
        FutureHttpCollapseExecutor executor =
                executor(CollapseOptions.builder().joinMode(JoinMode.IN_FLIGHT).build());
        List<FakeFutureExchange> both = List.of(unread("Ada"), unread("Grace"));
        both.forEach(exchange -> {
            var unused = executor.execute(exchange);
        });
        both.get(0).receive(FakeResponse.of(200).with("Content-Length", "5").with("X-Role", "admin"), "");
        both.get(1).receive(FakeResponse.of(200).with("Content-Length", "7"), "");
        assertThat(dryRun.report().compared()).isEqualTo(1);
        assertThat(dryRun.report().parts()).isEqualTo(Map.of("header x-role", 1L));
    }

    private static FakeFutureExchange unread(String user) {
        return new FakeFutureExchange(FakeRequest.of("HEAD", "http://a/p").with("X-User", user)) {
            @Override
            public Answer watched(Answer response, BodyWatch watch) {
                return response;
            }
        };
    }

    @Test
    void theListenersOfTheCoreAreNotToldOfWhatIsNotShared() {
        List<BatchSummary> told = new ArrayList<>();
        FutureHttpCollapseExecutor executor =
                executor(CollapseOptions.builder().listener(told::add).build());
        sent(executor, from("1")).receive(OK, "a");
        assertThat(dryRun.report().requests()).isEqualTo(1);
        assertThat(told).isEmpty();
    }

    @Test
    void theListenerIsToldThatARequestIsInDryRun() {
        List<Reason> told = new ArrayList<>();
        HttpCollapseOptions http = HttpCollapseOptions.builder()
                .rules(List.of(CollapseRule.of(CollapsePolicy.pathOnly(), "/**").inDryRun(dryRun)))
                .listener(new HttpCollapseListener() {
                    @Override
                    public void requestNotCollapsed(
                            @Nullable CollapseRule rule, Reason reason, String method, URI uri) {
                        told.add(reason);
                    }
                })
                .build();
        sent(FutureHttpCollapseExecutor.ofClient(http, CollapseOptions.defaults()), from("1"));
        assertThat(told).containsExactly(Reason.DRY_RUN);
    }

    @Test
    void theBestExplanationTellsDifferentPairsFromEqualOnes() {
        for (int i = 0; i < 8; i++) {
            DryRunFindings.of(dryRun).compared(List.of("body"), Set.of("header user-agent", "header x-user"));
            DryRunFindings.of(dryRun).compared(List.of(), Set.of("header user-agent", "query q"));
        }
        DryRunFindings.of(dryRun).compared(List.of("body"), Set.of("query q"));
        assertThat(dryRun.report().explanations())
                .extracting(DryRunReport.Explanation::name)
                .containsExactly("header x-user", "header user-agent", "query q");
        assertThat(dryRun.report().different()).isEqualTo(9);
    }

    @Test
    void differencesAreLoggedAtPowersOfTenWithNamesAndWithoutValues() {
        try (Warnings warnings = new Warnings(DryRun.class)) {
            for (int i = 0; i < 150; i++) {
                DryRunFindings.of(dryRun).compared(List.of("body"), Set.of("header x-user"));
            }
            assertThat(warnings.messages())
                    .hasSize(3)
                    .last()
                    .asString()
                    .isEqualTo(
                            "Dry run of users: 100 of 100 compared pairs of requests would have shared a response that is"
                                    + " wrong for one of them. They differ in body; best explained by header x-user, in which the"
                                    + " requests of 100 of them differ, and of 0 of the 0 pairs with equal responses.");
        }
    }

    @Test
    void pairsThatDifferAlthoughTheirRequestsDoNotAreUnexplained() {
        DryRunFindings.of(dryRun).compared(List.of(), Set.of());
        DryRunFindings.of(dryRun).compared(List.of("body"), Set.of("header x-user"));
        assertThat(dryRun.report().unexplained()).isZero();
        DryRunFindings.of(dryRun).compared(List.of("body"), Set.of());
        assertThat(dryRun.report().unexplained()).isEqualTo(1);
    }

    @Test
    void namesThatClientsInventDoNotFillTheMemory() {
        for (int i = 0; i < 10_000; i++) {
            DryRunFindings.of(dryRun).compared(List.of("header x-" + i), Set.of("query q" + i));
        }
        assertThat(dryRun.report().parts()).hasSize(256);
        assertThat(dryRun.report().explanations()).hasSize(3);
    }

    /** How many of so many requests are sampled, one in two seconds; each of a key of its own, or all of one. */
    private int sampled(int requests, boolean ofOneKey) {
        ManualHttpTime time = new ManualHttpTime();
        SharingRules rules = TestRules.of(HttpCollapseOptions.forPaths("/**"), Side.CLIENT, time);
        int sampled = 0;
        for (int i = 0; i < requests; i++) {
            time.advance(Duration.ofSeconds(2));
            CollapsibleRequest request =
                    Decided.request(rules.collapsible(FakeRequest.get("http://a/" + (ofOneKey ? 0 : i))));
            sampled += DryRunFindings.of(dryRun).samples(request.key().hashCode(), request.arrivedAt()) ? 1 : 0;
        }
        return sampled;
    }

    @Test
    void afterTheFirstThousandOneKeyInSixteenIsCompared_anotherEachSecond() {
        for (int i = 0; i < 999; i++) {
            DryRunFindings.of(dryRun).compared(List.of(), Set.of());
        }
        assertThat(sampled(100, false)).isEqualTo(100);
        DryRunFindings.of(dryRun).compared(List.of(), Set.of());
        assertThat(sampled(16_000, false)).isBetween(500, 2000);
        assertThat(sampled(16_000, true)).isBetween(500, 2000);
    }

    @Test
    void ofEqualExplanationsTheFirstByNameIsTheBest() {
        DryRunFindings.of(dryRun).compared(List.of("body"), Set.of("query b", "header c", "query a"));
        assertThat(dryRun.report().explanations())
                .extracting(DryRunReport.Explanation::name)
                .containsExactly("header c", "query a", "query b");
    }

    @Test
    void namesAreShownPrintableAndShort() {
        SharingRules rules = TestRules.of(HttpCollapseOptions.builder()
                .rules(List.of(CollapseRule.of(CollapsePolicy.pathOnly(), "/**")))
                .build());
        CollapsibleRequest one =
                Decided.request(rules.collapsible(FakeRequest.get("http://a/p?" + "n".repeat(1000) + "=1&b=2&b=3")));
        CollapsibleRequest other = Decided.request(rules.collapsible(
                FakeRequest.get("http://a/p?b=3&b=2&%0D%0Ax=1").with("traceparent", "1")));
        assertThat(RequestDifferences.between(one, other))
                .containsExactly("query %0D%0Ax", "query b", "query " + "n".repeat(64) + "...");
        CollapsibleRequest flagged = Decided.request(rules.collapsible(FakeRequest.get("http://a/p?b=3&b=2&flag")));
        assertThat(RequestDifferences.between(flagged, other)).contains("query flag");
    }
}
