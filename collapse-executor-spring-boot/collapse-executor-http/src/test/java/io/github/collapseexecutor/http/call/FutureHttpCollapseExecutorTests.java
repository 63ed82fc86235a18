package io.github.collapseexecutor.http.call;

import static io.github.collapseexecutor.http.fixture.Callers.IN_FLIGHT;
import static io.github.collapseexecutor.http.rules.Decided.forwarded;
import static io.github.collapseexecutor.http.rules.Decided.request;
import static io.github.collapseexecutor.http.rules.FakeRequest.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.LeaderFailurePolicy;
import io.github.collapseexecutor.http.Reason;
import io.github.collapseexecutor.http.call.FakeFutureExchange.Answer;
import io.github.collapseexecutor.http.rules.FakeRequest;
import io.github.collapseexecutor.http.rules.FakeResponse;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** No thread but the test's own, unless a test says so: whatever an exchange does, the test does. */
class FutureHttpCollapseExecutorTests extends FutureExchangesFixture {

    @Test
    void everybodyGetsACopyOfASharedResponse() {
        List<FakeFutureExchange> exchanges = exchanges(3);
        List<CompletableFuture<Answer>> answers = execute(executor(), exchanges);
        assertThat(exchanges).extracting(FakeFutureExchange::wasSent).containsExactly(true, false, false);
        exchanges.get(0).receiveWhole(OK, "body");
        assertThat(answers).extracting(answer -> answer.join().body).containsOnly("body");
        assertThat(answers.get(1).join()).isNotSameAs(answers.get(2).join());
    }

    @Test
    void aRequestThatDoesNotCollapseIsSentByItself() {
        FutureHttpCollapseExecutor executor = executor();
        FakeFutureExchange one = new FakeFutureExchange(FakeRequest.of("POST", "http://a/p"));
        FakeFutureExchange other = new FakeFutureExchange(FakeRequest.of("POST", "http://a/p"));
        assertThat(executor.arrived(one.request())).isEqualTo(forwarded(Reason.METHOD));
        CompletableFuture<Answer> answer = executor.execute(one);
        CompletableFuture<Answer> cancelled = executor.execute(other);
        assertThat(answer.isDone()).isFalse();
        assertThat(one.receive(OK, "own")).isSameAs(answer.join());
        cancelled.cancel(true);
        assertThat(other.sending).isCancelled();
    }

    @Test
    void aRequestThatWasFoundCollapsibleIsNotLookedAtAgainBeforeItIsSent() {
        FutureHttpCollapseExecutor executor = executor();
        FakeRequest request = get("http://a/p");
        FakeFutureExchange exchange = new FakeFutureExchange(request);
        CompletableFuture<Answer> answer = executor.execute(exchange, request(executor.arrived(request)));
        assertThat(request.looks()).isEqualTo(1);
        FakeFutureExchange follower = new FakeFutureExchange(get("http://a/p"));
        CompletableFuture<Answer> shared = executor.execute(follower);
        exchange.receiveWhole(OK, "body");
        assertThat(answer.join().body).isEqualTo("body");
        assertThat(shared.join().body).isEqualTo("body");
        assertThat(follower.wasSent()).isFalse();
    }

    @Test
    void H11_aReadThatComesAsSoonAsAWriteHasEndedJoinsNoReadDuringIt() {
        FutureHttpCollapseExecutor executor = executor();
        FakeFutureExchange write = new FakeFutureExchange(FakeRequest.of("POST", "http://secret/p"));
        FakeFutureExchange late = exchange();
        CompletableFuture<Answer> written = executor.execute(write);
        CompletableFuture<Answer> unusedEarly = executor.execute(exchange());
        CompletableFuture<Void> reading = written.thenAccept(answer -> {
            CompletableFuture<Answer> unused = executor.execute(late);
        });
        write.receive(OK, "");
        reading.join();
        assertThat(late.wasSent()).isTrue();
    }

    /** A client's caller has the response only when the write has been counted. */
    @Test
    void H11_atAClientAReadDuringAWriteStillJoinsTheReadBefore() {
        FutureHttpCollapseExecutor executor = executor();
        FakeFutureExchange write = new FakeFutureExchange(FakeRequest.of("POST", "http://secret/p"));
        FakeFutureExchange before = exchange();
        FakeFutureExchange during = exchange();
        List<CompletableFuture<Answer>> unused = execute(executor, List.of(before, write, during));
        assertThat(during.wasSent()).isFalse();
    }

