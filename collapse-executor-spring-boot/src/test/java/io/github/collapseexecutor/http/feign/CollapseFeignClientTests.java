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
import io.github.collapseexecutor.core.JoinMode;
import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.DryRun;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.Callers;
import io.github.collapseexecutor.http.fixture.Callers.Caller;
import io.github.collapseexecutor.http.fixture.OriginReply;
import io.github.collapseexecutor.http.fixture.OriginRequest;
import io.github.collapseexecutor.http.fixture.RefusedAddress;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin.Hold;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What only the adapter of Feign promises: interceptors in front, options, bodies, several clients, exceptions. */
class CollapseFeignClientTests {

    private static final int ROUNDS = 100;
    private static final int CALLERS = 8;

    private static final CollapseOptions IN_FLIGHT = CollapseOptions.builder()
            .joinMode(JoinMode.IN_FLIGHT)
            .maxWait(Duration.ofMinutes(10))
            .build();

    // mutable, confined to the test
    private ScriptedOrigin origin;
    private Callers callers;

    @BeforeEach
    void open() throws IOException {
        origin = ScriptedOrigin.start();
        callers = new Callers();
    }

    @AfterEach
    void close() throws IOException {
        callers.close();
        origin.close();
    }

    /** An interface as applications have it. */
    interface Users {

        @RequestLine("GET /user/{id}")
        String find(@Param("id") long id);

        @RequestLine("GET /user/{id}")
        String find(@Param("id") long id, Request.Options options);
    }

    private static HttpCollapseOptions.Builder everything() {
        return HttpCollapseOptions.builder().rules(List.of(CollapseRule.of(CollapsePolicy.strict(), "/**")));
    }

    /** A client whose requests join calls in flight. */
    private static Client collapsing(Client client) {
        return new CollapseFeignClient(client, everything().build(), IN_FLIGHT);
    }

    private static Client collapsing() {
        return collapsing(FeignClients.PLAIN);
    }

    /** A client of which a lone caller cannot be joined. */
    private static Client fresh() {
        return new CollapseFeignClient(FeignClients.PLAIN, everything().build());
    }

    private String address() {
        return origin.uri("").toString();
    }

    private Users users(Client client) {
        return Feign.builder().client(client).target(Users.class, address());
    }

    private static Request request(String url, Map<String, Collection<String>> headers) {
        return Request.create(Request.HttpMethod.GET, url, headers, null, StandardCharsets.UTF_8, null);
    }

    private Request get() {
        return request(origin.uri("/a").toString(), new TreeMap<>());
    }

    private Request get(String name, String value) {
        return request(origin.uri("/a").toString(), new TreeMap<>(Map.of(name, List.of(value))));
    }

    private static Response execute(Client client, Request request) throws IOException {
        return client.execute(request, FeignClients.OPTIONS);
    }

    /** Holds the first call at the origin until the others have joined it. */
    private <T> List<T> together(List<Callable<T>> calls) throws Exception {
        Hold hold = origin.hold();
        List<Caller<T>> gathered = new ArrayList<>();
        for (Callable<T> call : calls) {
            Caller<T> caller = callers.start(call);
            gathered.add(caller);
            if (gathered.size() == 1) {
                hold.await(1);
            } else {
                caller.awaitJoined();
            }
        }
        origin.holdNoMore();
        hold.release();
        List<T> results = new ArrayList<>();
        for (Caller<T> caller : gathered) {
            results.add(caller.get());
        }
        return results;
    }

    /** The calls are at the origin at the same time. */
    private <T> List<T> apart(List<Callable<T>> calls) throws Exception {
        Hold hold = origin.hold();
        List<Caller<T>> started = new ArrayList<>();
        for (Callable<T> call : calls) {
            started.add(callers.start(call));
            hold.await(1);
        }
        origin.holdNoMore();
        hold.release();
        List<T> results = new ArrayList<>();
        for (Caller<T> caller : started) {
            results.add(caller.get());
        }
        return results;
    }

    @Test
    void callersOfOneMethodShareARequest() throws Exception {
        Users users = users(collapsing());
        assertThat(together(List.of(() -> users.find(7), () -> users.find(7), () -> users.find(7))))
                .containsOnly("/user/7");
        assertThat(origin.requests()).hasSize(1);
    }

