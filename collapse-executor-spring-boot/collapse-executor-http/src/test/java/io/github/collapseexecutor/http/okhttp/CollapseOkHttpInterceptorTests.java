package io.github.collapseexecutor.http.okhttp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.gate.OnEachJdk;
import io.github.collapseexecutor.http.LeaderFailurePolicy;
import io.github.collapseexecutor.http.fixture.Callers;
import io.github.collapseexecutor.http.fixture.Callers.Caller;
import io.github.collapseexecutor.http.fixture.OriginReply;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin.Hold;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import okhttp3.Call;
import okhttp3.Dispatcher;
import okhttp3.EventListener;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import org.junit.jupiter.api.Test;

/** Cancellation, timeouts, interrupts, and the dispatcher. */
@OnEachJdk
class CollapseOkHttpInterceptorTests extends OkHttpFixture {

    @Test
    void aFollowerThatIsCancelledEndsAtOnceAndAffectsNobody() throws Exception {
        OkHttpClient client = collapsing().build();
        Hold hold = origin.hold();
        Call cancelled = callOf(client);
        List<Caller<String>> gathered = gatheredCalls(hold, List.of(callOf(client), cancelled, callOf(client)));
        cancelled.cancel();
        // the origin holds the leader still
        assertThat(gathered.get(1).failure()).isInstanceOf(IOException.class).hasMessage("Canceled");
        origin.holdNoMore();
        hold.release();
        assertThat(gathered.get(0).get()).isEqualTo("/a");
        assertThat(gathered.get(2).get()).isEqualTo("/a");
        assertThat(origin.requests()).hasSize(1);
    }

    @Test
    void cancellingTheLeaderFailsNoFollower() throws Exception {
        OkHttpClient client = collapsing(
                        everything().onLeaderFailure(LeaderFailurePolicy.SHARE).build())
                .build();
        Hold first = origin.hold();
        Call leader = callOf(client);
        List<Caller<String>> gathered = gatheredCalls(first, List.of(leader, callOf(client), callOf(client)));
        Hold second = origin.hold();
        leader.cancel();
        second.await(1);
        assertThat(gathered.get(0).failure()).isInstanceOf(IOException.class);
        origin.holdNoMore();
        second.release();
        assertThat(gathered.get(1).get()).isEqualTo("/a");
        assertThat(gathered.get(2).get()).isEqualTo("/a");
        assertThat(origin.requests()).hasSize(2);
        first.release();
    }

    /** OkHttp breaks the connection first and tells its listeners then; this one keeps it from telling the next. */
    @Test
    void aLeaderIsKnownToBeCancelledBeforeListenersAreTold() throws Exception {
        CountDownLatch ended = new CountDownLatch(1);
        OkHttpClient client = collapsing(
                        everything().onLeaderFailure(LeaderFailurePolicy.SHARE).build())
                .eventListener(new EventListener() {
                    @Override
                    public void canceled(Call call) {
                        try {
                            ended.await();
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        }
                    }
                })
                .build();
        Hold hold = origin.hold();
        Call leader = callOf(client);
        List<Caller<String>> gathered = gatheredCalls(hold, List.of(leader, callOf(client)));
        origin.holdNoMore();
        Caller<Boolean> cancelling = callers.start(() -> {
            leader.cancel();
            return true;
        });
        assertThat(gathered.get(0).failure()).isInstanceOf(IOException.class);
        assertThat(gathered.get(1).get()).isEqualTo("/a");
        ended.countDown();
        assertThat(cancelling.get()).isTrue();
        hold.release();
        assertThat(origin.requests()).hasSize(2);
    }

