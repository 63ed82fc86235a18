package io.github.collapseexecutor.http.call;

import static io.github.collapseexecutor.http.rules.FakeRequest.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.ContextCarrier;
import io.github.collapseexecutor.http.HttpCallSummary;
import io.github.collapseexecutor.http.HttpCollapseListener;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.call.FakeFutureExchange.Answer;
import io.github.collapseexecutor.http.fixture.Callers;
import io.github.collapseexecutor.http.rules.FakeRequest;
import io.github.collapseexecutor.http.rules.FakeResponse;
import io.github.collapseexecutor.http.rules.HttpTime;
import io.github.collapseexecutor.http.rules.SharedResponse;
import io.github.collapseexecutor.http.rules.Side;
import java.net.ConnectException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of a caller that holds a future, and of a response, when an adapter fails or the response comes too late. */
class FutureDriverTests {

    private static final FakeResponse OK = FakeResponse.of(200);
    private static final HttpCollapseListener LISTENER = new HttpCollapseListener() {};

    private static FutureHttpCollapseExecutor executor(HttpCollapseOptions.Builder http) {
        return FutureHttpCollapseExecutor.ofClient(http.build(), Callers.IN_FLIGHT);
    }

    private static FakeResponse forItsLeader() {
        return FakeResponse.of(200).with("Cache-Control", "no-store");
    }

    /** The requests that follow are not collapsed. */
    private static void makePassing(FutureHttpCollapseExecutor executor) {
        FakeFutureExchange first = new FakeFutureExchange(get("http://a/p"));
        CompletableFuture<Answer> answer = executor.execute(first);
        first.receive(forItsLeader(), "own");
        assertThat(answer).isCompleted();
    }

    /** A request whose client hands out a stage that depends on the one which fails. */
    private static final class Dependent extends FakeFutureExchange {

        Dependent(FakeRequest request) {
            super(request);
        }

        @Override
        public CompletableFuture<Answer> send() {
            return super.send().thenApply(answer -> answer);
        }
    }

    private static Throwable failureOf(CompletableFuture<Answer> caller) {
        return caller.handle((answer, thrown) -> thrown).join();
    }

    private static void assertFailsAsItsClientSays(FutureHttpCollapseExecutor executor, FakeRequest request) {
        Dependent exchange = new Dependent(request);
        CompletableFuture<Answer> caller = executor.execute(exchange);
        exchange.sending.completeExceptionally(new ConnectException("refused"));
        assertThat(failureOf(caller)).isInstanceOf(ConnectException.class);
    }

    @Test
    void H39_aCallThatIsNotCollapsedFailsAsItsClientSays() {
        assertFailsAsItsClientSays(executor(BlockingExchangesSuite.everything()), FakeRequest.of("POST", "http://a/p"));
    }

    @Test
    void H39_aCallOfAKeyThatPassesFailsAsItsClientSays() {
        FutureHttpCollapseExecutor executor = executor(BlockingExchangesSuite.everything());
        makePassing(executor);
        assertFailsAsItsClientSays(executor, get("http://a/p"));
    }

    @Test
    void H39_aFollowersOwnCallFailsAsItsClientSays() {
        FutureHttpCollapseExecutor executor = executor(BlockingExchangesSuite.everything());
        FakeFutureExchange leader = new FakeFutureExchange(get("http://a/p"));
        Dependent follower = new Dependent(get("http://a/p"));
        CompletableFuture<Answer> unused = executor.execute(leader);
        CompletableFuture<Answer> caller = executor.execute(follower);
        leader.receive(forItsLeader(), "own");
        follower.sending.completeExceptionally(new ConnectException("refused"));
        assertThat(failureOf(caller)).isInstanceOf(ConnectException.class);
    }

    @Test
    void aFollowerWhoseAdapterCannotMarkItsResponseFailsAndTheResponseIsReleased() {
        FutureHttpCollapseExecutor executor =
                executor(BlockingExchangesSuite.everything().cacheStatus("app"));
        FakeFutureExchange leader = new FakeFutureExchange(get("http://a/p"));
        FakeFutureExchange follower = new FakeFutureExchange(get("http://a/p")) {
            @Override
            public Answer withHeader(Answer response, String name, String value) {
                throw new IllegalStateException("cannot be marked");
            }
        };
        CompletableFuture<Answer> unused = executor.execute(leader);
        CompletableFuture<Answer> marked = executor.execute(follower);
        leader.receive(forItsLeader(), "own");
        Answer own = follower.receive(OK, "own");
        assertThat(marked).isCompletedExceptionally();
        assertThat(failureOf(marked)).hasMessage("cannot be marked");
        assertThat(own.isClosed()).isTrue();
    }

