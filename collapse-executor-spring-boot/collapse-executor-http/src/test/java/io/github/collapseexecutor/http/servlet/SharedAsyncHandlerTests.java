package io.github.collapseexecutor.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.http.fixture.RawClient;
import io.github.collapseexecutor.http.fixture.TestClient.Request;
import io.github.collapseexecutor.http.fixture.TestClient.Response;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.web.util.ContentCachingResponseWrapper;

/** Handlers that go on asynchronously, dispatch back, complete, time out or write without blocking. */
class SharedAsyncHandlerTests extends HeldHandlerFixture {

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

    /** Undertow writes the page to the response with which the handler went on. */
    @ParameterizedTest
    @EnumSource
    void H39_anErrorPageOfAHandlerThatWasDispatchedBackHasItsOwnHead(ServletServer.Make make) throws Exception {
        start(make);
        script = dispatchedBack((request, response) -> response.sendError(404));
        assertPages(404);
    }

    /** Undertow has a page of its own then (docs/servlet.md, Limits). */
    @ParameterizedTest
    @EnumSource(names = {"TOMCAT", "JETTY"})
    void H39_anErrorPageOfAHandlerThatThrowsWhenDispatchedBackHasItsOwnHead(ServletServer.Make make) throws Exception {
        start(make);
        script = dispatchedBack((request, response) -> {
            throw new IllegalStateException("on purpose");
        });
        assertPages(500);
    }

    private static ScriptedServlet.Script dispatchedBack(ScriptedServlet.Script then) {
        return (request, response) -> {
            if (request.getAttribute("again") != null) {
                then.run(request, response);
                return;
            }
            AsyncContext context = request.startAsync();
            request.setAttribute("again", "yes");
            new Thread(context::dispatch).start();
        };
    }

    private void assertPages(int status) throws Exception {
        assertThat(responses(gathered())).allSatisfy(response -> {
            assertThat(response.status()).isEqualTo(status);
            assertThat(response.body()).startsWith("page of " + status);
            assertThat(response.header("Content-Type"))
                    .singleElement()
                    .asString()
                    .startsWith("text/x-page");
            assertThat(response.header("X-Page")).containsExactly("error");
        });
    }

