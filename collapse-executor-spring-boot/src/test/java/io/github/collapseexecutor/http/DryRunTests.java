package io.github.collapseexecutor.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.BatchSummary;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.JoinMode;
import io.github.collapseexecutor.http.fixture.Warnings;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a dry run counts, compares, explains and keeps. */
class DryRunTests {

    private static final FakeResponse OK = FakeResponse.of(200);

    private final DryRun dryRun = new DryRun("users");

    private FutureHttpCollapseExecutor executor(CollapseOptions core) {
        HttpCollapseOptions http = HttpCollapseOptions.builder()
                .rules(List.of(CollapseRule.of(CollapsePolicy.pathOnly(), "/**").inDryRun(dryRun)))
                .build();
        return FutureHttpCollapseExecutor.ofClient(http, core);
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

    @Test
    void whoFollowsAFailureWouldHaveSharedNoResponse() {
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
    void whoFollowsAnErrorResponseWouldHaveSharedItIfFailuresAreShared(
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
            dryRun.compared(List.of("body"), Set.of("header user-agent", "header x-user"));
            dryRun.compared(List.of(), Set.of("header user-agent", "query q"));
        }
        dryRun.compared(List.of("body"), Set.of("query q"));
        assertThat(dryRun.report().explanations())
                .extracting(DryRunReport.Explanation::name)
                .containsExactly("header x-user", "header user-agent", "query q");
        assertThat(dryRun.report().different()).isEqualTo(9);
    }

    @Test
    void differencesAreLoggedAtPowersOfTenWithNamesAndWithoutValues() {
        try (Warnings warnings = new Warnings(DryRun.class)) {
            for (int i = 0; i < 150; i++) {
                dryRun.compared(List.of("body"), Set.of("header x-user"));
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
        dryRun.compared(List.of(), Set.of());
        dryRun.compared(List.of("body"), Set.of("header x-user"));
        assertThat(dryRun.report().unexplained()).isZero();
        dryRun.compared(List.of("body"), Set.of());
        assertThat(dryRun.report().unexplained()).isEqualTo(1);
    }

    @Test
    void namesThatClientsInventDoNotFillTheMemory() {
        for (int i = 0; i < 10_000; i++) {
            dryRun.compared(List.of("header x-" + i), Set.of("query q" + i));
        }
        assertThat(dryRun.report().parts()).hasSize(256);
        assertThat(dryRun.report().explanations()).hasSize(3);
    }

    @Test
    void afterTheFirstThousandOneKeyInSixteenIsCompared() {
        SharingRules rules = new SharingRules(HttpCollapseOptions.forPaths("/**"));
        for (int i = 0; i < 1000; i++) {
            dryRun.compared(List.of(), Set.of());
        }
        int sampled = 0;
        for (int i = 0; i < 16_000; i++) {
            if (dryRun.samples(Decided.request(rules.collapsible(FakeRequest.get("http://a/" + i))))) {
                sampled++;
            }
        }
        assertThat(sampled).isBetween(500, 2000);
    }

    @Test
    void namesAreShownPrintableAndShort() {
        SharingRules rules = new SharingRules(HttpCollapseOptions.builder()
                .rules(List.of(CollapseRule.of(CollapsePolicy.pathOnly(), "/**")))
                .build());
        CollapsibleRequest one =
                Decided.request(rules.collapsible(FakeRequest.get("http://a/p?" + "n".repeat(1000) + "=1&b=2&b=3")));
        CollapsibleRequest other = Decided.request(rules.collapsible(
                FakeRequest.get("http://a/p?b=3&b=2&%0D%0Ax=1").with("traceparent", "1")));
        assertThat(RequestDifferences.between(one, other))
                .containsExactly("query %0D%0Ax", "query b", "query " + "n".repeat(64) + "...");
    }

    private static ResponsePrint print(String body, long announced) {
        ResponsePrint print = new ResponsePrint(200, HttpFields.copyOf(OK::forEachHeader), announced, 1000);
        print.read(ByteBuffer.wrap(body.getBytes(StandardCharsets.UTF_8)));
        return print;
    }

    private static ResponsePrint ended(String body, boolean complete) {
        ResponsePrint print = print(body, -1);
        print.ended(complete);
        return print;
    }

    @Test
    void aBodyOfTheAnnouncedLengthIsWholeAlthoughNobodyReadsItsEnd() {
        assertThat(print("abc", 3).whole()).isDone();
        assertThat(print("abc", 4).whole()).isNotDone();
        assertThat(new ResponsePrint(204, HttpFields.copyOf(OK::forEachHeader), 0, 1000).whole())
                .isDone();
    }

    @Test
    void bodiesThatWereNotReadToTheirEndAreComparedAsFarAsBothWereRead() {
        assertThat(ended("abc", true).differences(ended("abc", true))).isEmpty();
        assertThat(ended("abc", true).differences(ended("abd", true))).containsExactly("body");
        assertThat(ended("abc", true).differences(ended("abcd", true))).containsExactly("body");
        assertThat(ended("abc", false).differences(ended("abc", true))).isEmpty();
        assertThat(ended("abc", false).differences(ended("abd", false))).containsExactly("body");
        assertThat(ended("abc", false).differences(ended("abcd", true))).isNull();
        assertThat(ended("", false).differences(ended("", false))).isNull();
        assertThat(ended("x".repeat(1001), true).differences(ended("x".repeat(1001), true)))
                .isNull();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 100})
    void aWatchedBodyIsReadAsItIs(int chunk) throws IOException {
        ResponsePrint print = new ResponsePrint(200, HttpFields.copyOf(OK::forEachHeader), -1, 1000);
        InputStream body =
                new WatchedBody(new ByteArrayInputStream("hello world".getBytes(StandardCharsets.UTF_8)), print);
        assertThat(body.markSupported()).isFalse();
        assertThat(body.read()).isEqualTo('h');
        assertThat(body.skip(2)).isEqualTo(2);
        StringBuilder rest = new StringBuilder();
        byte[] part = new byte[chunk];
        for (int count = body.read(part); count >= 0; count = body.read(part)) {
            rest.append(new String(part, 0, count, StandardCharsets.UTF_8));
        }
        assertThat(rest).hasToString("lo world");
        assertThat(body.read()).isEqualTo(-1);
        assertThat(body.skip(1)).isZero();
        assertThat(print.differences(ended("hello world", true))).isEmpty();
    }
}
