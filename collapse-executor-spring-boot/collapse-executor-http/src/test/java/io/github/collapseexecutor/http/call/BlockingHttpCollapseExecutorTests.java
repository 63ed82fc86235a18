package io.github.collapseexecutor.http.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.github.collapseexecutor.http.LeaderFailurePolicy;
import io.github.collapseexecutor.http.call.FakeExchange.Answer;
import io.github.collapseexecutor.http.call.FakeExchange.Sending;
import io.github.collapseexecutor.http.fixture.Callers.Caller;
import io.github.collapseexecutor.http.rules.FakeRequest;
import io.github.collapseexecutor.http.rules.FakeResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.SequenceInputStream;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BlockingHttpCollapseExecutorTests extends BlockingExchangesSuite {

    @Test
    void aSharedResponseIsClosedAndEverybodyGetsACopy() throws Exception {
        BlockingHttpCollapseExecutor executor = executor();
        FakeExchange leading = exchange(gated(() -> Answer.of(FakeResponse.of(200), "body")));
        FakeExchange following = exchange(FakeResponse.of(200), "other");
        Caller<Answer> leader = lead(executor, leading);
        Caller<Answer> follower = follow(executor, following);
        gate.countDown();
        assertThat(leader.get()).isNotSameAs(received(leading));
        assertThat(leader.get().text()).isEqualTo("body");
        assertThat(follower.get().text()).isEqualTo("body");
        assertThat(received(leading).isClosed()).isTrue();
        assertThat(following.wasSent()).isFalse();
    }

    @Test
    void aLeaderGetsAnUnsharedResponseUntouched() throws Exception {
        FakeExchange leading = exchange(FakeResponse.of(200).with("Cache-Control", "no-store"), "body");
        Answer answer = executor().execute(leading);
        assertThat(answer).isSameAs(received(leading));
        assertThat(answer.isClosed()).isFalse();
        assertThat(answer.text()).isEqualTo("body");
    }

    @Test
    void H27_aBodyAnnouncedAsTooLargeIsNotTouched() throws Exception {
        FakeExchange leading = exchange(FakeResponse.of(200).with("Content-Length", "5"), "large");
        Answer answer =
                new BlockingHttpCollapseExecutor(everything().maxBodySize(4).build(), IN_FLIGHT).execute(leading);
        assertThat(answer).isSameAs(received(leading));
    }

    @Test
    void H27_aBodyThatTurnsOutTooLargeIsReadNoFurtherThanNeeded() throws Exception {
        InputStream body = new ByteArrayInputStream(new byte[100]);
        FakeExchange leading = exchange(() -> new Answer(FakeResponse.of(200), body));
        Answer answer =
                new BlockingHttpCollapseExecutor(everything().maxBodySize(4).build(), IN_FLIGHT).execute(leading);
        assertThat(body.available()).isEqualTo(95);
        assertThat(answer.body.readAllBytes()).hasSize(100);
        assertThat(received(leading).isClosed()).isFalse();
        answer.close();
        assertThat(received(leading).isClosed()).isTrue();
    }

    @Test
    void aResponseWhoseBodyFailsIsClosed() {
        InputStream broken = new SequenceInputStream(new ByteArrayInputStream(new byte[3]), new ScriptedBody(() -> {
            throw new IOException("reset");
        }));
        FakeExchange leading = exchange(() -> new Answer(FakeResponse.of(200), broken));
        assertThatIOException().isThrownBy(() -> executor().execute(leading)).withMessage("reset");
        assertThat(received(leading).isClosed()).isTrue();
    }

    @Test
    void aResponseWhoseHeadCannotBeReadIsClosed() {
        FakeExchange leading = exchange(FakeResponse.of(0), "");
        assertThatIOException().isThrownBy(() -> executor().execute(leading)).withMessage("no status line");
        assertThat(received(leading).isClosed()).isTrue();
    }

    @Test
    void H11_anUnsafeRequestThatFailsCountsToo() throws Exception {
        BlockingHttpCollapseExecutor executor = executor();
        Sending answering = gated(() -> Answer.of(FakeResponse.of(200), ""));
        FakeExchange early = exchange(answering);
        Caller<Answer> reader = lead(executor, early);
        FakeExchange write = new FakeExchange(FakeRequest.of("DELETE", "http://secret/p"), () -> {
            throw new ConnectException("refused");
        });
        assertThatExceptionOfType(ConnectException.class).isThrownBy(() -> executor.execute(write));
        FakeExchange late = exchange(answering);
        Caller<Answer> laterReader = lead(executor, late);
        gate.countDown();
        reader.get();
        laterReader.get();
    }

    @Test
    void H17_aResponseThatIsStaleAtOnceAnswersCallersThatJoinedBeforeItsHeadersOnly() throws Exception {
        BlockingHttpCollapseExecutor executor = executor();
        CountDownLatch atBody = new CountDownLatch(1);
        CountDownLatch headers = new CountDownLatch(1);
        InputStream body = new ScriptedBody(() -> {
            atBody.countDown();
            awaitGate();
        });
        FakeExchange leading = exchange(() -> {
            try {
                headers.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            return new Answer(FakeResponse.of(200).with("Cache-Control", "max-age=0"), body);
        });
        FakeExchange inTime = exchange(FakeResponse.of(200), "own");
        FakeExchange late = exchange(FakeResponse.of(200), "own");
        Caller<Answer> leader = lead(executor, leading);
        Caller<Answer> early = follow(executor, inTime);
        headers.countDown();
        atBody.await();
        Caller<Answer> later = follow(executor, late);
        gate.countDown();
        assertThat(leader.get().text()).isEmpty();
        assertThat(early.get().text()).isEmpty();
        assertThat(later.get().text()).isEqualTo("own");
    }

    @Test
    void H24_anInterruptedFollowerLeavesAtOnceAndAlone() throws Exception {
        BlockingHttpCollapseExecutor executor = executor();
        Caller<Answer> leader = lead(executor, exchange(gated(() -> Answer.of(FakeResponse.of(200), "body"))));
        Caller<Boolean> leaving = callers.start(() -> {
            try {
                executor.execute(exchange(FakeResponse.of(200), "own"));
                return false;
            } catch (InterruptedIOException e) {
                return Thread.currentThread().isInterrupted();
            }
        });
        leaving.awaitJoined();
        Caller<Answer> staying = follow(executor, exchange(FakeResponse.of(200), "own"));
        leaving.thread().interrupt();
        assertThat(leaving.get()).isTrue();
        gate.countDown();
        assertThat(leader.get().text()).isEqualTo("body");
        assertThat(staying.get().text()).isEqualTo("body");
    }

    @Test
    void H33_aTimeOutSaysSoAndNothingOfTheRequest() throws Exception {
        BlockingHttpCollapseExecutor executor = new BlockingHttpCollapseExecutor(
                everything().build(),
                IN_FLIGHT.toBuilder()
                        .name("users")
                        .callTimeout(Duration.ofMillis(1))
                        .build());
        Caller<Answer> leader = lead(executor, exchange(gated(() -> Answer.of(FakeResponse.of(200), "body"))));
        Caller<Answer> follower = start(executor, exchange(FakeResponse.of(200), "own"));
        Throwable failure = follower.failure();
        assertThat(failure)
                .isInstanceOf(SocketTimeoutException.class)
                .hasMessage("No answer to a collapsed request of \"users\" within callTimeout = 1 ms");
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            assertThat(cause.toString()).doesNotContain("secret");
        }
        gate.countDown();
        assertThat(leader.get().text()).isEqualTo("body");
    }

    @Test
    void H33_aRefusalSaysNothingOfTheRequest() throws Exception {
        BlockingHttpCollapseExecutor executor = new BlockingHttpCollapseExecutor(
                everything().build(), IN_FLIGHT.toBuilder().maxPending(1).build());
        Caller<Answer> leader = lead(executor, exchange(gated(() -> Answer.of(FakeResponse.of(200), "body"))));
        assertThatExceptionOfType(RejectedExecutionException.class)
                .isThrownBy(() -> executor.execute(exchange(FakeResponse.of(200), "own")))
                .withMessageNotContaining("secret");
        gate.countDown();
        leader.get();
    }

    @Test
    void anErrorOfTheLeaderIsNotSwallowedAndItsResponseIsClosed() {
        InputStream broken = new ScriptedBody(() -> {
            throw new StackOverflowError();
        });
        FakeExchange leading = exchange(() -> new Answer(FakeResponse.of(200), broken));
        assertThatExceptionOfType(StackOverflowError.class)
                .isThrownBy(() -> executor().execute(leading));
        assertThat(received(leading).isClosed()).isTrue();
    }

    /** What is compiled from Kotlin may throw any exception. */
    @ParameterizedTest
    @EnumSource(LeaderFailurePolicy.class)
    void H39_anUndeclaredExceptionIsThrownAsItIs(LeaderFailurePolicy choice) throws Exception {
        for (Exception undeclared : List.of(new TimeoutException(), new InterruptedException(), new Exception())) {
            BlockingHttpCollapseExecutor executor = executor(choice);
            FakeExchange failing = exchange(Sending.throwing(undeclared));
            assertThat(start(executor, failing).failure()).isSameAs(undeclared);
        }
    }
}
