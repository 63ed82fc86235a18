package io.github.collapseexecutor.http.call;

import static io.github.collapseexecutor.http.rules.Decided.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.BatchHandle;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.Reason;
import io.github.collapseexecutor.http.rules.FakeRequest;
import io.github.collapseexecutor.http.rules.FakeResponse;
import io.github.collapseexecutor.http.rules.HttpResponseView;
import io.github.collapseexecutor.http.rules.SharingRules;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The rules for the call that a leader makes for all, as tables: the events that the machine is told, and the commands that it returns. */
class LeaderMachineTests extends MachineFixture {

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

    @Test
    void H38_aCallThatBeganForItsLeaderAloneIsSharedWithNobody() throws Exception {
        SharingRules rules = rules(everything());
        FakeRequest request = fromTenant("1");
        AtomicBoolean lone = new AtomicBoolean(true);
        LeaderMachine leader = gathered(rules, request).lead(lone::get);
        assertThat(shown(leader.start())).isEqualTo("Send");
        assertThat(leader.decideAlone()).isTrue();
        lone.set(false); // its caller has left, and what was sent is not known
        assertThat(shown(leader.headArrived(request, () -> FakeResponse.of(200))))
                .isEqualTo("stream LONE");
    }

    static Stream<Arguments> headsAndTheNextRequest() {
        return heads().map(row -> {
            String commands = (String) row.get()[4];
            boolean passes = commands.contains("stream")
                    && !commands.contains(Reason.LONE.name())
                    && !commands.startsWith("Send, Collect, stream LENGTH");
            return Arguments.of(
                    row.get()[0], row.get()[1], row.get()[2], row.get()[3], passes ? "Pass" : "gather FRESH");
        });
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("headsAndTheNextRequest")
    void H21_aKeyWhoseResponseWasOfNoUseToOthersPasses(
            String rule, FakeResponse head, boolean lone, String body, String next) {
        SharingRules rules = rules(everything().maxBodySize(8));
        FakeRequest request = fromTenant("1");
        headAndBody(gathered(rules, request).lead(() -> lone), request, head, body);
        assertThat(shown(new CallMachine(rules, request(rules.collapsible(request)), CollapseOptions.defaults())
                        .start()))
                .isEqualTo(next);
    }

    @Test
    void H21_theFirstResponseThatMayBeSharedEndsThePassing() {
        SharingRules rules = rules(everything());
        FakeRequest request = fromTenant("1");
        headAndBody(gathered(rules, request).lead(() -> false), request, with("Vary", "*"), "");
        CallMachine passing = new CallMachine(rules, request(rules.collapsible(request)), CollapseOptions.defaults());
        assertThat(shown(passing.start())).isEqualTo("Pass");
        passing.passed(request, with("Vary", "*"));
        assertThat(shown(new CallMachine(rules, request(rules.collapsible(request)), CollapseOptions.defaults())
                        .start()))
                .isEqualTo("Pass");
        passing.passed(request, FakeResponse.of(200));
        assertThat(shown(new CallMachine(rules, request(rules.collapsible(request)), CollapseOptions.defaults())
                        .start()))
                .isEqualTo("gather FRESH");
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
}
