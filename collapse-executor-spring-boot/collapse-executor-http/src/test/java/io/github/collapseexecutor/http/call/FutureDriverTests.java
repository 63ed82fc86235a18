package io.github.collapseexecutor.http.call;

import static io.github.collapseexecutor.http.rules.FakeRequest.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.http.HttpCallSummary;
import io.github.collapseexecutor.http.HttpCollapseListener;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.call.FakeFutureExchange.Answer;
import io.github.collapseexecutor.http.fixture.Callers;
import io.github.collapseexecutor.http.rules.FakeRequest;
import io.github.collapseexecutor.http.rules.FakeResponse;
import io.github.collapseexecutor.http.rules.SharedResponse;
import java.net.ConnectException;
import java.util.concurrent.CompletableFuture;
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
}
