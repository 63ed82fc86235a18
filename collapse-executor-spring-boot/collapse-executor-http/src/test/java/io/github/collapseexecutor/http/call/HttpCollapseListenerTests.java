package io.github.collapseexecutor.http.call;

import static io.github.collapseexecutor.http.rules.Decided.request;
import static io.github.collapseexecutor.http.rules.FakeRequest.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.FollowerTimeoutPolicy;
import io.github.collapseexecutor.http.HttpCollapseListener;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.LeaderFailurePolicy;
import io.github.collapseexecutor.http.Reason;
import io.github.collapseexecutor.http.rules.FakeRequest;
import io.github.collapseexecutor.http.rules.FakeResponse;
import io.github.collapseexecutor.http.rules.SharingRules;
import io.github.collapseexecutor.http.rules.TestRules;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the listener of an adapter is told, and that nobody suffers from it. */
class HttpCollapseListenerTests {

    private static final CollapseRule RULE = CollapseRule.of(CollapsePolicy.strict(), "/p", "/q");

    private final List<String> told = new ArrayList<>();

    private final HttpCollapseListener listener = new HttpCollapseListener() {
        @Override
        public void requestNotCollapsed(@Nullable CollapseRule rule, Reason reason, String method, URI uri) {
            told.add("request " + name(rule) + " " + reason + " " + method + " " + uri);
        }

        @Override
        public void requestReleased(CollapseRule rule, Reason reason, String method, URI uri) {
            told.add("released " + name(rule) + " " + reason + " " + method + " " + uri);
        }

        @Override
        public void responseNotShared(CollapseRule rule, Reason reason, String method, URI uri) {
            told.add("response " + name(rule) + " " + reason + " " + method + " " + uri);
        }

        private String name(@Nullable CollapseRule rule) {
            return rule == null ? "none" : rule == RULE ? "rule" : "another";
        }
    };

    private HttpCollapseOptions.Builder http() {
        return HttpCollapseOptions.builder().rules(List.of(RULE)).listener(listener);
    }

    private SharingRules rules() {
        return TestRules.of(http().build());
    }

    private static CallMachine gathered(SharingRules rules, FakeRequest request) {
        CallMachine machine = new CallMachine(rules, request(rules.arrived(request)), CollapseOptions.defaults());
        assertThat(machine.start()).isInstanceOf(Command.Gather.class);
        return machine;
    }

    private static EndedCall ended(CallResult result) {
        return new EndedCall(result, new UnansweredFollowers(1));
    }

    @ParameterizedTest
    @CsvSource({
        "POST, http://a/p, request rule METHOD POST http://a/p",
        "POST, http://a/elsewhere, request none NOT_CONFIGURED POST http://a/elsewhere",
        "GET, http://a/elsewhere, request none NOT_CONFIGURED GET http://a/elsewhere",
        "GET, http://a/p%252F, request none PATH GET http://a/p%252F",
    })
    void aRequestThatMayNotShareACallIsToldOfOnceWithItsGroup(String method, String uri, String expected) {
        rules().arrived(FakeRequest.of(method, uri));
        assertThat(told).containsExactly(expected);
    }

    @Test
    void aRequestThatIsOnlyAskedAboutIsNotToldOf() {
        rules().collapsible(FakeRequest.of("POST", "http://a/p"));
        assertThat(told).isEmpty();
    }

    @Test
    void anAdapterWithoutAGroupTellsNothing() {
        TestRules.of(HttpCollapseOptions.builder().listener(listener).build()).arrived(get("http://a/p"));
        assertThat(told).isEmpty();
    }

    @Test
    void aListenerThatIsNotInterestedInReleasesIsToldOfThemAsNotCollapsed() {
        List<Reason> reasons = new ArrayList<>();
        HttpCollapseListener uninterested = new HttpCollapseListener() {
            @Override
            public void requestNotCollapsed(@Nullable CollapseRule rule, Reason reason, String method, URI uri) {
                reasons.add(reason);
            }
        };
        CallMachine machine =
                gathered(TestRules.of(http().listener(uninterested).build()), get("http://a/p"));
        machine.joined(ended(CallResult.ForLeaderOnly.of(Reason.PRIVATE)));
        machine.placeGiven();
        assertThat(reasons).containsExactly(Reason.PRIVATE);
    }

    @Test
    void aResponseForItsLeaderOnlyIsToldOfAndSoIsEachRequestThatPassesForIt() throws IOException {
        SharingRules rules = rules();
        FakeRequest request = get("http://a/p");
        LeaderMachine call = gathered(rules, request).lead(() -> false);
        call.start();
        call.headArrived(request, () -> FakeResponse.of(200).with("Set-Cookie", "a=b"));
        assertThat(told).containsExactly("response rule SET_COOKIE GET http://a/p");
        told.clear();
        CallMachine passing = new CallMachine(rules, request(rules.arrived(request)), CollapseOptions.defaults());
        passing.start();
        assertThat(told).containsExactly("released rule PASSING GET http://a/p");
    }

