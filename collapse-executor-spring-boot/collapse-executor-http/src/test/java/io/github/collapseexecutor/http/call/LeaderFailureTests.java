package io.github.collapseexecutor.http.call;

import static io.github.collapseexecutor.http.rules.FakeRequest.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.LeaderFailurePolicy;
import io.github.collapseexecutor.http.call.FakeExchange.Answer;
import io.github.collapseexecutor.http.fixture.Callers.Caller;
import io.github.collapseexecutor.http.rules.FakeRequest;
import io.github.collapseexecutor.http.rules.FakeResponse;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of the followers of a call that fails, or whose response is not for them. */
class LeaderFailureTests extends BlockingExchangesSuite {

    @Test
    void H22_aFailureOfTheLeaderReachesFollowersWithItsType() throws Exception {
        BlockingHttpCollapseExecutor executor = executor(LeaderFailurePolicy.SHARE);
        FakeExchange following = exchange(FakeResponse.of(200), "");
        Caller<Answer> leader = lead(executor, exchange(gated(() -> {
            throw new ConnectException("refused");
        })));
        Caller<Answer> follower = follow(executor, following);
        gate.countDown();
        assertThat(leader.failure()).isInstanceOf(ConnectException.class);
        assertThat(follower.failure()).isInstanceOf(ConnectException.class).hasMessage("refused");
        assertThat(following.wasSent()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void H22_oneFollowerAsksForAllHoweverLateTheOthersWake(boolean secondFails) throws Exception {
        BlockingHttpCollapseExecutor executor = executor();
        Caller<Answer> leader = lead(executor, exchange(gated(() -> {
            throw new ConnectException("refused");
        })));
        List<FakeExchange> following = new ArrayList<>();
        List<Caller<Answer>> followers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            FakeExchange exchange = secondFails
                    ? failing(new SocketTimeoutException("slow"))
                    : exchange(FakeResponse.of(200), "second");
            following.add(exchange);
            followers.add(follow(executor, exchange));
        }
        gate.countDown();
        assertThat(leader.failure()).isInstanceOf(ConnectException.class);
        for (Caller<Answer> follower : followers) {
            if (secondFails) {
                assertThat(follower.failure()).isInstanceOf(SocketTimeoutException.class);
            } else {
                assertThat(follower.get().text()).isEqualTo("second");
            }
        }
        assertThat(following).filteredOn(FakeExchange::wasSent).hasSize(1);
    }

    @Test
    void H14_oneCallAnswersARegroupHoweverLateItsMembersWake() throws Exception {
        BlockingHttpCollapseExecutor executor = new BlockingHttpCollapseExecutor(
                HttpCollapseOptions.builder()
                        .rules(List.of(CollapseRule.of(CollapsePolicy.pathOnly(), "/**")))
                        .build(),
                IN_FLIGHT);
        FakeResponse varying = FakeResponse.of(200).with("Vary", "X");
        Caller<Answer> leader =
                lead(executor, new FakeExchange(get("http://a/p"), gated(() -> Answer.of(varying, "first"))));
        List<FakeExchange> following = new ArrayList<>();
        List<Caller<Answer>> followers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            String value = i % 2 == 0 ? "even" : "odd";
            FakeExchange exchange =
                    new FakeExchange(get("http://a/p").with("X", value), () -> Answer.of(varying, value));
            following.add(exchange);
            followers.add(follow(executor, exchange));
        }
        gate.countDown();
        assertThat(leader.get().text()).isEqualTo("first");
        for (int i = 0; i < 20; i++) {
            assertThat(followers.get(i).get().text()).isEqualTo(i % 2 == 0 ? "even" : "odd");
        }
        assertThat(following).filteredOn(FakeExchange::wasSent).hasSize(2);
    }

