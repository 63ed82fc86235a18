package io.github.collapseexecutor.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.JoinMode;
import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.TestClient.Request;
import io.github.collapseexecutor.http.fixture.TestClient.Response;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is particular to a server: threads, asynchronous handlers, errors, clients that leave, ways of writing a response. */
class CollapseServletFilterTests {

    private static final CollapseOptions IN_FLIGHT = CollapseOptions.builder()
            .joinMode(JoinMode.IN_FLIGHT)
            .maxWait(Duration.ofMinutes(10))
            .build();

    private static final int FOLLOWERS = 8;

    private final WaitingRequests waiting = new WaitingRequests();
    private final List<RawClient> clients = new ArrayList<>();
    private final AtomicInteger runs = new AtomicInteger();
    private final Semaphore entered = new Semaphore(0);
    private final CountDownLatch released = new CountDownLatch(1);
    private volatile ScriptedServlet.Script script =
            (request, response) -> response.getWriter().write("body");
    private volatile boolean holding = true;
    private ServletServer server;
    /** One for the handler that is held, one for all others. */
    private int threads = 2;

    @AfterEach
    void stop() throws IOException {
        released.countDown();
        for (RawClient client : clients) {
            client.close();
        }
        server.close();
    }

    private void start(ServletServer.Make make) {
        start(make, CollapsePolicy.strict(), IN_FLIGHT);
    }

    private void start(ServletServer.Make make, CollapsePolicy policy, CollapseOptions core) {
        start(make, HttpCollapseOptions.builder().rules(List.of(CollapseRule.of(policy, "/**"))), core);
    }

    private void start(ServletServer.Make make, HttpCollapseOptions.Builder http, CollapseOptions core) {
        Filter user = (request, response, chain) -> {
            String name = ((HttpServletRequest) request).getHeader("Sec-Test-User");
            chain.doFilter(name == null ? request : new LoggedIn((HttpServletRequest) request, name), response);
        };
        server = make.start(
                threads,
                List.of(waiting, user, WaitingRequests.asynchronous(http.build(), core)),
                new ScriptedServlet(this::handle));
    }

    private static final class LoggedIn extends HttpServletRequestWrapper {

        private final String name;

        LoggedIn(HttpServletRequest request, String name) {
            super(request);
            this.name = name;
        }

        @Override
        public Principal getUserPrincipal() {
            return () -> name;
        }
    }

    private void handle(HttpServletRequest request, HttpServletResponse response) throws IOException, ServletException {
        if (request.getRequestURI().equals("/error")) {
            Object failure = request.getAttribute("jakarta.servlet.error.exception");
            response.getWriter()
                    .write("page of " + response.getStatus() + " "
                            + request.getAttribute("jakarta.servlet.error.message") + " " + failure);
            return;
        }
        if (request.getAttribute("again") == null) {
            runs.incrementAndGet();
            entered.release();
        }
        if (holding) {
            hold();
        }
        script.run(request, response);
    }

