package io.github.collapseexecutor.http;

import static io.github.collapseexecutor.http.Decided.request;
import static io.github.collapseexecutor.http.FakeRequest.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.collapseexecutor.core.BatchHandle;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The rules for one request's way, as tables: the events that the machine is told, and the commands that it returns. */
class CallMachineTests {

    private final ConnectException refused = new ConnectException("refused");
    private final IllegalStateException broken = new IllegalStateException("broken");

    private final ManualHttpTime time = new ManualHttpTime();

    private static HttpCollapseOptions.Builder everything() {
        return HttpCollapseOptions.builder().rules(List.of(CollapseRule.of(CollapsePolicy.pathOnly(), "/**")));
    }

    private SharingRules rules(HttpCollapseOptions.Builder http) {
        return new SharingRules(http.build(), Side.CLIENT, time);
    }

    private static FakeRequest fromTenant(String tenant) {
        return get("http://a/p").with("X", tenant);
    }

    /** A machine whose request is gathered for the first time. */
    private static CallMachine gathered(SharingRules rules, FakeRequest request) {
        CallMachine machine = new CallMachine(rules, request(rules.collapsible(request)));
        assertThat(machine.start()).isInstanceOf(Command.Gather.class);
        return machine;
    }

    private static EndedCall ended(CallResult result) {
        return new EndedCall(result, new MeetingPlace(1));
    }

    /** What a call of tenant 1 gave. */
    private static EndedCall shared(SharingRules rules, FakeResponse response) {
        FakeRequest leader = fromTenant("1");
        ResponseDecision decision = rules.shareable(request(rules.collapsible(leader)), leader, response);
        return ended(new CallResult.Shared(Decided.head(decision).complete(new byte[0])));
    }

    private static EndedCall failed(Throwable failure) {
        return ended(new CallResult.Failed(failure, failure instanceof ConnectException));
    }

    /** A command as a table shows it. */
    private static String shown(Command command) {
        if (command instanceof Command.Gather gather) {
            return "gather " + gather.executor();
        } else if (command instanceof Command.Stream stream) {
            return "stream " + shown(stream.ended().result());
        } else if (command instanceof Command.Publish last) {
            return "publish " + shown(last.ended().result());
        } else if (command instanceof Command.Break broken) {
            return broken.thrown() instanceof FailedCall failed
                    ? "break " + shown(failed.ended().result())
                    : "break for all";
        }
        return command.getClass().getSimpleName();
    }

    private static String shown(CallResult result) {
        return result instanceof CallResult.ForLeaderOnly own
                ? own.reason().name()
                : result.getClass().getSimpleName();
    }

    // what a follower does

    @ParameterizedTest
    @CsvSource({
        "Accept, 2, Answer", // equal headers, as far as the response was chosen by them
        "X, 1, Answer",
        "X, 2, gather REGROUPING",
        "X, , gather REGROUPING", // absent equals only absent
    })
    void H14_aFollowerIsAnsweredOnlyIfItHasTheHeadersThatTheResponseWasChosenBy(
            String vary, @Nullable String tenant, String command) {
        SharingRules rules = rules(everything());
        FakeRequest request = tenant == null ? get("http://a/p") : fromTenant(tenant);
        CallMachine machine = gathered(rules, request);
        assertThat(shown(machine.joined(shared(rules, FakeResponse.of(200).with("Vary", vary)))))
                .isEqualTo(command);
    }

    @Test
    void H14_followersOfEqualHeadersGatherUnderOneKeyAndOthersUnderAnother() {
        SharingRules rules = rules(everything());
        EndedCall ended = shared(rules, FakeResponse.of(200).with("Vary", "X"));
        List<Object> keys = new ArrayList<>();
        for (String tenant : List.of("2", "2", "3")) {
            keys.add(((Command.Gather) gathered(rules, fromTenant(tenant)).joined(ended)).key());
        }
        assertThat(keys.get(0)).isEqualTo(keys.get(1)).isNotEqualTo(keys.get(2));
        EndedCall another = shared(rules, FakeResponse.of(200).with("Vary", "X"));
        assertThat(((Command.Gather) gathered(rules, fromTenant("2")).joined(another)).key())
                .as("those of another call meet elsewhere")
                .isNotEqualTo(keys.get(0));
    }

    @Test
    void H14_aFollowerGathersThreeTimesMoreAndIsThenReleased() {
        SharingRules rules = rules(everything());
        CallMachine machine = gathered(rules, fromTenant("2"));
        EndedCall ended = shared(rules, FakeResponse.of(200).with("Vary", "X"));
        for (int round = 0; round < 3; round++) {
            assertThat(shown(machine.joined(ended))).isEqualTo("gather REGROUPING");
        }
        assertThat(shown(machine.joined(ended))).isEqualTo("AwaitPlace");
    }