    @Test
    void aLoneResponseIsNotToldOfWhateverItSays() throws IOException {
        FakeRequest request = get("http://a/p");
        LeaderMachine call = gathered(rules(), request).lead(() -> true);
        call.start();
        call.headArrived(request, () -> FakeResponse.of(200).with("Set-Cookie", "a=b"));
        assertThat(told).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"too large, TOO_LARGE", "of another length, LENGTH"})
    void aResponseWhoseBodyForbidsSharingIsToldOf(String body, Reason reason) throws IOException {
        FakeRequest request = get("http://a/p");
        LeaderMachine call = gathered(rules(), request).lead(() -> false);
        call.start();
        call.headArrived(request, () -> FakeResponse.of(200).with("Content-Length", "3"));
        Command unused =
                body.equals("too large") ? call.bodyTooLarge() : call.bodyCollected(new byte[1], () -> "attached");
        assertThat(told).containsExactly("response rule " + reason + " GET http://a/p");
    }

    @Test
    void aHeadThatCannotBeReadIsToldOf() throws IOException {
        LeaderMachine call = gathered(rules(), get("http://a/p")).lead(() -> false);
        call.start();
        call.headArrived(get("http://a/p"), FakeResponse::unreadable);
        assertThat(told).containsExactly("response rule UNREADABLE GET http://a/p");
    }

    @Test
    void aFollowerThatIsReleasedIsToldOfWhenItIsSentWithTheReasonOfTheResponse() {
        CallMachine machine = gathered(rules(), get("http://a/p"));
        machine.joined(ended(CallResult.ForLeaderOnly.of(Reason.PRIVATE)));
        assertThat(told).isEmpty();
        machine.placeGiven();
        assertThat(told).containsExactly("released rule PRIVATE GET http://a/p");
    }

    @Test
    void aFollowerOfAFailedCallThatIsSentByItselfIsToldOf() {
        SharingRules rules =
                TestRules.of(http().onLeaderFailure(LeaderFailurePolicy.FAN_OUT).build());
        CallMachine machine = gathered(rules, get("http://a/p"));
        machine.joined(ended(new CallResult.Failed(new ConnectException("refused"), true)));
        machine.placeGiven();
        assertThat(told).containsExactly("released rule LEADER_FAILED GET http://a/p");
    }

    @Test
    void aFollowerWhoseDeadlineHasPassedIsToldOfIfItIsSent() {
        SharingRules rules =
                TestRules.of(http().followerTimeout(Duration.ofSeconds(1)).build());
        gathered(rules, get("http://a/p")).deadlinePassed(Deadline.Kind.FOLLOWER);
        assertThat(told).containsExactly("released rule FOLLOWER_TIMEOUT GET http://a/p");
        told.clear();
        SharingRules failing = TestRules.of(http().followerTimeout(Duration.ofSeconds(1))
                .onFollowerTimeout(FollowerTimeoutPolicy.FAIL)
                .build());
        gathered(failing, get("http://a/p")).deadlinePassed(Deadline.Kind.FOLLOWER);
        assertThat(told).isEmpty();
    }

    @Test
    void aListenerThatThrowsHarmsNobody() throws Exception {
        List<Throwable> seen = new ArrayList<>();
        BlockingHttpCollapseExecutor executor = new BlockingHttpCollapseExecutor(
                http().listener(new HttpCollapseListener() {
                            @Override
                            public void requestNotCollapsed(
                                    @Nullable CollapseRule rule, Reason reason, String method, URI uri) {
                                throw new IllegalStateException("broken");
                            }
                        })
                        .build(),
                CollapseOptions.defaults());
        List<String> answers = new ArrayList<>();
        Thread caller = new Thread(() -> {
            for (int i = 0; i < 2; i++) {
                FakeExchange exchange = new FakeExchange(
                        FakeRequest.of("POST", "http://a/p"),
                        () -> FakeExchange.Answer.of(FakeResponse.of(200), "done"));
                try {
                    answers.add(executor.execute(exchange).text());
                } catch (java.io.IOException e) {
                    answers.add(e.toString());
                }
            }
        });
        caller.setUncaughtExceptionHandler((thread, thrown) -> seen.add(thrown));
        caller.start();
        caller.join();
        assertThat(answers).containsExactly("done", "done");
        assertThat(seen).as("the first is seen").singleElement().isInstanceOf(IllegalStateException.class);
    }
}