    @Test
    void H21_aRequestThatComesAsSoonAsAShareableResponseIsThereGathersAgain() {
        FutureHttpCollapseExecutor executor = executor();
        List<FakeFutureExchange> exchanges = exchanges(4);
        CompletableFuture<Answer> unshared = executor.execute(exchanges.get(0));
        exchanges.get(0).receive(FakeResponse.of(401), "");
        assertThat(unshared).isCompleted();
        CompletableFuture<List<CompletableFuture<Answer>>> next =
                executor.execute(exchanges.get(1)).thenApply(answer -> execute(executor, exchanges.subList(2, 4)));
        exchanges.get(1).receive(OK, "");
        assertThat(next.join()).hasSize(2);
        assertThat(exchanges).extracting(FakeFutureExchange::wasSent).containsExactly(true, true, true, false);
    }

    @Test
    void H20_followersOfAnUnsharedResponseAreSentAtOnceUpToTheLimit() {
        List<FakeFutureExchange> exchanges = exchanges(50);
        List<CompletableFuture<Answer>> answers = execute(executor(everything().fanOutLimit(10)), exchanges);
        Answer first = exchanges.get(0).receive(FakeResponse.of(200).with("Cache-Control", "no-store"), "first");
        assertThat(answers.get(0).join()).isSameAs(first);
        assertThat(exchanges).filteredOn(FakeFutureExchange::wasSent).hasSize(1 + 10);
        exchanges.get(3).receive(OK, "own");
        exchanges.get(5).sending.completeExceptionally(new ConnectException("refused"));
        assertThat(exchanges).filteredOn(FakeFutureExchange::wasSent).hasSize(1 + 12);
        for (FakeFutureExchange exchange : exchanges) {
            exchange.receive(OK, "own");
        }
        assertThat(exchanges).allMatch(FakeFutureExchange::wasSent);
        assertThat(answers).allMatch(CompletableFuture::isDone);
    }

    @Test
    void H20_aFollowerThatLeavesWhileWaitingForAPlaceTakesNone() {
        List<FakeFutureExchange> exchanges = exchanges(4);
        List<CompletableFuture<Answer>> answers = execute(executor(everything().fanOutLimit(1)), exchanges);
        exchanges.get(0).receive(FakeResponse.of(200).with("Cache-Control", "no-store"), "first");
        answers.get(2).cancel(true);
        exchanges.get(1).receive(OK, "own");
        assertThat(exchanges).extracting(FakeFutureExchange::wasSent).containsExactly(true, true, false, true);
    }

    @Test
    void H22_afterAFailedTransportOneFollowerAsksForAll() {
        List<FakeFutureExchange> exchanges = exchanges(4);
        List<CompletableFuture<Answer>> answers = execute(executor(), exchanges);
        exchanges.get(0).sending.completeExceptionally(new ConnectException("refused"));
        assertThat(exchanges).extracting(FakeFutureExchange::wasSent).containsExactly(true, true, false, false);
        exchanges.get(1).receive(OK, "second");
        exchanges.get(1).collecting.completeExceptionally(new ConnectException("reset"));
        assertThat(answers).allMatch(CompletableFuture::isCompletedExceptionally);
        assertThat(exchanges).extracting(FakeFutureExchange::wasSent).containsExactly(true, true, false, false);
    }

    @ParameterizedTest
    @EnumSource(LeaderFailurePolicy.class)
    void H22_aFailureMeansWhatTheOptionsSay(LeaderFailurePolicy choice) throws Exception {
        List<FakeFutureExchange> exchanges = exchanges(4);
        List<CompletableFuture<Answer>> answers = execute(executor(everything().onLeaderFailure(choice)), exchanges);
        IllegalStateException failure = new IllegalStateException("application");
        exchanges.get(0).sending.completeExceptionally(failure);
        assertThat(failureOf(answers.get(0))).isSameAs(failure);
        int sent = (int) exchanges.stream().filter(FakeFutureExchange::wasSent).count();
        assertThat(sent)
                .isEqualTo(choice == LeaderFailurePolicy.SHARE ? 1 : choice == LeaderFailurePolicy.RE_ELECT ? 2 : 4);
        if (choice == LeaderFailurePolicy.SHARE) {
            assertThat(failureOf(answers.get(3))).isSameAs(failure);
        }
    }