    @ParameterizedTest
    @CsvSource({"0, Answer", "1, AwaitPlace"})
    void H17_whatIsStaleAtOnceAnswersThoseWhoCameBeforeIt(long late, String command) {
        SharingRules rules = rules(everything());
        EndedCall ended;
        CallMachine machine;
        if (late == 0) {
            machine = gathered(rules, fromTenant("1"));
            ended = shared(rules, FakeResponse.of(200).with("Cache-Control", "max-age=0"));
        } else {
            ended = shared(rules, FakeResponse.of(200).with("Cache-Control", "max-age=0"));
            time.advance(Duration.ofNanos(late));
            machine = gathered(rules, fromTenant("1"));
        }
        assertThat(shown(machine.joined(ended))).isEqualTo(command);
    }

    @Test
    void H20_theFollowersOfAResponseForTheLeaderOnlyWaitForPlacesTogether() {
        SharingRules rules = rules(everything());
        EndedCall ended = ended(CallResult.ForLeaderOnly.of(Reason.SET_COOKIE));
        CallMachine one = gathered(rules, fromTenant("1"));
        CallMachine other = gathered(rules, fromTenant("1"));
        Command.AwaitPlace wait = (Command.AwaitPlace) one.joined(ended);
        assertThat(wait.patience()).isEqualTo(Long.MAX_VALUE);
        assertThat(other.joined(ended)).isEqualTo(wait);
        assertThat(one.placeGiven())
                .as("it gives back its place when the head has arrived")
                .isEqualTo(new Command.SendAlone(wait.limiter(), null));
    }

    @Test
    void H24_aFollowerThatLeavesWhileItWaitsLeavesItsPlaceToTheNext() {
        SharingRules rules = rules(everything());
        EndedCall ended = ended(CallResult.ForLeaderOnly.of(Reason.SET_COOKIE));
        ForwardLimiter places =
                ((Command.AwaitPlace) gathered(rules, fromTenant("1")).joined(ended)).limiter();
        CompletableFuture<?> first = places.enter();
        CompletableFuture<?> leaving = places.enter();
        CompletableFuture<?> next = places.enter();
        assertThat(first).isDone();
        leaving.cancel(false);
        assertThat(next).isNotDone();
        places.leave();
        assertThat(next).isDone();
    }

    /** The last column: after a first failure, and after a second one of the same kind. */
    @ParameterizedTest
    @CsvSource({
        "      , transport  , gather REGROUPING, Fail",
        "      , application, Fail             , ",
        "      , error      , Fail             , ",
        "      , 500        , Answer           , ",
        "SHARE , transport  , Fail             , ",
        "SHARE , application, Fail             , ",
        "SHARE , 500        , Answer           , ",
        "RE_ELECT, transport, gather REGROUPING, Fail",
        "RE_ELECT, application, gather REGROUPING, Fail",
        "RE_ELECT, error    , Fail             , ",
        "RE_ELECT, 500      , gather REGROUPING, Answer",
        "RE_ELECT, 503      , Answer           , ",
        "FAN_OUT, transport , AwaitPlace       , ",
        "FAN_OUT, application, AwaitPlace      , ",
        "FAN_OUT, 500       , AwaitPlace       , ",
        "FAN_OUT, 501       , Answer           , ",
    })
    void H22_whatAFailureMeansToAFollower(
            @Nullable LeaderFailurePolicy choice, String failure, String first, @Nullable String second) {
        HttpCollapseOptions.Builder http = everything();
        if (choice != null) {
            http.onLeaderFailure(choice);
        }
        SharingRules rules = rules(http);
        EndedCall ended = switch (failure) {
            case "transport" -> failed(refused);
            case "application" -> failed(broken);
            case "error" -> failed(new StackOverflowError());
            default -> shared(rules, FakeResponse.of(Integer.parseInt(failure)));
        };
        CallMachine machine = gathered(rules, fromTenant("1"));
        assertThat(shown(machine.joined(ended))).isEqualTo(first);
        if (second != null) {
            assertThat(shown(machine.joined(ended))).isEqualTo(second);
        }
    }

    @Test
    void H22_aSharedFailureIsThatOfTheLeader() {
        assertThat(gathered(rules(everything()), fromTenant("1")).joined(failed(broken)))
                .isEqualTo(new Command.Fail(broken));
    }