    private void hold() {
        try {
            released.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void awaitHandler() throws InterruptedException {
        assertThat(entered.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
    }

    private RawClient send(Request request) throws IOException {
        RawClient client = RawClient.send(server.port(), request);
        clients.add(client);
        return client;
    }

    private static Request get() {
        return Request.get(URI.create("http://localhost/a"));
    }

    /** A leader whose handler is held, and followers that wait without a thread. */
    private List<RawClient> gathered() throws Exception {
        List<RawClient> all = new ArrayList<>();
        all.add(send(get()));
        awaitHandler();
        for (int i = 0; i < FOLLOWERS; i++) {
            all.add(send(get()));
        }
        waiting.await(FOLLOWERS);
        return all;
    }

    private List<Response> responses(List<RawClient> all) throws Exception {
        holding = false;
        released.countDown();
        List<Response> responses = new ArrayList<>();
        for (RawClient client : all) {
            responses.add(client.response("GET"));
        }
        return responses;
    }

    /** All get what the leader's handler wrote. */
    private List<Response> assertShared() throws Exception {
        List<Response> responses = responses(gathered());
        assertThat(runs).hasValue(1);
        assertThat(responses)
                .extracting(response -> response.status() + response.body())
                .containsOnly(responses.get(0).status() + responses.get(0).body());
        return responses;
    }

    /** Everybody runs the handler. */
    private List<Response> assertForwarded() throws Exception {
        List<Response> responses = responses(gathered());
        assertThat(runs).hasValue(1 + FOLLOWERS);
        return responses;
    }

    @ParameterizedTest
    @EnumSource
    void followersHoldNoThreadAndAreAnsweredLikeTheLeader(ServletServer.Make make) throws Exception {
        start(make);
        script = (request, response) -> {
            response.setContentType("text/plain;charset=UTF-8");
            response.setHeader("X-Own", "1");
            response.addHeader("Link", "a");
            response.addHeader("Link", "b");
            response.setIntHeader("X-Number", 7);
            response.setDateHeader("Last-Modified", 0);
            response.getWriter().write("gr\u00fc\u00dfe");
        };
        List<Response> responses = assertShared();
        assertThat(responses.get(0).body()).isEqualTo("gr\u00fc\u00dfe");
        responses.forEach(response -> response.headers().remove("date"));
        assertThat(responses).containsOnly(responses.get(0));
        assertThat(responses.get(0).header("Link")).containsExactly("a", "b");
        assertThat(waiting.arrivals()).isEqualTo(1 + FOLLOWERS);
    }

    @ParameterizedTest
    @EnumSource
    void aFollowerOfAHandlerThatResetsItsResponseGetsWhatCameAfter(ServletServer.Make make) throws Exception {
        start(make);
        script = (request, response) -> {
            response.setHeader("X-Gone", "1");
            response.setStatus(500);
            response.getWriter().write("dropped");
            response.reset();
            response.setHeader("X-Kept", "1");
            response.getWriter().write("text " + response.getStatus());
        };
        assertThat(assertShared()).allSatisfy(response -> {
            assertThat(response.body()).isEqualTo("text 200");
            assertThat(response.header("X-Kept")).containsExactly("1");
            assertThat(response.header("X-Gone")).isEmpty();
        });
    }

    @ParameterizedTest
    @EnumSource
    void aLoneRequestIsNotAsynchronous(ServletServer.Make make) throws Exception {
        start(make);
        holding = false;
        script = (request, response) ->
                response.getWriter().write(request.getDispatcherType() + " " + request.isAsyncStarted());
        assertThat(send(get()).response("GET").body()).isEqualTo("REQUEST false");
    }

    @ParameterizedTest
    @EnumSource
    void onlyTheRequestThatOpensABatchKeepsItsThreadUntilTheBatchStarts(ServletServer.Make make) throws Exception {
        threads = 5; // two of them serve connections on Jetty
        start(
                make,
                CollapsePolicy.strict(),
                CollapseOptions.builder().maxConcurrentBatches(1).build());
        script = (request, response) ->
                response.getWriter().write(request.getDispatcherType().name());
        List<Response> responses = responses(gathered());
        assertThat(responses).extracting(Response::body).containsOnly("REQUEST");
        assertThat(runs).hasValue(2);
    }

    @ParameterizedTest
    @EnumSource
    void aHandlerThatGoesOnAsynchronouslyAndIsDispatchedBackIsShared(ServletServer.Make make) throws Exception {
        start(make);
        script = (request, response) -> {
            if (request.getAttribute("again") != null) {
                response.getWriter().write("later");
                return;
            }
            AsyncContext context = request.startAsync();
            request.setAttribute("again", "yes");
            new Thread(context::dispatch).start();
        };
        assertThat(assertShared().get(0).body()).isEqualTo("later");
    }

    @ParameterizedTest
    @EnumSource
    void aHandlerThatWritesAndCompletesOnAThreadOfItsOwnIsShared(ServletServer.Make make) throws Exception {
        start(make);
        script = (request, response) -> {
            AsyncContext context = request.startAsync();
            new Thread(() -> {
                        try {
                            context.getResponse().getOutputStream().print("elsewhere");
                            context.complete();
                        } catch (IOException e) {
                            throw new IllegalStateException(e);
                        }
                    })
                    .start();
        };
        assertThat(assertShared().get(0).body()).isEqualTo("elsewhere");
    }

    @ParameterizedTest
    @EnumSource
    void anAsynchronousHandlerThatTimesOutReleasesTheOthers(ServletServer.Make make) throws Exception {
        start(make);
        AtomicInteger calls = new AtomicInteger();
        script = (request, response) -> {
            if (calls.getAndIncrement() == 0) {
                request.startAsync().setTimeout(100);
            } else {
                response.getWriter().write("in time");
            }
        };
        List<Response> responses = responses(gathered());
        assertThat(responses.get(0).status()).isGreaterThanOrEqualTo(500);
        assertThat(responses.subList(1, responses.size()))
                .extracting(Response::body)
                .containsOnly("in time");
        assertThat(runs).hasValue(2);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "UNDERTOW") // docs/servlet.md, Limits
    void H31_everyFollowerGetsTheErrorPageOfAFailedHandler(ServletServer.Make make) throws Exception {
        start(make);
        script = (request, response) -> {
            response.getWriter().write("never seen");
            throw new ServletException("broken");
        };
        List<Response> responses = assertShared();
        assertThat(responses.get(0).status()).isEqualTo(500);
        assertThat(responses.get(0).body()).contains("page of 500").contains("broken");
    }

    @ParameterizedTest
    @EnumSource
    void H31_everyFollowerGetsTheErrorPageOfASentError(ServletServer.Make make) throws Exception {
        start(make);
        script = (request, response) -> {
            response.getWriter().write("never seen");
            response.setHeader("X-Own", "1");
            response.sendError(404, "no such thing");
        };
        List<Response> responses = assertShared();
        assertThat(responses.get(0).status()).isEqualTo(404);
        assertThat(responses.get(0).body()).contains("page of 404 no such thing");
        assertThat(responses)
                .extracting(response -> response.header("X-Own"))
                .containsOnly(responses.get(0).header("X-Own"));
    }

    @ParameterizedTest
    @EnumSource
    void H23_aLeaderWhoseClientIsGoneServesTheOthers(ServletServer.Make make) throws Exception {
        start(make);
        List<RawClient> all = gathered();
        all.get(0).close();
        List<Response> responses = responses(all.subList(1, all.size()));
        assertThat(responses).extracting(Response::body).containsOnly("body");
        assertThat(runs).hasValue(1);
    }

    @ParameterizedTest
    @EnumSource
    void aStreamReachesItsClientWhileItIsWritten(ServletServer.Make make) throws Exception {
        start(make);
        holding = false;
        CountDownLatch more = new CountDownLatch(1);
        script = (request, response) -> {
            response.setContentType("text/event-stream");
            response.getOutputStream().print("data: 1\n\n");
            response.flushBuffer();
            awaitQuietly(more);
            response.getOutputStream().print("data: 2\n\n");
        };
        RawClient client = send(get());
        assertThat(client.head().header("Content-Type").get(0)).startsWith("text/event-stream");
        // the handler waits still
        String first = client.line();
        more.countDown();
        assertThat(first).isNotEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aStreamOfAnyTypeThatIsWrittenAsynchronouslyReachesItsClientAndNobodyElse(ServletServer.Make make)
            throws Exception {
        threads = 4; // the handler uses the container's own
        start(make);
        CountDownLatch more = new CountDownLatch(1);
        script = (request, response) -> {
            AsyncContext context = request.startAsync();
            context.start(() -> {
                try {
                    context.getResponse().getOutputStream().print("one ");
                    context.getResponse().flushBuffer();
                    awaitQuietly(more);
                    context.getResponse().getOutputStream().print("two");
                    context.complete();
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
        };
        RawClient leader = send(get());
        awaitHandler();
        RawClient follower = send(get());
        waiting.await(1);
        holding = false;
        released.countDown();
        assertThat(leader.head().status()).isEqualTo(200);
        awaitHandler();
        more.countDown();
        assertThat(follower.response("GET").body()).isEqualTo("one two");
        assertThat(runs).hasValue(2);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aFlushAtTheEndIsNoStream(ServletServer.Make make) throws Exception {
        start(make);
        script = (request, response) -> {
            response.getOutputStream().print("flushed");
            response.getOutputStream().flush();
            response.flushBuffer();
            assertThat(response.isCommitted()).isTrue();
        };
        assertThat(assertShared().get(0).body()).isEqualTo("flushed");
    }

    @ParameterizedTest
    @EnumSource
    void aHandlerThatWritesOnAfterAFlushIsPassedThrough(ServletServer.Make make) throws Exception {
        start(make);
        script = (request, response) -> {
            PrintWriter writer = response.getWriter();
            writer.write("one ");
            writer.flush();
            writer.write("two");
            writer.flush();
            assertThat(writer.checkError()).isFalse();
        };
        assertThat(assertForwarded()).extracting(Response::body).containsOnly("one two");
    }

    @ParameterizedTest
    @EnumSource
    void H27_aBodyOverTheLimitIsStreamedToEverybody(ServletServer.Make make) throws Exception {
        start(
                make,
                HttpCollapseOptions.builder()
                        .rules(List.of(CollapseRule.of(CollapsePolicy.strict(), "/**")))
                        .maxBodySize(99_999),
                IN_FLIGHT);
        String part = "0123456789".repeat(1_000);
        script = (request, response) -> {
            for (int i = 0; i < 10; i++) {
                response.getWriter().write(part);
            }
        };
        assertThat(assertForwarded()).extracting(Response::body).containsOnly(part.repeat(10));
    }

    /** The container's buffer holds it all, so that its length is known when it is decided who may have it. */
    @ParameterizedTest
    @EnumSource
    void H27_aBodyOverTheLimitThatEndsBeforeTheDecisionIsForItsOwnClient(ServletServer.Make make) throws Exception {
        start(
                make,
                HttpCollapseOptions.builder()
                        .rules(List.of(CollapseRule.of(CollapsePolicy.strict(), "/**")))
                        .maxBodySize(99),
                IN_FLIGHT);
        String body = "0123456789".repeat(10);
        script = (request, response) -> response.getWriter().write(body);
        assertThat(assertForwarded()).extracting(Response::body).containsOnly(body);
    }

    @ParameterizedTest
    @EnumSource
    void aLargeBodyWithinTheLimitIsShared(ServletServer.Make make) throws Exception {
        start(make);
        byte[] body = "0123456789".repeat(10_000).getBytes(StandardCharsets.UTF_8);
        script = (request, response) -> {
            ServletOutputStream out = response.getOutputStream();
            assertThat(out.isReady()).isTrue();
            out.write(body);
            out.close();
            out.write('!');
        };
        assertThat(assertShared().get(0).body()).isEqualTo(new String(body, StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @EnumSource
    void aCommittedResponseLooksCommittedToItsHandler(ServletServer.Make make) throws Exception {
        start(make);
        AtomicInteger refused = new AtomicInteger();
        script = (request, response) -> {
            response.setHeader("X-Own", "before");
            response.flushBuffer();
            response.setHeader("X-Own", "after");
            response.addHeader("X-Own", "after");
            response.setIntHeader("X-Own", 1);
            response.addIntHeader("X-Own", 1);
            response.setDateHeader("X-Own", 1);
            response.addDateHeader("X-Own", 1);
            response.setStatus(201);
            response.setContentType("text/html");
            response.setCharacterEncoding("UTF-16");
            response.setLocale(Locale.FRANCE);
            response.setContentLength(1);
            response.setContentLengthLong(1);
            response.addCookie(new Cookie("a", "b"));
            for (ScriptedServlet.Script step : List.<ScriptedServlet.Script>of(
                    (in, out) -> out.reset(),
                    (in, out) -> out.resetBuffer(),
                    (in, out) -> out.setBufferSize(1),
                    (in, out) -> out.sendError(500),
                    (in, out) -> out.sendError(500, "too late"),
                    (in, out) -> out.sendRedirect("/b"))) {
                try {
                    step.run(request, response);
                } catch (IllegalStateException e) {
                    refused.incrementAndGet();
                }
            }
        };
        List<Response> responses = assertShared();
        assertThat(refused).hasValue(6);
        assertThat(responses).allSatisfy(response -> {
            assertThat(response.status()).isEqualTo(200);
            assertThat(response.header("X-Own")).containsExactly("before");
            assertThat(response.header("Set-Cookie")).isEmpty();
        });
    }

    @ParameterizedTest
    @EnumSource
    void whatIsResetIsForgotten(ServletServer.Make make) throws Exception {
        start(make);
        script = (request, response) -> {
            response.setHeader("X-Own", "1");
            response.getWriter().write("forgotten");
            response.reset();
            response.setLocale(Locale.FRANCE);
            response.setHeader("X-Other", "2");
            response.getOutputStream().print("forgotten too");
            response.resetBuffer();
            response.getOutputStream().print("kept");
        };
        List<Response> responses = assertShared();
        assertThat(responses).allSatisfy(response -> {
            assertThat(response.body()).isEqualTo("kept");
            assertThat(response.header("X-Own")).isEmpty();
            assertThat(response.header("X-Other")).containsExactly("2");
            assertThat(response.header("Content-Language")).containsExactly("fr-FR");
        });
    }

    @ParameterizedTest
    @EnumSource
    void H19_aRedirectIsSharedOnlyIfItSaysHowLongItHolds(ServletServer.Make make) throws Exception {
        start(make);
        script = (request, response) -> {
            response.setHeader("Cache-Control", "max-age=60");
            response.sendRedirect("/b");
        };
        List<Response> responses = assertShared();
        assertThat(responses).allSatisfy(response -> {
            assertThat(response.status()).isEqualTo(302);
            assertThat(response.header("Location").get(0)).endsWith("/b");
        });
    }

    @ParameterizedTest
    @EnumSource
    void H18_aCookieIsForOneOnly(ServletServer.Make make) throws Exception {
        start(make);
        script = (request, response) -> response.addCookie(new Cookie("run", Integer.toString(runs.get())));
        assertForwarded();
    }

    @ParameterizedTest
    @EnumSource
    void H05_whoIsKnownOnlyByTheHandlerGetsAResponseOfHisOwn(ServletServer.Make make) throws Exception {
        start(make);
        script = (request, response) ->
                request.setAttribute(RequestSnapshot.CLIENT_CERTIFICATE, "the handler has asked for it");
        assertForwarded();
    }

    @ParameterizedTest
    @EnumSource
    void trailersAreForOneOnly(ServletServer.Make make) throws Exception {
        start(make);
        script = (request, response) -> {
            response.setTrailerFields(() -> Map.of("X-Trailer", "1"));
            response.getOutputStream().print("body");
        };
        assertForwarded();
    }

    @ParameterizedTest
    @EnumSource
    void whoWritesWithoutBlockingWritesToItsOwnClient(ServletServer.Make make) throws Exception {
        start(make);
        script = (request, response) -> ScriptedServlet.writeWithoutBlocking(request, response, "ready", () -> {});
        assertThat(assertForwarded()).extracting(Response::body).containsOnly("ready");
    }

    @ParameterizedTest
    @EnumSource
    void H05_aPrincipalIsNotCollapsedWithAnybody(ServletServer.Make make) throws Exception {
        start(make);
        holding = false;
        CountDownLatch both = new CountDownLatch(2);
        script = (request, response) -> {
            both.countDown();
            awaitQuietly(both);
            response.getWriter().write(request.getUserPrincipal().getName());
        };
        RawClient one = send(get().with("Sec-Test-User", "one"));
        RawClient two = send(get().with("Sec-Test-User", "two"));
        assertThat(one.response("GET").body()).isEqualTo("one");
        assertThat(two.response("GET").body()).isEqualTo("two");
    }

    @ParameterizedTest
    @EnumSource
    void H05_aFailureIsNotSharedAcrossUsers(ServletServer.Make make) throws Exception {
        start(make, CollapsePolicy.named("public").shareAcrossUsers(true).build(), IN_FLIGHT);
        script = (request, response) -> {
            if (request.getUserPrincipal().getName().equals("guest")) {
                throw new ServletException("not for guests");
            }
            response.getWriter().write("welcome");
        };
        RawClient guest = send(get().with("Sec-Test-User", "guest"));
        awaitHandler();
        RawClient owner = send(get().with("Sec-Test-User", "owner"));
        waiting.await(1);
        holding = false;
        released.countDown();
        assertThat(guest.response("GET").status()).isEqualTo(500);
        assertThat(owner.response("GET").body()).isEqualTo("welcome");
    }

    /** The head was for both of them already; what the handler fails of may be about the user that it ran for. */
    @ParameterizedTest
    @EnumSource
    void H05_aFailureBehindAFlushedHeadIsNotSharedAcrossUsers(ServletServer.Make make) throws Exception {
        start(make, CollapsePolicy.named("public").shareAcrossUsers(true).build(), IN_FLIGHT);
        script = (request, response) -> {
            if (request.getUserPrincipal().getName().equals("guest")) {
                response.flushBuffer();
                throw new ServletException("not for guests");
            }
            response.getWriter().write("welcome");
        };
        send(get().with("Sec-Test-User", "guest"));
        awaitHandler();
        RawClient owner = send(get().with("Sec-Test-User", "owner"));
        waiting.await(1);
        holding = false;
        released.countDown();
        assertThat(owner.response("GET").body()).isEqualTo("welcome");
        assertThat(runs).hasValue(2);
    }

    @ParameterizedTest
    @EnumSource
    void aRequestTooManyGets503(ServletServer.Make make) throws Exception {
        start(make, CollapsePolicy.strict(), IN_FLIGHT.toBuilder().maxPending(1).build());
        RawClient leader = send(get());
        awaitHandler();
        assertThat(send(get()).response("GET").status()).isEqualTo(503);
        holding = false;
        released.countDown();
        assertThat(leader.response("GET").body()).isEqualTo("body");
    }

    /** A dispatch could lead elsewhere. Undertow leaves parameters in the servlet path, which no pattern reads for certain. */
    @ParameterizedTest
    @EnumSource(names = {"TOMCAT", "JETTY"})
    void requestsWithPathsThatAContainerMayReadInTwoWaysWaitOnTheirThreads(ServletServer.Make make) throws Exception {
        List<String> paths = List.of("/a;v=1", "/a%2eb", "/a/./b");
        threads = 4 + 2 * paths.size();
        start(make);
        script = (request, response) ->
                response.getWriter().write(request.getDispatcherType() + " of " + request.getRequestURI());
        List<RawClient> all = new ArrayList<>();
        for (String path : paths) {
            all.add(send(Request.get(URI.create("http://localhost" + path))));
            awaitHandler();
            all.add(send(Request.get(URI.create("http://localhost" + path))));
            waiting.await(1);
        }
        List<Response> responses = responses(all);
        assertThat(runs).hasValue(paths.size());
        for (int i = 0; i < all.size(); i++) {
            assertThat(responses.get(i).body()).isEqualTo("REQUEST of " + paths.get(i / 2));
        }
    }

    @ParameterizedTest
    @EnumSource
    void H13_pathsThatNoPatternReadsForCertainAreNotCollapsed(ServletServer.Make make) throws Exception {
        List<String> paths = List.of("/a//b", "/a%2Fb", "/a%252Fb");
        threads = 2 + 2 * paths.size();
        start(make);
        List<RawClient> all = new ArrayList<>();
        for (String path : paths) {
            for (int i = 0; i < 2; i++) {
                all.add(send(Request.get(URI.create("http://localhost" + path))));
                awaitHandler();
            }
        }
        assertThat(responses(all)).extracting(Response::body).containsOnly("body");
    }

    @ParameterizedTest
    @EnumSource
    void H32_everybodyButTheLeaderIsToldWhyItWasAnsweredSo(ServletServer.Make make) throws Exception {
        start(
                make,
                HttpCollapseOptions.builder()
                        .rules(List.of(CollapseRule.of(CollapsePolicy.strict(), "/**")))
                        .cacheStatus("app"),
                IN_FLIGHT);
        List<Response> responses = assertShared();
        assertThat(responses.get(0).header("Cache-Status")).isEmpty();
        assertThat(responses.subList(1, responses.size()))
                .allSatisfy(response ->
                        assertThat(response.header("Cache-Status")).containsExactly("app; fwd=uri-miss; collapsed"));
    }
}