    @Test
    void aFollowerWhoseAdapterCannotMakeItsAnswerFails() {
        FutureHttpCollapseExecutor executor = executor(BlockingExchangesSuite.everything());
        FakeFutureExchange leader = new FakeFutureExchange(get("http://a/p"));
        FakeFutureExchange follower = new FakeFutureExchange(get("http://a/p")) {
            @Override
            public Answer answer(SharedResponse response, SharedResponse.Receiver receiver) {
                throw new IllegalStateException("cannot be made");
            }
        };
        CompletableFuture<Answer> unused = executor.execute(leader);
        CompletableFuture<Answer> made = executor.execute(follower);
        leader.receiveWhole(OK, "body");
        assertThat(made).isCompletedExceptionally();
        assertThat(failureOf(made)).hasMessage("cannot be made");
    }

    /** Its caller leaves from inside the client, before there is anything that could be cancelled. */
    @Test
    void H24_aCallWhoseCallerLeavesWhileItIsSentIsCancelled() {
        FutureHttpCollapseExecutor executor = executor(BlockingExchangesSuite.everything());
        FakeFutureExchange leader = new FakeFutureExchange(get("http://a/p"));
        CompletableFuture<CompletableFuture<Answer>> left = new CompletableFuture<>();
        FakeFutureExchange follower = new FakeFutureExchange(get("http://a/p")) {
            @Override
            public CompletableFuture<Answer> send() {
                left.join().cancel(true);
                return super.send();
            }
        };
        CompletableFuture<Answer> unused = executor.execute(leader);
        left.complete(executor.execute(follower));
        leader.receive(forItsLeader(), "own");
        assertThat(follower.wasSent()).isTrue();
        assertThat(follower.sending).isCancelled();
    }

    /** A client whose calls cannot be cancelled. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void H23_aResponseThatComesWhenItsCallerHasLeftIsReleased(boolean listenedTo) {
        HttpCollapseOptions.Builder options = BlockingExchangesSuite.everything();
        FutureHttpCollapseExecutor executor = executor(listenedTo ? options.listener(LISTENER) : options);
        CompletableFuture<Answer> received = new CompletableFuture<>();
        makePassing(executor);
        FakeFutureExchange exchange = new FakeFutureExchange(get("http://a/p")) {
            @Override
            public CompletableFuture<Answer> send() {
                return new CompletableFuture<>() {
                    {
                        CompletableFuture<Boolean> unused = received.thenApply(this::complete);
                    }

                    @Override
                    public boolean cancel(boolean mayInterruptIfRunning) {
                        return false;
                    }
                };
            }
        };
        CompletableFuture<Answer> caller = executor.execute(exchange);
        caller.cancel(true);
        Answer late = new Answer(OK, "late");
        received.complete(late);
        assertThat(late.isClosed()).isTrue();
    }

    /** The response is there, and its caller leaves before it has got it. */
    @Test
    void H23_aResponseIsReleasedWhoseCallerLeavesWhileTheListenerIsTold() {
        CompletableFuture<CompletableFuture<Answer>> caller = new CompletableFuture<>();
        FutureHttpCollapseExecutor executor =
                executor(BlockingExchangesSuite.everything().listener(new HttpCollapseListener() {
                    @Override
                    public void requestEnded(HttpCallSummary request) {
                        caller.join().cancel(true);
                    }
                }));
        FakeFutureExchange exchange = new FakeFutureExchange(get("http://a/p"));
        caller.complete(executor.execute(exchange));
        Answer own = exchange.receive(forItsLeader(), "own");
        assertThat(caller.join()).isCancelled();
        assertThat(own.isClosed()).isTrue();
    }

    /** It finds a context for so many calls; one that gathers once more does so on the thread that ended another's call, where there may be none. */
    private static final class CarrierThatFails implements ContextCarrier {