    /** Every response is chosen by a header that only its own request has: nobody else may have it. */
    @ParameterizedTest
    @CsvSource({"1, 2", "100, 20"})
    void H14_aFollowerThatTheRegroupedCallDoesNotAnswerEitherRegroupsAgainButNotWithoutEnd(int choosing, int sent)
            throws Exception {
        BlockingHttpCollapseExecutor executor = new BlockingHttpCollapseExecutor(
                HttpCollapseOptions.builder()
                        .rules(List.of(CollapseRule.of(CollapsePolicy.pathOnly(), "/**")))
                        .build(),
                IN_FLIGHT);
        Caller<Answer> leader = lead(
                executor,
                new FakeExchange(
                        get("http://a/p"),
                        gated(() -> Answer.of(FakeResponse.of(200).with("Vary", "X"), ""))));
        AtomicInteger calls = new AtomicInteger();
        List<FakeExchange> following = new ArrayList<>();
        List<Caller<Answer>> followers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            FakeRequest request = get("http://a/p").with("X", "1");
            FakeExchange exchange = new FakeExchange(request, () -> {
                int call = calls.incrementAndGet();
                if (call > choosing) {
                    return Answer.of(FakeResponse.of(200), "");
                }
                request.with("Y" + call, "of this leader only");
                return Answer.of(FakeResponse.of(200).with("Vary", "Y" + call), "");
            });
            following.add(exchange);
            followers.add(follow(executor, exchange));
        }
        gate.countDown();
        leader.get();
        for (Caller<Answer> follower : followers) {
            follower.get();
        }
        assertThat(following).filteredOn(FakeExchange::wasSent).hasSize(sent);
    }

    @Test
    void anInterruptedSecondLeaderDoesNotFailTheOthers() throws Exception {
        BlockingHttpCollapseExecutor executor = executor();
        CountDownLatch secondGate = new CountDownLatch(1);
        Caller<Answer> leader = lead(executor, exchange(gated(() -> {
            throw new ConnectException("refused");
        })));
        List<FakeExchange> following = new ArrayList<>();
        List<Caller<Answer>> followers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            FakeExchange exchange = exchange(() -> {
                try {
                    secondGate.await();
                    return Answer.of(FakeResponse.of(200), "second");
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new IOException("interrupted in the transport", e);
                }
            });
            following.add(exchange);
            followers.add(follow(executor, exchange));
        }
        gate.countDown();
        assertThat(leader.failure()).isInstanceOf(ConnectException.class);
        int second = awaitOneSent(following);
        followers.get(second).thread().interrupt();
        assertThat(followers.get(second).failure()).hasMessage("interrupted in the transport");
        secondGate.countDown();
        for (int i = 0; i < 3; i++) {
            if (i != second) {
                assertThat(followers.get(i).get().text()).isEqualTo("second");
            }
        }
        assertThat(following).filteredOn(FakeExchange::wasSent).hasSize(2);
    }

    private static int awaitOneSent(List<FakeExchange> exchanges) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (System.nanoTime() - deadline < 0) {
            for (int i = 0; i < exchanges.size(); i++) {
                if (exchanges.get(i).wasSent()) {
                    return i;
                }
            }
            Thread.onSpinWait();
        }
        throw new AssertionError("No follower sends its exchange");
    }

    @Test
    void H22_aSecondFailureIsFinal() throws Exception {
        BlockingHttpCollapseExecutor executor = executor();
        Caller<Answer> leader = lead(executor, exchange(gated(() -> {
            throw new ConnectException("refused");
        })));
        FakeExchange following = failing(new SocketTimeoutException("slow"));
        Caller<Answer> follower = follow(executor, following);
        gate.countDown();
        assertThat(leader.failure()).isInstanceOf(ConnectException.class);
        assertThat(follower.failure()).isInstanceOf(SocketTimeoutException.class);
        assertThat(following.wasSent()).isTrue();
    }

    @Test
    void H22_anErrorResponseIsAskedForOnceMoreWhereTheOptionsSaySo() throws Exception {
        BlockingHttpCollapseExecutor executor = executor(LeaderFailurePolicy.RE_ELECT);
        Caller<Answer> leader = lead(executor, exchange(gated(() -> Answer.of(FakeResponse.of(500), "one"))));
        Caller<Answer> follower = follow(executor, exchange(FakeResponse.of(500), "two"));
        gate.countDown();
        assertThat(leader.get().text()).isEqualTo("one");
        assertThat(follower.get().text()).isEqualTo("two");
    }

    @Test
    void H22_anExceptionThatIsNoFailureOfTheTransportIsShared() throws Exception {
        BlockingHttpCollapseExecutor executor = executor();
        FakeExchange following = exchange(FakeResponse.of(200), "");
        Caller<Answer> leader = lead(executor, exchange(gated(() -> {
            throw new IllegalStateException("interceptor");
        })));
        Caller<Answer> follower = follow(executor, following);
        gate.countDown();
        assertThat(leader.failure()).isInstanceOf(IllegalStateException.class);
        assertThat(follower.failure()).isInstanceOf(IllegalStateException.class);
        assertThat(following.wasSent()).isFalse();
    }

    @ParameterizedTest
    @EnumSource(
            value = LeaderFailurePolicy.class,
            names = {"FAN_OUT", "RE_ELECT"})
    void H22_followersOfAnExceptionSendThemselvesWhereTheOptionsSaySo(LeaderFailurePolicy choice) throws Exception {
        BlockingHttpCollapseExecutor executor = executor(choice);
        Caller<Answer> leader = lead(executor, exchange(gated(() -> {
            throw new IllegalStateException("interceptor");
        })));
        Caller<Answer> follower = follow(executor, exchange(FakeResponse.of(200), "own"));
        gate.countDown();
        assertThat(leader.failure()).isInstanceOf(IllegalStateException.class);
        assertThat(follower.get().text()).isEqualTo("own");
    }

    @Test
    void anInterruptedLeaderDoesNotFailItsFollowers() throws Exception {
        BlockingHttpCollapseExecutor executor = executor(LeaderFailurePolicy.SHARE);
        Caller<Answer> leader = lead(executor, exchange(gated(() -> Answer.of(FakeResponse.of(200), ""))));
        Caller<Answer> follower = follow(executor, exchange(FakeResponse.of(200), "own"));
        leader.thread().interrupt();
        assertThat(leader.failure()).isInstanceOf(IOException.class).hasMessage("interrupted in the transport");
        assertThat(follower.get().text()).isEqualTo("own");
    }
}
