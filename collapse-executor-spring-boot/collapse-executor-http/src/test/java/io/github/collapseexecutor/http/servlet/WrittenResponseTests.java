package io.github.collapseexecutor.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseListener;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.Reason;
import io.github.collapseexecutor.http.fixture.RawClient;
import io.github.collapseexecutor.http.fixture.TestClient.Response;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.security.web.header.HeaderWriterFilter;
import org.springframework.security.web.header.writers.CacheControlHeadersWriter;

/** Ways in which a handler writes a response: streamed, flushed, reset, committed, large, as an error or a redirect. */
class WrittenResponseTests extends HeldHandlerFixture {

    /** Why responses were not shared. */
    private final Queue<Reason> reasons = new ConcurrentLinkedQueue<>();

    private HttpCollapseOptions.Builder noting() {
        return HttpCollapseOptions.builder()
                .rules(List.of(CollapseRule.of(CollapsePolicy.strict(), "/**")))
                .listener(new HttpCollapseListener() {
                    @Override
                    public void responseNotShared(CollapseRule rule, Reason reason, String method, URI uri) {
                        reasons.add(reason);
                    }
                });
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
    void aStreamThatAHandlerKeepsInSpiteOfAResetReachesAllWithWhatCameAfter(ServletServer.Make make) throws Exception {
        start(make);
        script = (request, response) -> {
            ServletOutputStream kept = response.getOutputStream();
            kept.print("dropped");
            response.reset();
            kept.print("text");
        };
        assertThat(assertShared()).extracting(Response::body).containsOnly("text");
    }

    @ParameterizedTest
    @EnumSource
    void aWriterThatAHandlerKeepsInSpiteOfAResetReachesAllWithWhatCameAfter(ServletServer.Make make) throws Exception {
        start(make);
        script = (request, response) -> {
            PrintWriter kept = response.getWriter();
            kept.write("dropped");
            response.reset();
            kept.write("text");
        };
        assertThat(assertShared()).extracting(Response::body).containsOnly("text");
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
    void aFlushAtTheEndIsNoStream(ServletServer.Make make) throws Exception {
        start(make);
        script = (request, response) -> {
            response.getOutputStream().print("flushed");
            response.getOutputStream().flush();
            response.flushBuffer();
            assertThat(response.isCommitted()).isTrue();
        };
        assertThat(assertShared()).allSatisfy(response -> {
            assertThat(response.body()).isEqualTo("flushed");
            assertThat(response.header("Content-Length"))
                    .as("sent before its end")
                    .isEmpty();
        });
    }

    @ParameterizedTest
    @EnumSource
    void aHandlerThatWritesOnAfterAFlushIsPassedThrough(ServletServer.Make make) throws Exception {
        start(make, noting(), IN_FLIGHT);
        script = (request, response) -> {
            PrintWriter writer = response.getWriter();
            writer.write("one ");
            writer.flush();
            writer.write("two");
            writer.flush();
            assertThat(writer.checkError()).isFalse();
        };
        assertThat(assertForwarded()).extracting(Response::body).containsOnly("one two");
        assertThat(reasons).containsOnly(Reason.STREAM);
    }

    @ParameterizedTest
    @EnumSource
    void H27_aBodyOverTheLimitIsStreamedToEverybody(ServletServer.Make make) throws Exception {
        start(make, noting().maxBodySize(99_999), IN_FLIGHT);
        String part = "0123456789".repeat(1_000);
        script = (request, response) -> {
            for (int i = 0; i < 10; i++) {
                response.getWriter().write(part);
            }
        };
        assertThat(assertForwarded()).extracting(Response::body).containsOnly(part.repeat(10));
        assertThat(reasons).containsOnly(Reason.TOO_LARGE);
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

    /** Each part is large enough to be recorded by itself. */
    @ParameterizedTest
    @EnumSource
    void aBodyThatIsWrittenInPartsReachesAllInOrder(ServletServer.Make make) throws Exception {
        start(make);
        List<String> parts = List.of("a".repeat(600), "b".repeat(700), "c".repeat(800));
        script = (request, response) -> {
            for (String part : parts) {
                response.getOutputStream().print(part);
            }
        };
        assertThat(assertShared()).extracting(Response::body).containsOnly(String.join("", parts));
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
    void aResetResponseIsForgotten(ServletServer.Make make) throws Exception {
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
    void aResponseWhoseBodyIsClosedLooksCommittedToItsHandler(ServletServer.Make make) throws Exception {
        start(make);
        script = (request, response) -> {
            response.getOutputStream().print("body");
            response.getOutputStream().close();
            assertThat(response.isCommitted()).isTrue();
            response.setHeader("X-Late", "1");
        };
        assertThat(assertShared()).allSatisfy(response -> {
            assertThat(response.body()).isEqualTo("body");
            assertThat(response.header("X-Late")).isEmpty();
        });
    }

    /** A server takes a length for that of the whole response only from the handler itself. */
    @ParameterizedTest
    @EnumSource
    void theLengthOfAnIncludedResourceIsNotThatOfTheResponse(ServletServer.Make make) throws Exception {
        start(make);
        script = (request, response) -> {
            if (request.getAttribute(RequestDispatcher.INCLUDE_REQUEST_URI) != null) {
                response.setContentLength(1);
                response.getWriter().write("included ");
                return;
            }
            request.setAttribute("again", true);
            response.getWriter().write("before ");
            request.getRequestDispatcher("/part").include(request, response);
            response.getWriter().write("after");
        };
        assertThat(assertShared()).extracting(Response::body).containsOnly("before included after");
    }

    /** For an include, Spring Security completes its headers, which say that nothing may be stored. */
    @ParameterizedTest
    @EnumSource
    void anIncludeBehindSpringSecurityIsShared(ServletServer.Make make) throws Exception {
        before = List.of(new HeaderWriterFilter(List.of(new CacheControlHeadersWriter())));
        start(make);
        script = (request, response) -> {
            if (request.getAttribute(RequestDispatcher.INCLUDE_REQUEST_URI) != null) {
                response.getWriter().write("included ");
                return;
            }
            response.setHeader("X-Own", "1");
            request.setAttribute("again", true);
            response.getWriter().write("before ");
            request.getRequestDispatcher("/part").include(request, response);
            response.getWriter().write("after");
        };
        assertThat(assertShared()).allSatisfy(response -> {
            assertThat(response.body()).isEqualTo("before included after");
            assertThat(response.header("X-Own")).containsOnly("1");
            assertThat(response.header("Cache-Control")).containsOnly("no-cache, no-store, max-age=0, must-revalidate");
        });
    }

    @ParameterizedTest
    @EnumSource
    void bytesThatWereWrittenBeforeAForwardAreForgotten(ServletServer.Make make) throws Exception {
        start(make);
        script = (request, response) -> {
            if (request.getAttribute("again") != null) {
                response.getWriter().write("forwarded");
                return;
            }
            request.setAttribute("again", true);
            response.getWriter().write("dropped");
            request.getRequestDispatcher("/other").forward(request, response);
        };
        assertThat(assertShared()).extracting(Response::body).containsOnly("forwarded");
    }

    @ParameterizedTest
    @EnumSource
    void aHandlerLearnsFromTheWriteThatCannotBePassedOn(ServletServer.Make make) throws Exception {
        before = List.of((request, response, chain) ->
                chain.doFilter(request, new HttpServletResponseWrapper((HttpServletResponse) response) {
                    @Override
                    public ServletOutputStream getOutputStream() throws IOException {
                        return new BrokenStream(super.getOutputStream());
                    }
                }));
        start(make);
        holding = false;
        CompletableFuture<Throwable> told = new CompletableFuture<>();
        script = (request, response) -> {
            try {
                response.getOutputStream().write(new byte[4 << 20]); // more than may be shared
            } catch (IOException e) {
                told.complete(e);
            }
        };
        send(get());
        assertThat(told.get(30, TimeUnit.SECONDS)).hasMessage("broken");
    }

    private static final class BrokenStream extends ServletOutputStream {

        private final ServletOutputStream out;

        BrokenStream(ServletOutputStream out) {
            this.out = out;
        }

        @Override
        public void write(int single) throws IOException {
            throw new IOException("broken");
        }

        @Override
        public boolean isReady() {
            return out.isReady();
        }

        @Override
        public void setWriteListener(WriteListener listener) {
            out.setWriteListener(listener);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aSessionThatBeginsAfterAFlushSetsNoCookie(ServletServer.Make make) throws Exception {
        start(make);
        holding = false;
        script = (request, response) -> {
            response.getWriter().write("text");
            response.flushBuffer();
            try {
                request.getSession();
            } catch (IllegalStateException e) {
                // a container may refuse that
            }
        };
        Response response = send(get()).response("GET");
        assertThat(response.body()).isEqualTo("text");
        assertThat(response.header("Set-Cookie")).isEmpty();
    }
}
