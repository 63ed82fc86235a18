package io.github.collapseexecutor.http.feign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import feign.AsyncFeign;
import feign.Client;
import feign.DefaultAsyncClient;
import feign.DefaultRetryer;
import feign.Feign;
import feign.Param;
import feign.Request;
import feign.RequestLine;
import feign.Response;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.gate.OnEachJdk;
import io.github.collapseexecutor.http.fixture.Callers.Caller;
import io.github.collapseexecutor.http.fixture.OriginReply;
import io.github.collapseexecutor.http.fixture.OriginRequest;
import io.github.collapseexecutor.http.fixture.RefusedAddress;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin.Hold;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What only the adapter of Feign promises: interceptors in front, options, exceptions, asynchronous clients. */
@OnEachJdk
class CollapseFeignClientTests extends FeignClientFixture {

    @Test
    void callersOfOneMethodShareARequest() throws Exception {
        Users users = users(collapsing());
        assertThat(together(List.of(() -> users.find(7), () -> users.find(7), () -> users.find(7))))
                .containsOnly("/user/7");
        assertThat(origin.requests()).hasSize(1);
    }

    @Test
    void H05_headersThatAnInterceptorAddsArePartOfTheKey() throws Exception {
        ThreadLocal<String> user = new ThreadLocal<>();
        Users users = Feign.builder()
                .client(collapsing())
                .options(FeignClients.OPTIONS)
                .requestInterceptor(template -> template.header("Authorization", user.get()))
                .target(Users.class, address());
        origin.answer(request -> OriginReply.ok(String.valueOf(request.header("Authorization"))));
        assertThat(apart(List.of(() -> asUser(user, "one", users), () -> asUser(user, "two", users))))
                .containsExactly("one", "two");
        assertThat(together(List.of(() -> asUser(user, "one", users), () -> asUser(user, "one", users))))
                .containsExactly("one", "one");
        assertThat(origin.requests()).hasSize(3);
    }

    private static String asUser(ThreadLocal<String> user, String name, Users users) {
        user.set(name);
        return users.find(7);
    }

    @Test
    void H02_anAddressThatNoUriExpressesIsSentAlone() throws Exception {
        Client client = collapsing((request, options) -> {
            assertThat(request.url()).endsWith("/a|b");
            return execute(FeignClients.PLAIN, get());
        });
        Request odd = request(origin.uri("/a") + "|b", new TreeMap<>());
        assertThat(apart(List.of(
                        () -> FeignClients.bodyOf(execute(client, odd)),
                        () -> FeignClients.bodyOf(execute(client, odd)))))
                .containsOnly("/a");
    }

    @Test
    void H25_requestsOfOtherTimeOutsDoNotShare() throws Exception {
        Users users = users(collapsing());
        Request.Options patient = new Request.Options(10, TimeUnit.SECONDS, 30, TimeUnit.SECONDS, true);
        apart(List.of(
                () -> users.find(7),
                () -> users.find(7, patient),
                () -> users.find(7, new Request.Options(9, TimeUnit.SECONDS, 30, TimeUnit.SECONDS, true))));
        assertThat(together(List.of(
                        () -> users.find(7, patient),
                        () -> users.find(7, new Request.Options(10, TimeUnit.SECONDS, 30, TimeUnit.SECONDS, true)))))
                .containsOnly("/user/7");
    }

    @Test
    void H25_aTimeOutOfTheLeaderIsFollowedByAnotherAttempt() throws Exception {
        Request.Options hurried = new Request.Options(1, TimeUnit.SECONDS, 200, TimeUnit.MILLISECONDS, true);
        Client client = collapsing();
        Hold hung = origin.hold();
        Caller<Response> leader = callers.start(() -> client.execute(get(), hurried));
        hung.await(1);
        origin.holdNoMore();
        Caller<String> follower = callers.start(() -> FeignClients.bodyOf(client.execute(get(), hurried)));
        assertThat(leader.failure()).isInstanceOf(SocketTimeoutException.class);
        assertThat(follower.get()).isEqualTo("/a");
        hung.release();
    }

    @Test
    void H19_requestsThatFollowRedirectsDoNotShareWithOthers() throws Exception {
        origin.answer(request -> request.target().equals("/user/7")
                ? OriginReply.status(301, "Moved", "moved").with("Location", "/b")
                : OriginReply.ok(request.target()));
        Client client = collapsing();
        Request asked = request(origin.uri("/user/7").toString(), new TreeMap<>());
        assertThat(apart(List.of(
                        () -> statusOf(client.execute(asked, new Request.Options())),
                        () -> statusOf(client.execute(
                                asked, new Request.Options(10, TimeUnit.SECONDS, 60, TimeUnit.SECONDS, false))))))
                .containsExactly(200, 301);
    }