    @Test
    void aCallerThatIsLeftAfterAnyNumberOfCancelledLeadersIsAnswered() throws Exception {
        AtomicReference<Call> lastSent = new AtomicReference<>();
        OkHttpClient client = collapsing(
                        everything().onLeaderFailure(LeaderFailurePolicy.SHARE).build())
                .eventListener(new EventListener() {
                    @Override
                    public void requestHeadersStart(Call call) {
                        lastSent.set(call);
                    }
                })
                .build();
        List<Call> calls = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            calls.add(callOf(client));
        }
        Hold hold = origin.hold();
        List<Caller<String>> present = gatheredCalls(hold, calls);
        for (int rounds = 1; rounds < 5; rounds++) {
            Callers.awaitJoined(present, present.size() - 1);
            // not the one that does not wait: a follower that gathers again does not either
            int leader = calls.indexOf(lastSent.get());
            calls.remove(leader).cancel();
            assertThat(present.remove(leader).failure()).isInstanceOf(IOException.class);
            hold.await(1);
        }
        hold.release();
        assertThat(present).hasSize(1);
        assertThat(present.get(0).get()).isEqualTo("/a");
        assertThat(origin.requests()).hasSize(5);
    }

    @Test
    void aLeaderThatIsCancelledInMidBodyFailsNoFollower() throws Exception {
        CountDownLatch reading = new CountDownLatch(1);
        OkHttpClient client = collapsing()
                .eventListener(new EventListener() {
                    @Override
                    public void responseBodyStart(Call call) {
                        reading.countDown();
                    }
                })
                .build();
        origin.answer(request ->
                origin.requests().size() == 1 ? OriginReply.ok("half").stalled() : OriginReply.ok("whole"));
        Call leader = callOf(client);
        Hold hold = origin.hold();
        List<Caller<String>> gathered = gatheredCalls(hold, List.of(leader, callOf(client)));
        origin.holdNoMore();
        hold.release();
        assertThat(reading.await(30, TimeUnit.SECONDS)).isTrue();
        leader.cancel();
        assertThat(gathered.get(0).failure()).isInstanceOf(IOException.class);
        assertThat(gathered.get(1).get()).isEqualTo("whole");
    }

    private WeakReference<Call> leaderOf(OkHttpClient client, Call following) throws Exception {
        Call leading = callOf(client);
        try (Callers both = new Callers()) { // the fixture's would keep the calls
            Hold hold = origin.hold();
            Caller<String> leader = both.start(() -> bodyOf(leading));
            hold.await(1);
            Caller<String> follower = both.start(() -> bodyOf(following));
            follower.awaitJoined();
            hold.release();
            assertThat(leader.get()).isEqualTo("/a");
            assertThat(follower.get()).isEqualTo("/a");
        }
        return new WeakReference<>(leading);
    }

    @Test
    void aCallThatIsKeptKeepsNothingOfTheOthersThatItSharedWith() throws Exception {
        OkHttpClient client = collapsing().build();
        Call kept = callOf(client);
        WeakReference<Call> leader = leaderOf(client, kept);
        await().until(() -> {
            System.gc();
            return leader.get() == null;
        });
        assertThat(kept.isExecuted()).isTrue();
    }

    @Test
    void H25_aFollowersOwnTimeOutEndsItAlone() throws Exception {
        OkHttpClient client = collapsing().build();
        Hold hold = origin.hold();
        Call hurried = callOf(client);
        Caller<String> leader = callers.start(() -> bodyOf(callOf(client)));
        hold.await(1);
        hurried.timeout().timeout(100, TimeUnit.MILLISECONDS);
        Caller<String> follower = callers.start(() -> bodyOf(hurried));
        assertThat(follower.failure())
                .isInstanceOf(InterruptedIOException.class)
                .hasMessage("timeout");
        origin.holdNoMore();
        hold.release();
        assertThat(leader.get()).isEqualTo("/a");
        assertThat(origin.requests()).hasSize(1);
    }

    @Test
    void aThreadIsNotLeftInterruptedByACancelledCall() throws Exception {
        OkHttpClient client = collapsing().build();
        Hold hold = origin.hold();
        Call cancelled = callOf(client);
        Caller<String> leader = callers.start(() -> bodyOf(callOf(client)));
        hold.await(1);
        Caller<Boolean> follower = callers.start(() -> {
            try {
                bodyOf(cancelled);
                throw new AssertionError("It was not cancelled");
            } catch (IOException e) {
                return Thread.currentThread().isInterrupted();
            }
        });
        follower.awaitJoined();
        cancelled.cancel();
        assertThat(follower.get()).isFalse();
        hold.release();
        leader.get();
    }

    @Test
    void anInterruptOfTheThreadIsNotHiddenByACancellation() throws Exception {
        OkHttpClient client = collapsing().build();
        Hold hold = origin.hold();
        Call cancelled = callOf(client);
        Caller<String> leader = callers.start(() -> bodyOf(callOf(client)));
        hold.await(1);
        CompletableFuture<String> interrupted = new CompletableFuture<>();
        Caller<Boolean> follower = callers.start(() -> {
            try {
                bodyOf(cancelled);
                throw new AssertionError("It was not cancelled");
            } catch (IOException e) {
                interrupted.join(); // leaves the interrupt status as it is
                return Thread.currentThread().isInterrupted();
            }
        });
        follower.awaitJoined();
        cancelled.cancel();
        follower.thread().interrupt();
        interrupted.complete("now");
        assertThat(follower.get()).isTrue();
        hold.release();
        leader.get();
    }

    @Test
    void aFollowerWhoseThreadIsInterruptedLeavesWithItsInterruptStatus() throws Exception {
        OkHttpClient client = collapsing().build();
        Hold hold = origin.hold();
        Caller<String> leader = callers.start(() -> bodyOf(callOf(client)));
        hold.await(1);
        Caller<Boolean> follower = callers.start(() -> {
            try {
                bodyOf(callOf(client));
                throw new AssertionError("It was not interrupted");
            } catch (InterruptedIOException e) {
                return Thread.currentThread().isInterrupted();
            }
        });
        follower.awaitJoined();
        follower.thread().interrupt();
        assertThat(follower.get()).isTrue();
        hold.release();
        leader.get();
    }

    @Test
    void enqueuedCallsShareOneCallAndAreCancelledLikeOthers() throws Exception {
        List<Caller<Void>> dispatched = new CopyOnWriteArrayList<>();
        ExecutorService threads = Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "dispatched-" + dispatched.size());
            dispatched.add(new Caller<>(thread, new CompletableFuture<>()));
            return thread;
        });
        OkHttpClient client = collapsing().dispatcher(new Dispatcher(threads)).build();
        try {
            Hold hold = origin.hold();
            List<Call> calls = List.of(callOf(client), callOf(client), callOf(client));
            List<CompletableFuture<String>> bodies = new ArrayList<>();
            for (Call call : calls) {
                bodies.add(enqueue(call));
                if (bodies.size() == 1) {
                    hold.await(1);
                }
            }
            Callers.awaitJoined(dispatched, 2);
            calls.get(1).cancel();
            await().until(bodies.get(1)::isCompletedExceptionally);
            hold.release();
            assertThat(bodies.get(0).get(30, TimeUnit.SECONDS)).isEqualTo("/a");
            assertThat(bodies.get(2).get(30, TimeUnit.SECONDS)).isEqualTo("/a");
            assertThat(origin.requests()).hasSize(1);
        } finally {
            threads.shutdown();
        }
    }

    @Test
    void aCallTooManyFailsInAWayThatTheDispatcherSurvives() throws Exception {
        CollapseOptions one = IN_FLIGHT.toBuilder().maxPending(1).build();
        OkHttpClient client = OkHttpClients.PLAIN
                .newBuilder()
                .addInterceptor(new CollapseOkHttpInterceptor(everything().build(), one))
                .build();
        Hold hold = origin.hold();
        Caller<String> leader = callers.start(() -> bodyOf(callOf(client)));
        hold.await(1);
        assertThat(callers.start(() -> bodyOf(callOf(client))).failure())
                .isInstanceOf(IOException.class)
                .hasCauseInstanceOf(RejectedExecutionException.class);
        hold.release();
        assertThat(leader.get()).isEqualTo("/a");
    }

    @Test
    void H28_aFollowerSeesNothingOfTheLeadersRequest() throws Exception {
        OkHttpClient client = collapsing().build();
        Hold hold = origin.hold();
        List<Caller<Response>> gathered = new ArrayList<>();
        for (String trace : List.of("one", "two")) {
            Request request =
                    get("/a").newBuilder().header("traceparent", trace).build();
            gathered.add(callers.start(() -> client.newCall(request).execute()));
            if (gathered.size() == 1) {
                hold.await(1);
            }
        }
        gathered.get(1).awaitJoined();
        hold.release();
        try (Response leader = gathered.get(0).get();
                Response follower = gathered.get(1).get()) {
            assertThat(leader.request().header("traceparent")).isEqualTo("one");
            assertThat(leader.networkResponse()).isNotNull();
            assertThat(leader.body().string()).isEqualTo("/a");
            assertThat(follower.request().header("traceparent")).isEqualTo("two");
            assertThat(follower.networkResponse()).isNull();
            assertThat(follower.protocol()).isEqualTo(leader.protocol());
            assertThat(follower.body().contentLength()).isEqualTo(2);
            assertThat(follower.body().string()).isEqualTo("/a");
        }
        assertThat(origin.requests()).hasSize(1);
    }

    @Test
    void H27_aResponseOverTheLimitIsStreamedAndMayBeClosedHalfRead() throws Exception {
        String body = "0123456789".repeat(20_000);
        origin.answer(request ->
                OriginReply.ok(body).with("Content-Type", "text/plain").chunked());
        OkHttpClient client = collapsing(everything().maxBodySize(3).build()).build();
        assertThat(bodyOf(callOf(client))).isEqualTo(body);
        try (Response response = callOf(client).execute()) {
            assertThat(response.body().contentLength()).isEqualTo(-1);
            assertThat(String.valueOf(response.body().contentType())).isEqualTo("text/plain");
            assertThat(response.body().source().readUtf8(10)).isEqualTo("0123456789");
        }
    }

    @Test
    void H01_aRequestWithABodyIsSentAsItIs() throws Exception {
        origin.answer(request -> OriginReply.ok(request.method() + request.header("Content-Length")));
        OkHttpClient client = collapsing().build();
        Request post =
                get("/a").newBuilder().post(RequestBody.create("body", null)).build();
        assertThat(bodyOf(client.newCall(post))).isEqualTo("POST4");
        Call cancelled = client.newCall(post);
        cancelled.cancel();
        assertThat(callers.start(() -> bodyOf(cancelled)).failure())
                .isInstanceOf(IOException.class)
                .hasMessage("Canceled");
    }

    @Test
    void H34_withoutOptionsOfTheCoreItGathersByDefault() throws Exception {
        OkHttpClient client = OkHttpClients.PLAIN
                .newBuilder()
                .addInterceptor(new CollapseOkHttpInterceptor(everything().build()))
                .build();
        assertThat(bodyOf(callOf(client))).isEqualTo("/a");
    }
}
