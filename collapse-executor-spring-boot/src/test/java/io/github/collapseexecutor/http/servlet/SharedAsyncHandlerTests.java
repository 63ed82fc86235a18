package io.github.collapseexecutor.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.http.fixture.RawClient;
import io.github.collapseexecutor.http.fixture.TestClient.Response;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

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
        before = List.of((request, response, chain) -> {
            CountDownLatch left = new CountDownLatch(1);
            request.setAttribute("left", left);
            try {
                chain.doFilter(request, response);
            } finally {
                left.countDown();
            }
        });
        start(make);
        script = (request, response) -> {
            CountDownLatch left = (CountDownLatch) request.getAttribute("left");
            ServletRequest own = request;
            while (own instanceof ServletRequestWrapper wrapper) {
                own = wrapper.getRequest();
            }
            AsyncContext context = own.startAsync();
            Thread writer = new Thread(() -> {
                try {
                    awaitQuietly(left);
                    context.getResponse().getWriter().write("own");
                    context.complete();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            writer.start();
        };
        assertThat(assertForwarded()).extracting(Response::body).containsOnly("own");
    }
}