    @Test
    void H39_aHeaderWithoutAValueIsPassedOn() throws Exception {
        List<Collection<String>> seen = new ArrayList<>();
        Client client = collapsing((request, options) -> {
            seen.add(request.headers().get("X-Odd"));
            return FeignClients.PLAIN.execute(get(), options);
        });
        List<String> nothing = new ArrayList<>();
        nothing.add(null);
        Request odd = request(origin.uri("/a").toString(), new TreeMap<>(Map.of("X-Odd", nothing)));
        assertThat(statusOf(execute(client, odd))).isEqualTo(200);
        assertThat(seen).containsExactly(nothing);
    }

    @Test
    void H24_anInterruptOfAFollowersThreadEndsItAlone() throws Exception {
        Client client = collapsing();
        Hold hold = origin.hold();
        Caller<Response> leader = callers.start(() -> execute(client, get()));
        hold.await(1);
        Caller<Response> follower = callers.start(() -> execute(client, get()));
        follower.awaitJoined();
        follower.thread().interrupt();
        assertThat(follower.failure()).isInstanceOf(InterruptedIOException.class);
        hold.release();
        assertThat(FeignClients.bodyOf(leader.get())).isEqualTo("/a");
        assertThat(origin.requests()).hasSize(1);
    }

    @Test
    void H22_failuresKeepTheTypeThatTheClientThrows() throws Exception {
        try (RefusedAddress nobody = new RefusedAddress()) {
            assertThatThrownBy(() -> execute(collapsing(), request(nobody.url("/a"), new TreeMap<>())))
                    .isInstanceOf(ConnectException.class);
        }
        Client failing = collapsing((request, options) -> {
            throw new IllegalArgumentException("of the client");
        });
        assertThatThrownBy(() -> execute(failing, get()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("of the client");
    }

    @Test
    void oneMoreThanMayWaitIsRefused() throws Exception {
        CollapseOptions one = IN_FLIGHT.toBuilder().maxPending(1).build();
        Client client = new CollapseFeignClient(FeignClients.PLAIN, everything().build(), one);
        Hold hold = origin.hold();
        Caller<Response> leader = callers.start(() -> execute(client, get()));
        hold.await(1);
        assertThatThrownBy(() -> execute(client, get())).isInstanceOf(RejectedExecutionException.class);
        hold.release();
        leader.get().close();
    }

    /** An asynchronous interface, on threads that wait. */
    interface AsyncUsers {

        @RequestLine("GET /user/{id}")
        CompletableFuture<String> find(@Param("id") long id);
    }

    @Test
    void anAsynchronousClientMadeOfABlockingOneShares() throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            AsyncUsers users = AsyncFeign.builder()
                    .client(new DefaultAsyncClient<>(collapsing(), threads))
                    .target(AsyncUsers.class, address());
            Hold hold = origin.hold();
            CompletableFuture<String> leader = users.find(7);
            hold.await(1);
            List<CompletableFuture<String>> followers = List.of(users.find(7), users.find(7));
            await().until(() -> waitingInCore() == followers.size());
            origin.holdNoMore();
            hold.release();
            assertThat(leader.get(30, TimeUnit.SECONDS)).isEqualTo("/user/7");
            for (CompletableFuture<String> follower : followers) {
                assertThat(follower.get(30, TimeUnit.SECONDS)).isEqualTo("/user/7");
            }
            assertThat(origin.requests()).hasSize(1);
        } finally {
            threads.shutdownNow();
        }
    }

    private static long waitingInCore() {
        return Thread.getAllStackTraces().values().stream()
                .filter(stack -> Arrays.stream(stack)
                        .anyMatch(frame -> frame.getClassName().endsWith(".BlockingRunner")
                                && frame.getMethodName().equals("await")))
                .count();
    }

    @Test
    void everyCallersOwnRetriesShareToo() throws Exception {
        Users users = Feign.builder()
                .client(collapsing())
                .retryer(new DefaultRetryer(1, 1, 2))
                .errorDecoder((method, response) -> new feign.RetryableException(
                        response.status(), "again", response.request().httpMethod(), (Long) null, response.request()))
                .target(Users.class, address());
        Hold hold = origin.hold();
        origin.answer(request -> OriginReply.status(503, "Unavailable", ""));
        Caller<String> leader = callers.start(() -> users.find(7));
        hold.await(1);
        Caller<String> follower = callers.start(() -> users.find(7));
        follower.awaitJoined();
        origin.answer(request ->
                origin.requests().size() == 1 ? OriginReply.status(503, "Unavailable", "") : OriginReply.ok("/user/7"));
        origin.holdNoMore();
        hold.release();
        assertThat(leader.get()).isEqualTo("/user/7");
        assertThat(follower.get()).isEqualTo("/user/7");
        assertThat(origin.requests()).extracting(OriginRequest::target).containsOnly("/user/7");
        assertThat(origin.requests()).hasSizeBetween(2, 3);
    }
}