    @Test
    void H23_theFollowersOfALeaderThatLeftGatherAgainAsOftenAsThatHappens() {
        CallMachine machine = gathered(rules(everything()), fromTenant("1"));
        for (int i = 0; i < 10; i++) {
            assertThat(shown(machine.joined(ended(new CallResult.NotMade())))).isEqualTo("gather REGROUPING");
        }
    }

    @Test
    void H25_everyWaitIsBoundByOneDeadlineThatCountsFromTheArrival() {
        SharingRules rules = rules(everything().followerTimeout(Duration.ofSeconds(10)));
        CollapsibleRequest arrived = request(rules.collapsible(fromTenant("1")));
        time.advance(Duration.ofSeconds(1));
        CallMachine machine = new CallMachine(rules, arrived);
        assertThat(patience(machine.start())).isEqualTo(Duration.ofSeconds(9));
        time.advance(Duration.ofSeconds(5));
        assertThat(patience(machine.joined(failed(refused)))).isEqualTo(Duration.ofSeconds(4));
        time.advance(Duration.ofSeconds(3));
        EndedCall unshared = ended(CallResult.ForLeaderOnly.of(Reason.SET_COOKIE));
        assertThat(patience(machine.joined(unshared))).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void H25_aDeadlineThatHasPassedLeavesNoPatience() {
        SharingRules rules = rules(everything().followerTimeout(Duration.ofSeconds(10)));
        CallMachine machine = gathered(rules, fromTenant("1"));
        time.advance(Duration.ofSeconds(11));
        assertThat(patience(machine.joined(failed(refused)))).isEqualTo(Duration.ofNanos(1));
    }

    private static Duration patience(Command command) {
        return Duration.ofNanos(
                command instanceof Command.Gather gather
                        ? gather.patience()
                        : ((Command.AwaitPlace) command).patience());
    }

    @ParameterizedTest
    @EnumSource(FollowerTimeoutPolicy.class)
    void H25_afterItsDeadlineAFollowerDoesWhatTheOptionsSayWhateverItWaitedFor(FollowerTimeoutPolicy choice) {
        SharingRules rules =
                rules(everything().followerTimeout(Duration.ofSeconds(1)).onFollowerTimeout(choice));
        Command expected = switch (choice) {
            case GO_ALONE -> new Command.SendAlone(null, null);
            case FAIL -> new Command.TimeOut();
        };
        CallMachine waiting = gathered(rules, fromTenant("1"));
        assertThat(waiting.deadlinePassed()).isEqualTo(expected);
        CallMachine released = gathered(rules, fromTenant("1"));
        released.joined(ended(CallResult.ForLeaderOnly.of(Reason.SET_COOKIE)));
        assertThat(released.deadlinePassed()).isEqualTo(expected);
    }

    @Test
    void H32_aRequestThatGoesAloneSaysSo() {
        SharingRules rules = rules(everything().cacheStatus("here").followerTimeout(Duration.ofSeconds(1)));
        assertThat(gathered(rules, fromTenant("1")).deadlinePassed())
                .isEqualTo(new Command.SendAlone(null, "here; fwd=uri-miss; collapsed=?0"));
    }

    // what a leader's call does

    private static Command.OfCall headArrived(LeaderMachine call, FakeRequest sent, HttpResponseView head) {
        try {
            return call.headArrived(sent, () -> head);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String headAndBody(LeaderMachine call, FakeRequest request, FakeResponse head, String body) {
        List<String> commands = new ArrayList<>();
        Command next = call.start();
        while (true) {
            commands.add(shown(next));
            if (next instanceof Command.Send) {
                next = headArrived(call, request, head);
            } else if (next instanceof Command.Collect) {
                next = switch (body) {
                    case "too large" -> call.bodyTooLarge();
                    case "fails" -> call.failed(refused, true);
                    default -> call.bodyCollected(new byte[Integer.parseInt(body)], () -> "attached");
                };
            } else if (next instanceof Command.Share) {
                next = call.leaderAnswered();
            } else {
                return String.join(", ", commands);
            }
        }
    }

    static Stream<Arguments> heads() {
        FakeResponse ok = FakeResponse.of(200);
        return Stream.of(
                row("nothing is against it", ok, false, "3", "Send, Collect, Share, publish Shared"),
                row("H38 nobody else takes part", ok, true, "3", "Send, stream LONE"),
                row("H38 whatever the head says", with("Set-Cookie", "a=b"), true, "3", "Send, stream LONE"),
                row("H38 unread", FakeResponse.unreadable(), true, "3", "Send, stream LONE"),
                row("H27 larger than may be shared", ok, false, "too large", "Send, Collect, stream TOO_LARGE"),
                row("H27 announced so", with("Content-Length", "9"), false, "9", "Send, stream TOO_LARGE"),
                row(
                        "H27 as large as may be",
                        with("Content-Length", "8"),
                        false,
                        "8",
                        "Send, Collect, Share, publish Shared"),
                row("H27 an error in mid-body", ok, false, "fails", "Send, Collect, break Failed"),
                row(
                        "H29 shorter than announced",
                        with("Content-Length", "3"),
                        false,
                        "2",
                        "Send, Collect, stream LENGTH"),
                row("H29 no length", with("Content-Length", "x"), false, "2", "Send, stream LENGTH"),
                row(
                        "no body, whatever is read",
                        FakeResponse.of(204),
                        false,
                        "5",
                        "Send, Collect, Share, publish Shared"),
                row("H14 chosen by everything", with("Vary", "*"), false, "3", "Send, stream VARY"),
                row("H15", with("Cache-Control", "no-store"), false, "3", "Send, stream NO_STORE"),
                row("H15 of the adapter", FakeResponse.of(200).forLeaderOnly(), false, "3", "Send, stream ADAPTER"),
                row("H16", with("Cache-Control", "private"), false, "3", "Send, stream PRIVATE"),
                row("H17", with("Cache-Control", "no-cache"), false, "3", "Send, stream NO_CACHE"),
                row("H18", with("Set-Cookie", "a=b"), false, "3", "Send, stream SET_COOKIE"),
                row("H18 a challenge", with("WWW-Authenticate", "Basic"), false, "3", "Send, stream PERSONAL"),
                row("H19", FakeResponse.of(401), false, "3", "Send, stream STATUS"),
                row("H9 a stream", with("Content-Type", "text/event-stream"), false, "3", "Send, stream STREAM"),
                row("H39", FakeResponse.unreadable(), false, "3", "Send, stream UNREADABLE"));
    }

    private static FakeResponse with(String name, String value) {
        return FakeResponse.of(200).with(name, value);
    }

    private static Arguments row(String rule, FakeResponse head, boolean lone, String body, String commands) {
        return Arguments.of(rule, head, lone, body, commands);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("heads")
    void H14_to_H19_H27_H38_headAndBodyDecideWhoGetsTheResponse(
            String rule, FakeResponse head, boolean lone, String body, String commands) {
        SharingRules rules = rules(everything().maxBodySize(8));
        FakeRequest request = fromTenant("1");
        assertThat(headAndBody(gathered(rules, request).lead(() -> lone), request, head, body))
                .isEqualTo(commands);
    }

    static Stream<Arguments> headsAndTheNextRequest() {
        return heads().map(row -> {
            String commands = (String) row.get()[4];
            boolean passes = commands.contains("stream")
                    && !commands.contains(Reason.LONE.name())
                    && !commands.startsWith("Send, Collect, stream LENGTH");
            return Arguments.of(
                    row.get()[0], row.get()[1], row.get()[2], row.get()[3], passes ? "Pass" : "gather JOINING");
        });
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("headsAndTheNextRequest")
    void H21_aKeyWhoseResponseWasOfNoUseToOthersPasses(
            String rule, FakeResponse head, boolean lone, String body, String next) {
        SharingRules rules = rules(everything().maxBodySize(8));
        FakeRequest request = fromTenant("1");
        headAndBody(gathered(rules, request).lead(() -> lone), request, head, body);
        assertThat(shown(new CallMachine(rules, request(rules.collapsible(request))).start()))
                .isEqualTo(next);
    }

    @Test
    void H21_theFirstResponseThatMayBeSharedEndsThePassing() {
        SharingRules rules = rules(everything());
        FakeRequest request = fromTenant("1");
        headAndBody(gathered(rules, request).lead(() -> false), request, with("Vary", "*"), "");
        CallMachine passing = new CallMachine(rules, request(rules.collapsible(request)));
        assertThat(shown(passing.start())).isEqualTo("Pass");
        passing.passed(request, with("Vary", "*"));
        assertThat(shown(new CallMachine(rules, request(rules.collapsible(request))).start()))
                .isEqualTo("Pass");
        passing.passed(request, FakeResponse.of(200));
        assertThat(shown(new CallMachine(rules, request(rules.collapsible(request))).start()))
                .isEqualTo("gather JOINING");
    }

    @ParameterizedTest
    @CsvSource({
        "transport, break Failed",
        "application, break for all",
        "error, break for all",
    })
    void H22_aFailureIsTakenToTheFollowersOnlyIfTheyMayDoSomethingElse(String failure, String command) {
        LeaderMachine call = gathered(rules(everything()), fromTenant("1")).lead(() -> false);
        assertThat(shown(call.start())).isEqualTo("Send");
        Throwable thrown = switch (failure) {
            case "transport" -> refused;
            case "application" -> broken;
            default -> new StackOverflowError();
        };
        Command.Break ended = call.failed(thrown, thrown == refused);
        assertThat(shown(ended)).isEqualTo(command);
        assertThat(ended.thrown() instanceof FailedCall failed ? failed.failure() : ended.thrown())
                .isSameAs(thrown);
    }

    @Test
    void H23_aLeaderThatHasLeftBeforeTheStartMakesNoCall() {
        LeaderMachine call = gathered(rules(everything()), fromTenant("1")).lead(() -> false);
        assertThat(shown(call.withdrawn())).isEqualTo("publish NotMade");
    }

    /** A later group: the second failure would be final if it were the origin's. */
    @Test
    void H23_aFailureOfTheLeadersOwnSaysNothingAndIsNotRemembered() {
        SharingRules rules = rules(everything());
        EndedCall first = failed(refused);
        LeaderMachine call = regrouped(rules, first).lead(new OwnFailures());
        assertThat(shown(call.start())).isEqualTo("Send");
        assertThat(shown(call.failed(refused, true))).isEqualTo("break NotMade");
        assertThat(shown(regrouped(rules, first).lead(() -> false).start())).isEqualTo("Send");
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

    private static CallMachine regrouped(SharingRules rules, EndedCall first) {
        CallMachine machine = gathered(rules, fromTenant("1"));
        assertThat(shown(machine.joined(first))).isEqualTo("gather REGROUPING");
        return machine;
    }

    @ParameterizedTest
    @CsvSource({"3, publish Shared", "fails, publish Failed", "too large, publish TOO_LARGE"})
    void H26_aMemberOfALaterGroupThatComesAfterItsCallFindsWhatCameOfIt(String body, String found) {
        SharingRules rules = rules(everything().passTtl(Duration.ZERO));
        EndedCall first = failed(refused);
        headAndBody(regrouped(rules, first).lead(() -> false), fromTenant("1"), FakeResponse.of(200), body);
        assertThat(shown(regrouped(rules, first).lead(() -> false).start())).isEqualTo(found);
        assertThat(shown(regrouped(rules, first).lead(() -> false).withdrawn())).isEqualTo(found);
        assertThat(shown(regrouped(rules, failed(refused)).lead(() -> false).start()))
                .as("the group of another call")
                .isEqualTo("Send");
    }

    @Test
    void H28_theAttachmentOfTheLeadersAdapterReachesThoseOfTheFollowers() {
        LeaderMachine call = gathered(rules(everything()), fromTenant("1")).lead(() -> false);
        call.start();
        headArrived(call, fromTenant("1"), FakeResponse.of(200));
        Command.Share share = (Command.Share) call.bodyCollected(new byte[3], () -> "attached");
        assertThat(share.response().attachment()).isEqualTo("attached");
        assertThat(share.response().bodyLength()).isEqualTo(3);
    }

    @Test
    void aResponseThatHasNoBodyIsSharedWithoutOneWhateverIsRead() {
        LeaderMachine call = gathered(rules(everything()), fromTenant("1")).lead(() -> false);
        call.start();
        assertThat(headArrived(call, fromTenant("1"), FakeResponse.of(204)))
                .isEqualTo(new Command.Collect(
                        HttpCollapseOptions.builder().build().maxBodySize(), true));
        Command.Share share = (Command.Share) call.bodyCollected(new byte[3], () -> null);
        assertThat(share.response().bodyLength()).isZero();
    }

    // what no driver may do

    @Test
    void eventsThatCannotHappenAreRefused() {
        SharingRules rules = rules(everything());
        CallMachine machine = new CallMachine(rules, request(rules.collapsible(fromTenant("1"))));
        assertThatIllegalStateException().isThrownBy(() -> machine.joined(failed(broken)));
        assertThatIllegalStateException().isThrownBy(machine::deadlinePassed);
        machine.start();
        assertThatIllegalStateException().isThrownBy(machine::start);
        assertThatIllegalStateException().isThrownBy(machine::placeGiven);
        LeaderMachine call = machine.lead(() -> false);
        assertThatIllegalStateException().isThrownBy(() -> call.failed(refused, true));
        assertThatIllegalStateException().isThrownBy(call::leaderAnswered);
        call.start();
        assertThatIllegalStateException().isThrownBy(call::withdrawn);
        assertThatIllegalStateException().isThrownBy(call::bodyTooLarge);
        assertThat(machine.led()).isEqualTo(new Command.Deliver());
        assertThatIllegalStateException().isThrownBy(machine::led);
    }
}