        private final AtomicInteger left;

        CarrierThatFails(int captures) {
            left = new AtomicInteger(captures);
        }

        @Override
        public Object capture() {
            if (left.getAndDecrement() <= 0) {
                throw new IllegalStateException("no context here");
            }
            return "context";
        }

        @Override
        public <T> T around(List<Object> contexts, Callable<T> execution) throws Exception {
            return execution.call();
        }
    }

    @Test
    void H24_aFollowerThatCannotGatherOnceMoreFailsInsteadOfWaitingForEver() {
        FutureHttpCollapseExecutor executor = FutureHttpCollapseExecutor.ofClient(
                BlockingExchangesSuite.everything().build(),
                Callers.IN_FLIGHT.toBuilder()
                        .contextCarrier(new CarrierThatFails(2))
                        .build());
        FakeFutureExchange leader = new FakeFutureExchange(get("http://a/p"));
        CompletableFuture<Answer> led = executor.execute(leader);
        CompletableFuture<Answer> joined = executor.execute(new FakeFutureExchange(get("http://a/p")));
        leader.sending.completeExceptionally(new ConnectException("refused"));
        assertThat(failureOf(led)).isInstanceOf(ConnectException.class);
        assertThat(joined).isCompletedExceptionally();
        assertThat(failureOf(joined)).hasMessage("no context here");
    }

    /** A JVM that can start no thread cannot set a timer either. */
    private static final class TimeWithoutTimers implements HttpTime {

        private final AtomicInteger left;

        TimeWithoutTimers(int timers) {
            left = new AtomicInteger(timers);
        }

        @Override
        public long nanoTime() {
            return 0;
        }

        @Override
        public Instant now() {
            return Instant.EPOCH;
        }

        @Override
        public Future<?> schedule(Runnable task, long nanos) {
            if (left.getAndDecrement() <= 0) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            return new CompletableFuture<>();
        }
    }

    private static FutureHttpCollapseExecutor executor(HttpCollapseOptions.Builder http, int timers) {
        return new FutureHttpCollapseExecutor(
                http.followerTimeout(Duration.ofDays(1)).build(),
                Callers.IN_FLIGHT.toBuilder().callTimeout(Duration.ofDays(1)).build(),
                Side.CLIENT,
                new TimeWithoutTimers(timers));
    }

    /** The two times of the leader, and as many of the follower as there are timers left. */
    @ParameterizedTest
    @ValueSource(ints = {4, 5, 6})
    void H24_aFollowerForWhichNoTimerCanBeSetFailsInsteadOfWaitingForEver(int timers) {
        FutureHttpCollapseExecutor executor = executor(BlockingExchangesSuite.everything(), timers);
        FakeFutureExchange leader = new FakeFutureExchange(get("http://a/p"));
        FakeFutureExchange follower = new FakeFutureExchange(get("http://a/p"));
        CompletableFuture<Answer> led = executor.execute(leader);
        CompletableFuture<Answer> joined = executor.execute(follower);
        assertThat(joined).isNotDone();
        leader.sending.completeExceptionally(new ConnectException("refused"));
        assertThat(failureOf(led)).isInstanceOf(ConnectException.class);
        if (timers < 6) {
            assertThat(joined).isCompletedExceptionally();
            assertThat(failureOf(joined)).isInstanceOf(OutOfMemoryError.class);
        } else {
            follower.receiveWhole(OK, "own");
            assertThat(joined.join().body).isEqualTo("own");
        }
    }

    @Test
    void H24_aFollowersOwnCallForWhichNoTimerCanBeSetFailsAndIsCancelled() {
        FutureHttpCollapseExecutor executor = executor(BlockingExchangesSuite.everything(), 4);
        FakeFutureExchange leader = new FakeFutureExchange(get("http://a/p"));
        FakeFutureExchange follower = new FakeFutureExchange(get("http://a/p"));
        CompletableFuture<Answer> unused = executor.execute(leader);
        CompletableFuture<Answer> caller = executor.execute(follower);
        leader.receive(forItsLeader(), "own");
        assertThat(caller).isCompletedExceptionally();
        assertThat(failureOf(caller)).isInstanceOf(OutOfMemoryError.class);
        assertThat(follower.sending).isCancelled();
    }
}