    @Test
    void H23_theCallOfALeaderThatLeavesGoesOnForTheOthers() {
        List<FakeFutureExchange> exchanges = exchanges(2);
        List<CompletableFuture<Answer>> answers = execute(executor(), exchanges);
        answers.get(0).cancel(true);
        assertThat(exchanges.get(0).sending).isNotDone();
        exchanges.get(0).receiveWhole(OK, "body");
        assertThat(answers.get(1).join().body).isEqualTo("body");
        assertThat(exchanges.get(1).wasSent()).isFalse();
    }

    @Test
    void H23_aResponseForALeaderThatHasLeftIsClosedAndTheOthersAreForwarded() {
        List<FakeFutureExchange> exchanges = exchanges(2);
        List<CompletableFuture<Answer>> answers = execute(executor(), exchanges);
        answers.get(0).cancel(true);
        Answer unwanted = exchanges.get(0).receive(FakeResponse.of(200).with("Set-Cookie", "a=b"), "");
        assertThat(unwanted.isClosed()).isTrue();
        assertThat(exchanges.get(1).wasSent()).isTrue();
        exchanges.get(1).receive(OK, "own");
        assertThat(answers.get(1).join().body).isEqualTo("own");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void H23_aCallThatNobodyWaitsForIsCancelledAndALaterRequestStartsAnew(boolean atBody) {
        FutureHttpCollapseExecutor executor = executor();
        List<FakeFutureExchange> exchanges = exchanges(3);
        List<CompletableFuture<Answer>> answers = execute(executor, exchanges.subList(0, 2));
        if (atBody) {
            exchanges.get(0).receive(OK, "");
        }
        answers.get(0).cancel(true);
        answers.get(1).cancel(true);
        assertThat(exchanges.get(0).collecting.isCancelled()).isEqualTo(atBody);
        assertThat(exchanges.get(0).sending.isCancelled()).isNotEqualTo(atBody);
        CompletableFuture<Answer> late = executor.execute(exchanges.get(2));
        exchanges.get(2).receiveWhole(OK, "new");
        assertThat(late.join().body).isEqualTo("new");
    }

    @Test
    void H14_aFollowerWithoutAnAnswerAfterThreeMoreCallsGoesAlone() {
        List<FakeFutureExchange> exchanges = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            FakeRequest request = get("http://a/p");
            for (int header = 0; header < 8; header++) {
                request = request.with("X-" + header, header == i ? "own" : "other");
            }
            exchanges.add(new FakeFutureExchange(request));
        }
        HttpCollapseOptions.Builder pathOnly =
                HttpCollapseOptions.builder().rules(List.of(CollapseRule.of(CollapsePolicy.pathOnly(), "/**")));
        List<CompletableFuture<Answer>> answers = execute(executor(pathOnly), exchanges);
        for (int leader = 0; leader < 4; leader++) {
            assertThat(exchanges).filteredOn(FakeFutureExchange::wasSent).hasSize(leader + 1);
            exchanges.get(leader).receiveWhole(FakeResponse.of(200).with("Vary", "X-" + leader), "of " + leader);
            assertThat(answers.get(leader).join().body).isEqualTo("of " + leader);
        }
        assertThat(exchanges).allMatch(FakeFutureExchange::wasSent);
    }

    @Test
    void H24_aFollowerThatLeavesAffectsNobody() {
        List<FakeFutureExchange> exchanges = exchanges(3);
        List<CompletableFuture<Answer>> answers = execute(executor(), exchanges);
        answers.get(1).cancel(true);
        exchanges.get(0).receiveWhole(OK, "body");
        assertThat(answers.get(0).join().body).isEqualTo("body");
        assertThat(answers.get(2).join().body).isEqualTo("body");
    }

    @Test
    void H24_aFollowerThatWasForwardedIsCancelledWithItsCaller() {
        List<FakeFutureExchange> exchanges = exchanges(2);
        List<CompletableFuture<Answer>> answers = execute(executor(), exchanges);
        exchanges.get(0).receive(FakeResponse.of(401), "");
        answers.get(1).cancel(true);
        assertThat(exchanges.get(1).sending).isCancelled();
    }