    /** Tomcat reports that as an error without a failure, and completes the request itself. */
    @Test
    void aListenerIsToldOfAnErrorThatAHandlerAsksForWhenItIsDispatchedBack() throws Exception {
        start(ServletServer.Make.TOMCAT);
        holding = false;
        Semaphore told = new Semaphore(0);
        script = (request, response) -> {
            if (request.getAttribute("again") != null) {
                response.sendError(404);
                return;
            }
            request.setAttribute("again", "yes");
            AsyncContext context = request.startAsync();
            context.addListener(new Telling(told));
            new Thread(context::dispatch).start();
        };
        for (Request request : List.of(get().with("Cache-Control", "no-store"), get())) {
            responses(List.of(send(request)));
            assertThat(told.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    private record Telling(Semaphore told) implements AsyncListener {

        @Override
        public void onError(AsyncEvent event) {
            told.release();
        }

        @Override
        public void onComplete(AsyncEvent event) {}

        @Override
        public void onTimeout(AsyncEvent event) {}

        @Override
        public void onStartAsync(AsyncEvent event) {}
    }

    private final Semaphore ended = new Semaphore(0);

    /** How the handlers of followers have completed whose clients got the errors that they have asked for before. */
    private List<CompletableFuture<Void>> completionsBehindErrors(UnaryOperator<ServletRequest> request)
            throws Exception {
        start(ServletServer.Make.TOMCAT);
        CountDownLatch goOn = new CountDownLatch(1);
        List<CompletableFuture<Void>> completions = errorsInDispatches(request, goOn);
        List<Response> responses = responses(gathered());
        assertErrors(responses.subList(1, responses.size()));
        assertThat(ended.tryAcquire(FOLLOWERS, 10, TimeUnit.SECONDS))
                .isTrue(); // Tomcat tells of no end that it has lost
        goOn.countDown();
        assertThat(completions).hasSize(FOLLOWERS);
        return completions;
    }

    /** The container's thread finds the error before it is back; the handler completes later than that. */
    @Test
    void H44_anErrorThatAnAsynchronousHandlerAsksForInADispatchReachesItsClient() throws Exception {
        assertThat(completionsBehindErrors(request -> request))
                .allSatisfy(completion -> assertThat(completion).succeedsWithin(Duration.ofSeconds(30)));
    }

    /** Tomcat refuses that the handler completes what it has lost from sight, as it does for any request that is complete. */
    @Test
    void H44_anErrorThatAHandlerAsksForByTheServersOwnRequestInADispatchReachesItsClient() throws Exception {
        assertThat(completionsBehindErrors(SharedAsyncHandlerTests::unwrapped))
                .allSatisfy(completion -> assertThat(completion)
                        .failsWithin(Duration.ofSeconds(30))
                        .withThrowableOfType(ExecutionException.class)
                        .withCauseInstanceOf(IllegalStateException.class));
    }

    /** Nothing but that is different in a request that is not collapsed, and so in no dispatch. */
    @Test
    void anErrorThatAHandlerAsksForByTheServersOwnRequestReachesItsClientWithoutCollapsing() throws Exception {
        start(ServletServer.Make.TOMCAT);
        holding = false;
        CountDownLatch goOn = new CountDownLatch(0);
        List<CompletableFuture<Void>> completions = new CopyOnWriteArrayList<>();
        script = (request, response) -> completions.add(errorElsewhere(unwrapped(request), response, goOn));
        assertErrors(responses(List.of(send(get()), send(get().with("Cache-Control", "no-store")))));
        assertThat(completions).hasSize(2);
    }

    private List<CompletableFuture<Void>> errorsInDispatches(
            UnaryOperator<ServletRequest> startedBy, CountDownLatch completes) {
        List<CompletableFuture<Void>> completions = new CopyOnWriteArrayList<>();
        script = (request, response) -> {
            response.setHeader("Cache-Control", "private");
            if (request.getDispatcherType() == DispatcherType.ASYNC) {
                completions.add(errorElsewhere(startedBy.apply(request), response, completes));
            }
        };
        return completions;
    }

    /** Goes on asynchronously, asks for an error page on another thread, and completes on a third one when it may. */
    private CompletableFuture<Void> errorElsewhere(
            ServletRequest request, HttpServletResponse response, CountDownLatch completes) {
        AsyncContext context = request.startAsync();
        context.addListener(new AsyncEnd(ended::release));
        CompletableFuture<Void> told = CompletableFuture.runAsync(
                () -> {
                    try {
                        response.sendError(410);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                },
                task -> new Thread(task).start());
        CompletableFuture<Void> completed = told.thenRunAsync(
                () -> {
                    awaitQuietly(completes);
                    context.complete();
                },
                task -> new Thread(task).start());
        told.join();
        return completed;
    }

    private static void assertErrors(List<Response> responses) {
        assertThat(responses).isNotEmpty().allSatisfy(response -> {
            assertThat(response.status()).isEqualTo(410);
            assertThat(response.body()).startsWith("page of 410");
        });
    }

    private static ServletRequest unwrapped(ServletRequest request) {
        ServletRequest own = request;
        while (own instanceof ServletRequestWrapper wrapper) {
            own = wrapper.getRequest();
        }
        return own;
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

    /** As CXF does, which begins each of its dispatches so. */
    @ParameterizedTest
    @EnumSource
    void aHandlerThatIsDispatchedBackAndGoesOnAgainIsShared(ServletServer.Make make) throws Exception {
        start(make);
        script = (request, response) -> {
            AsyncContext context = request.startAsync();
            if (request.getAttribute("again") == null) {
                request.setAttribute("again", "yes");
                new Thread(context::dispatch).start();
                return;
            }
            response.getWriter().write("later");
            new Thread(context::complete).start();
        };
        assertThat(assertShared().get(0).body()).isEqualTo("later");
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

    /** Most listeners know their request by the context of the event, and complete it by that. */
    @ParameterizedTest
    @EnumSource
    void aListenerThatAnswersARequestWhoseTimeIsOverAnswersAll(ServletServer.Make make) throws Exception {
        start(make);
        Set<AsyncContext> waitingOnes = ConcurrentHashMap.newKeySet();
        script = (request, response) -> {
            AsyncContext context = request.startAsync();
            waitingOnes.add(context);
            context.setTimeout(100);
            context.addListener(new AnswerLate(waitingOnes));
        };
        assertThat(assertShared()).extracting(Response::body).containsOnly("too late");
        assertThat(waitingOnes).isEmpty();
    }

    private record AnswerLate(Set<AsyncContext> waitingOnes) implements AsyncListener {

        @Override
        public void onTimeout(AsyncEvent event) throws IOException {
            AsyncContext context = event.getAsyncContext();
            waitingOnes.remove(context);
            ((HttpServletResponse) context.getResponse()).setStatus(503);
            context.getResponse().getWriter().write("too late");
            context.complete();
        }

        @Override
        public void onComplete(AsyncEvent event) {}

        @Override
        public void onError(AsyncEvent event) {}

        @Override
        public void onStartAsync(AsyncEvent event) {}
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

    @ParameterizedTest
    @EnumSource
    void aHandlerThatWritesWithoutBlockingWritesToItsOwnClient(ServletServer.Make make) throws Exception {
        start(make);
        script = (request, response) -> ScriptedServlet.writeWithoutBlocking(request, response, "ready", () -> {});
        assertThat(assertForwarded()).extracting(Response::body).containsOnly("ready");
    }

    /** Then its end is not seen. It writes when its thread has gone back. */
    @ParameterizedTest
    @EnumSource
    void aHandlerThatGoesOnByTheServersOwnRequestIsForItsOwnClient(ServletServer.Make make) throws Exception {
        before = List.of(LEAVING);
        start(make);
        script = (request, response) -> {
            AsyncContext context = unwrapped(request).startAsync();
            onceLeft(request, context, later -> later.getWriter().write("own"));
        };
        assertThat(assertForwarded()).extracting(Response::body).containsOnly("own");
    }

    /**
     * The filter in front sends what it has kept when the handler's thread has come back. A handler that goes on without naming a
     * response goes on with the server's own, past that filter; on Undertow it does not, with or without collapsing.
     */
    @ParameterizedTest
    @EnumSource
    void H37_aHandlerGoesOnPastAFilterInFrontThatKeepsTheBody(ServletServer.Make make) throws Exception {
        before = List.of((request, response, chain) -> {
            CountDownLatch left = new CountDownLatch(1);
            request.setAttribute("left", left);
            ContentCachingResponseWrapper kept = new ContentCachingResponseWrapper((HttpServletResponse) response);
            try {
                chain.doFilter(request, kept);
                kept.copyBodyToResponse();
            } finally {
                left.countDown();
            }
        });
        start(make);
        script = (request, response) -> {
            CountDownLatch left = (CountDownLatch) request.getAttribute("left");
            AsyncContext context = request.startAsync();
            Thread writer = new Thread(() -> {
                try {
                    awaitQuietly(left);
                    context.getResponse().getOutputStream().print("later");
                    context.complete();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            writer.start();
        };
        holding = false;
        Request change = Request.of("POST", URI.create("http://localhost/other")); // which keeps no reads of /a apart
        String uncollapsed = send(change).response("POST").body();
        assertThat(uncollapsed).isEqualTo(make == ServletServer.Make.UNDERTOW ? "" : "later");
        holding = true;
        runs.set(0);
        awaitHandler();
        waiting.awaitLatestLeft();
        assertThat(assertForwarded()).extracting(Response::body).containsOnly(uncollapsed);
    }

    /** Then nobody sees when the handler has ended. */
    @ParameterizedTest
    @EnumSource
    void H37_aFilterInFrontMayGoOnAsynchronouslyItself(ServletServer.Make make) throws Exception {
        threads = FOLLOWERS + 1;
        before = List.of((request, response, chain) -> {
            AsyncContext context = request.startAsync();
            chain.doFilter(request, response);
            context.complete();
        });
        start(make);
        holding = false;
        CountDownLatch two = new CountDownLatch(2);
        script = (request, response) -> {
            two.countDown();
            awaitQuietly(two);
            response.getOutputStream().print("x");
        };
        RawClient first = send(get());
        awaitHandler();
        RawClient second = send(get());
        assertThat(first.response("GET").body()).isEqualTo("x");
        assertThat(second.response("GET").body()).isEqualTo("x");
        assertThat(runs).hasValue(2);
    }

    /** A stream of a filter in front that fails, as a cipher may. */
    @ParameterizedTest
    @EnumSource
    void H39_aRequestWhoseResponseCannotBePassedOnIsCompletedAllTheSame(ServletServer.Make make) throws Exception {
        CountDownLatch completed = new CountDownLatch(1);
        before = List.of((request, response, chain) -> {
            chain.doFilter(request, new HttpServletResponseWrapper((HttpServletResponse) response) {
                @Override
                public ServletOutputStream getOutputStream() {
                    return new FailingStream();
                }
            });
            request.getAsyncContext().addListener(new AsyncEnd(completed::countDown));
            released.countDown();
        });
        start(make);
        holding = false;
        script = (request, response) -> {
            AsyncContext context = request.startAsync(request, response);
            Thread writer = new Thread(() -> {
                try {
                    awaitQuietly(released);
                    context.getResponse().getOutputStream().print("lost");
                    context.complete();
                } catch (IOException | IllegalArgumentException expected) {
                    // the handler's affair
                }
            });
            writer.start();
        };
        RawClient unused = send(get());
        assertThat(completed.await(20, TimeUnit.SECONDS)).isTrue(); // long before the container's own time-out
    }

    private static final class FailingStream extends ServletOutputStream {

        @Override
        public void write(int oneByte) {
            throw new IllegalArgumentException("the stream of a filter fails");
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setWriteListener(WriteListener listener) {
            throw new UnsupportedOperationException();
        }
    }
}