    @Test
    void H05_whatAnInterceptorAddsIsPartOfTheKey() throws Exception {
        ThreadLocal<String> user = new ThreadLocal<>();
        Users users = Feign.builder()
                .client(collapsing())
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

    private static int statusOf(Response response) {
        try (response) {
            return response.status();
        }
    }

    @Test
    void H28_everyReceiverHasAResponseOfItsOwn() throws Exception {
        Client client = collapsing();
        Request one = get("traceparent", "one");
        Request two = get("traceparent", "two");
        List<Response> responses = together(List.of(() -> execute(client, one), () -> execute(client, two)));
        assertThat(origin.requests()).hasSize(1);
        assertThat(responses.get(0).request()).isSameAs(one);
        assertThat(responses.get(1).request()).isSameAs(two);
        responses.get(0).close();
        try (Reader reader = responses.get(1).body().asReader(StandardCharsets.UTF_8)) {
            assertThat(reader.read()).isEqualTo('/');
        }
        assertThat(responses.get(1).body().isRepeatable()).isFalse();
        assertThat(responses.get(1).body().length()).isEqualTo(2);
        assertThat(FeignClients.bodyOf(responses.get(0))).isEqualTo("/a");
        assertThat(FeignClients.bodyOf(responses.get(0))).as("read once").isEmpty();
        responses.get(1).close();
        assertThat(responses.get(1).protocolVersion())
                .isEqualTo(responses.get(0).protocolVersion());
    }

    @Test
    void H38_theFirstBytesOfAnEndlessBodyComeAtOnce() throws Exception {
        origin.answer(request -> OriginReply.ok("[{\"id\":1},").stalled());
        Client client = fresh();
        Caller<String> caller = callers.start(() -> {
            InputStream body = execute(client, get()).body().asInputStream();
            return new String(body.readNBytes(10), StandardCharsets.UTF_8);
        });
        assertThat(caller.get()).isEqualTo("[{\"id\":1},");
    }

    @Test
    void H38_aCallerThatReadsTheStatusOnlyIsNotFailedByATruncatedBody() throws Exception {
        origin.answer(request -> OriginReply.ok("half").truncated());
        assertThat(statusOf(execute(fresh(), get()))).isEqualTo(200);
    }

    @Test
    void H38_aLoneCallerGetsTheResponseOfTheClientItself() throws Exception {
        List<Response> received = new ArrayList<>();
        Client watched = (request, options) -> {
            Response response = FeignClients.PLAIN.execute(request, options);
            received.add(response);
            return response;
        };
        try (Response response =
                execute(new CollapseFeignClient(watched, everything().build()), get())) {
            assertThat(response).isSameAs(received.get(0));
        }
    }

    @Test
    void H27_aResponseOverTheLimitIsStreamedAndMayBeClosedHalfRead() throws Exception {
        String body = "0123456789".repeat(200_000);
        origin.answer(request -> OriginReply.ok(body).chunked());
        Client client = new CollapseFeignClient(
                FeignClients.PLAIN, everything().maxBodySize(3).build(), IN_FLIGHT);
        try (Response response = execute(client, get())) {
            assertThat(FeignClients.bodyOf(response)).isEqualTo(body);
        }
        try (Response response = execute(client, request(origin.uri("/b").toString(), new TreeMap<>()))) {
            assertThat(response.body().length()).isNull();
            assertThat(response.body().isRepeatable()).isFalse();
            try (Reader half = response.body().asReader(StandardCharsets.UTF_8)) {
                assertThat(half.read()).isEqualTo('0');
            }
        }
    }

    @Test
    void H27_aBodyOverTheLimitThatBreaksOffFailsItsReader() throws Exception {
        origin.answer(request -> OriginReply.ok("0123456789".repeat(100_000)).truncated());
        Client client = new CollapseFeignClient(
                FeignClients.PLAIN, everything().maxBodySize(3).build(), IN_FLIGHT);
        try (Response response = execute(client, get())) {
            assertThatThrownBy(() -> FeignClients.bodyOf(response)).isInstanceOf(IOException.class);
        }
    }

    private static byte[] gzip(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    @Test
    void H29_aBodyThatTheClientHasDecodedIsShared() throws Exception {
        String text = "0123456789".repeat(1_000);
        origin.answer(request -> OriginReply.ok(gzip(text)).with("Content-Encoding", "gzip"));
        Request asked = get("Accept-Encoding", "gzip");
        String plain;
        Integer length;
        try (Response response = execute(FeignClients.PLAIN, asked)) {
            plain = response.headers().toString();
            length = response.body().length();
        }
        Client client = collapsing();
        List<Response> responses = together(List.of(() -> execute(client, asked), () -> execute(client, asked)));
        assertThat(origin.requests()).hasSize(2);
        for (Response response : responses) {
            assertThat(response.headers()).hasToString(plain);
            assertThat(response.body().length()).isEqualTo(length);
            assertThat(FeignClients.bodyOf(response)).isEqualTo(text);
        }
    }

    /** A client whose bodies are in memory. */
    private static Client buffering() {
        return (request, options) -> {
            try (Response response = FeignClients.PLAIN.execute(request, options)) {
                return response.toBuilder()
                        .body(response.body().asInputStream().readAllBytes())
                        .build();
            }
        };
    }

    private static String readTwice(Response response) throws IOException {
        try (response) {
            assertThat(response.body().isRepeatable()).isTrue();
            return FeignClients.bodyOf(response) + FeignClients.bodyOf(response);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void H39_aBodyThatCanBeReadMoreThanOnceStaysSo(boolean dryRun) throws Exception {
        CollapseRule rule = CollapseRule.of(CollapsePolicy.strict(), "/**");
        HttpCollapseOptions http = HttpCollapseOptions.builder()
                .rules(List.of(dryRun ? rule.inDryRun(new DryRun("all")) : rule))
                .build();
        Client client = new CollapseFeignClient(buffering(), http, IN_FLIGHT);
        if (dryRun) {
            assertThat(readTwice(execute(client, get()))).isEqualTo("/a/a");
            return;
        }
        assertThat(together(List.of(() -> readTwice(execute(client, get())), () -> readTwice(execute(client, get())))))
                .containsOnly("/a/a");
        assertThat(origin.requests()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void H39_aResponseWithoutABodyStaysSo(boolean dryRun) throws Exception {
        CollapseRule rule = CollapseRule.of(CollapsePolicy.strict(), "/**");
        HttpCollapseOptions http = HttpCollapseOptions.builder()
                .rules(List.of(dryRun ? rule.inDryRun(new DryRun("all")) : rule))
                .build();
        Client bodiless = (request, options) -> {
            try (Response response = FeignClients.PLAIN.execute(request, options)) {
                return Response.builder()
                        .status(response.status())
                        .headers(Map.of("X-Some", List.of("1")))
                        .request(request)
                        .build();
            }
        };
        Client client = new CollapseFeignClient(bodiless, http, IN_FLIGHT);
        Callable<Response> call = () -> execute(client, get());
        List<Response> responses = dryRun ? List.of(call.call()) : together(List.of(call, call));
        assertThat(responses).allSatisfy(response -> {
            assertThat(response.body()).isNull();
            assertThat(response.reason()).isNull();
            assertThat(response.headers().get("x-some")).containsExactly("1");
        });
        assertThat(origin.requests()).hasSize(1);
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

    /** What a client with credentials of its own does below the adapter. */
    private static Client of(String user) {
        return (request, options) -> {
            Map<String, Collection<String>> headers = new TreeMap<>(request.headers());
            headers.put("Cookie", List.of("user=" + user));
            return FeignClients.PLAIN.execute(request(request.url(), headers), options);
        };
    }

    private void assertNeverAnothersAnswer(Users one, Users two) throws Exception {
        origin.forgetRequests();
        origin.answer(request -> OriginReply.ok(String.valueOf(request.header("Cookie"))));
        CyclicBarrier round = new CyclicBarrier(CALLERS);
        List<Caller<List<String>>> repeating = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            Users users = i % 2 == 0 ? one : two;
            String expected = i % 2 == 0 ? "user=one" : "user=two";
            repeating.add(callers.start(() -> {
                List<String> wrong = new ArrayList<>();
                for (int n = 0; n < ROUNDS; n++) {
                    round.await(30, TimeUnit.SECONDS);
                    String answer = users.find(n);
                    if (!answer.equals(expected)) {
                        wrong.add(answer);
                    }
                }
                return wrong;
            }));
        }
        for (Caller<List<String>> caller : repeating) {
            assertThat(caller.get()).isEmpty();
        }
    }

    @Test
    void H35_clientsWithAnAdapterEachNeverGetEachOthersAnswers() throws Exception {
        assertNeverAnothersAnswer(users(collapsing(of("one"))), users(collapsing(of("two"))));
    }

    @Test
    void H35_clientsOfOneCapabilityNeverGetEachOthersAnswers() throws Exception {
        CollapseFeignCapability collapsing =
                new CollapseFeignCapability(everything().build(), IN_FLIGHT);
        assertNeverAnothersAnswer(
                Feign.builder().client(of("one")).addCapability(collapsing).target(Users.class, address()),
                Feign.builder().client(of("two")).addCapability(collapsing).target(Users.class, address()));
    }

    @Test
    void aCapabilityCollapsesEachClientByItself() throws Exception {
        CollapseFeignCapability collapsing =
                new CollapseFeignCapability(everything().build(), IN_FLIGHT);
        Users one = Feign.builder().addCapability(collapsing).target(Users.class, address());
        Users other = Feign.builder().addCapability(collapsing).target(Users.class, address());
        assertThat(together(List.of(() -> one.find(7), () -> one.find(7)))).containsOnly("/user/7");
        assertThat(origin.requests()).hasSize(1);
        apart(List.of(() -> one.find(7), () -> other.find(7)));
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
