package io.github.collapseexecutor.http.call;

import static io.github.collapseexecutor.http.rules.Decided.request;
import static io.github.collapseexecutor.http.rules.FakeRequest.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.FollowerTimeoutPolicy;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.LeaderFailurePolicy;
import io.github.collapseexecutor.http.Reason;
import io.github.collapseexecutor.http.rules.CollapsibleRequest;
import io.github.collapseexecutor.http.rules.FakeRequest;
import io.github.collapseexecutor.http.rules.FakeResponse;
import io.github.collapseexecutor.http.rules.SharingRules;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The rules for one request's way, as tables: the events that the machine is told, and the commands that it returns. */
class CallMachineTests extends MachineFixture {

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
    void H17_aResponseThatIsStaleAtOnceAnswersCallersThatCameBeforeIt(long late, String command) {
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
        assertThat(wait.timeLeft().shortest()).isEqualTo(Long.MAX_VALUE);
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
    void H22_aFailureOfTheLeaderIsSharedOrFansOutOrReElects(
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
        CallMachine machine = new CallMachine(rules, arrived, CollapseOptions.defaults());
        assertThat(timeLeft(machine.start())).isEqualTo(Duration.ofSeconds(9));
        time.advance(Duration.ofSeconds(5));
        assertThat(timeLeft(machine.joined(failed(refused)))).isEqualTo(Duration.ofSeconds(4));
        time.advance(Duration.ofSeconds(3));
        EndedCall unshared = ended(CallResult.ForLeaderOnly.of(Reason.SET_COOKIE));
        assertThat(timeLeft(machine.joined(unshared))).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void H25_aDeadlineThatHasPassedLeavesNoPatience() {
        SharingRules rules = rules(everything().followerTimeout(Duration.ofSeconds(10)));
        CallMachine machine = gathered(rules, fromTenant("1"));
        time.advance(Duration.ofSeconds(11));
        assertThat(timeLeft(machine.joined(failed(refused)))).isEqualTo(Duration.ofNanos(1));
    }

    private static Duration timeLeft(Command command) {
        return Duration.ofNanos(
                command instanceof Command.Gather gather
                        ? gather.timeLeft().shortest()
                        : ((Command.AwaitPlace) command).timeLeft().shortest());
    }

    @ParameterizedTest
    @EnumSource(FollowerTimeoutPolicy.class)
    void H25_afterItsDeadlineAFollowerDoesWhatTheOptionsSayWhateverItWaitedFor(FollowerTimeoutPolicy choice) {
        SharingRules rules =
                rules(everything().followerTimeout(Duration.ofSeconds(1)).onFollowerTimeout(choice));
        Command expected = switch (choice) {
            case GO_ALONE -> new Command.SendAlone(null, null);
            case FAIL ->
                new Command.TimeOut(
                        "collapse-executor",
                        Deadline.Kind.FOLLOWER,
                        rules.options().followerTimeout());
        };
        CallMachine waiting = gathered(rules, fromTenant("1"));
        assertThat(waiting.deadlinePassed(Deadline.Kind.FOLLOWER)).isEqualTo(expected);
        CallMachine released = gathered(rules, fromTenant("1"));
        released.joined(ended(CallResult.ForLeaderOnly.of(Reason.SET_COOKIE)));
        assertThat(released.deadlinePassed(Deadline.Kind.FOLLOWER)).isEqualTo(expected);
    }

    /** The time of the caller is one, too, for all calls that the request waits for, and the follower's own may be over before. */
    @Test
    void H25_theTimeOfACallerCountsFromTheArrivalOverEveryWait() {
        SharingRules rules = rules(everything().followerTimeout(Duration.ofSeconds(20)));
        CollapsibleRequest arrived = request(rules.collapsible(fromTenant("1")));
        time.advance(Duration.ofSeconds(1));
        CallMachine machine = new CallMachine(
                rules,
                arrived,
                CollapseOptions.builder()
                        .name("users")
                        .callTimeout(Duration.ofSeconds(10))
                        .build());
        assertThat(timeLeft(machine.start())).isEqualTo(Duration.ofSeconds(9));
        time.advance(Duration.ofSeconds(5));
        assertThat(timeLeft(machine.joined(failed(refused)))).isEqualTo(Duration.ofSeconds(4));
        time.advance(Duration.ofSeconds(3));
        Command.AwaitPlace wait =
                (Command.AwaitPlace) machine.joined(ended(CallResult.ForLeaderOnly.of(Reason.SET_COOKIE)));
        assertThat(wait.timeLeft())
                .isEqualTo(new TimeLeft(
                        Duration.ofSeconds(11).toNanos(), Duration.ofSeconds(1).toNanos()));
        assertThat(wait.timeLeft().endsAt()).isEqualTo(Deadline.Kind.CALLER);
        assertThat(machine.deadlinePassed(Deadline.Kind.CALLER))
                .as("it has no time left to go alone")
                .isEqualTo(new Command.TimeOut("users", Deadline.Kind.CALLER, Duration.ofSeconds(10)));
    }

    @Test
    void H32_aRequestThatGoesAloneSaysSo() {
        SharingRules rules = rules(everything().cacheStatus("here").followerTimeout(Duration.ofSeconds(1)));
        assertThat(gathered(rules, fromTenant("1")).deadlinePassed(Deadline.Kind.FOLLOWER))
                .isEqualTo(new Command.SendAlone(null, "here; fwd=uri-miss; collapsed=?0"));
    }

    @Test
    void eventsThatCannotHappenAreRefused() {
        SharingRules rules = rules(everything());
        CallMachine machine =
                new CallMachine(rules, request(rules.collapsible(fromTenant("1"))), CollapseOptions.defaults());
        assertThatIllegalStateException().isThrownBy(() -> machine.joined(failed(broken)));
        assertThatIllegalStateException().isThrownBy(() -> machine.deadlinePassed(Deadline.Kind.FOLLOWER));
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