    @Test
    void H27_aBodyThatIsAnnouncedTooLargeIsNotCollected() {
        List<FakeFutureExchange> exchanges = exchanges(2);
        List<CompletableFuture<Answer>> answers = execute(executor(everything().maxBodySize(4)), exchanges);
        Answer large = exchanges.get(0).receive(FakeResponse.of(200).with("Content-Length", "5"), "large");
        assertThat(answers.get(0)).isCompletedWithValue(large);
        assertThat(exchanges.get(1).wasSent()).isTrue();
    }

    @Test
    void H27_aBodyThatTurnsOutTooLargeIsTheLeadersAndTheOthersAreForwarded() {
        List<FakeFutureExchange> exchanges = exchanges(2);
        List<CompletableFuture<Answer>> answers = execute(executor(), exchanges);
        exchanges.get(0).receive(OK, "large");
        Answer resumed = new Answer(OK, "resumed");
        exchanges.get(0).collecting.complete(BoundedBody.tooLarge(resumed));
        assertThat(answers.get(0).join()).isSameAs(resumed);
        assertThat(exchanges.get(1).wasSent()).isTrue();
    }

    @Test
    void H27_aBodyShorterThanAnnouncedIsNotGivenToOthers() {
        List<FakeFutureExchange> exchanges = exchanges(2);
        List<CompletableFuture<Answer>> answers = execute(executor(), exchanges);
        exchanges.get(0).receiveWhole(FakeResponse.of(200).with("Content-Length", "9"), "short");
        assertThat(answers.get(0).join().body).isEqualTo("short");
        assertThat(exchanges.get(1).wasSent()).isTrue();
    }

    @Test
    void H32_aRequestThatGoesAloneSaysSoAndOneThatIsAnsweredSaysSo() {
        FutureHttpCollapseExecutor executor =
                executor(everything().cacheStatus("here").passTtl(Duration.ZERO));
        List<FakeFutureExchange> exchanges = exchanges(4);
        List<CompletableFuture<Answer>> answers = execute(executor, exchanges.subList(0, 2));
        exchanges.get(0).receiveWhole(FakeResponse.of(200).with("Cache-Status", "origin; hit"), "");
        assertThat(answers.get(0).join().head.values("Cache-Status")).containsExactly("origin; hit");
        assertThat(answers.get(1).join().head.values("Cache-Status"))
                .containsExactly("origin; hit", "here; fwd=uri-miss; collapsed");
        List<CompletableFuture<Answer>> alone = execute(executor, exchanges.subList(2, 4));
        exchanges.get(2).receive(FakeResponse.of(401), "");
        exchanges.get(3).receive(FakeResponse.of(401).with("Cache-Status", "origin; hit"), "");
        assertThat(alone.get(0).join().head.values("Cache-Status")).isEmpty();
        assertThat(alone.get(1).join().head.values("Cache-Status"))
                .containsExactly("origin; hit", "here; fwd=uri-miss; collapsed=?0");
    }

    @Test
    void H33_aRefusalSaysNothingOfTheRequest() throws Exception {
        FutureHttpCollapseExecutor executor = FutureHttpCollapseExecutor.ofClient(
                everything().build(), IN_FLIGHT.toBuilder().maxPending(1).build());
        CompletableFuture<Answer> unused = executor.execute(exchange());
        assertThat(failureOf(executor.execute(exchange())))
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessageNotContaining("secret");
    }

    @Test
    void aFailingAdapterFailsItsCallersAndLeavesNobodyWaiting() throws Exception {
        FutureHttpCollapseExecutor executor = executor();
        FakeFutureExchange leading = exchange();
        CompletableFuture<Answer> leader = executor.execute(leading);
        CompletableFuture<Answer> follower = executor.execute(exchange());
        Answer broken = new Answer(FakeResponse.of(200).with("Content-Length", "0"), "");
        leading.collecting.complete(null);
        leading.sending.complete(broken);
        assertThat(failureOf(leader)).isInstanceOf(NullPointerException.class);
        assertThat(failureOf(follower)).isInstanceOf(NullPointerException.class);
    }
}
