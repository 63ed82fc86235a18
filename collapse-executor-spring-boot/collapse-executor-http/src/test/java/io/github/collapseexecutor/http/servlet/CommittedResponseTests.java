package io.github.collapseexecutor.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.gate.OnEachLine;
import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.Callers;
import io.github.collapseexecutor.http.fixture.RawClient;
import io.github.collapseexecutor.http.fixture.TestClient.Request;
import io.github.collapseexecutor.http.fixture.TestClient.Response;
import io.github.collapseexecutor.http.servlet.PlainAndShared.Case;
import io.github.collapseexecutor.http.servlet.zoo.ResponseFilters;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.web.filter.ShallowEtagHeaderFilter;

/**
 * Containers differ in when they commit a response, and in what they do with what comes too late; filters in front may hold a body
 * back, so that nothing comes too late. Whatever they do, they do with collapsing, too: for a lone client, a leader and a follower.
 */
@OnEachLine
class CommittedResponseTests {

    private static final byte[] LARGE = new byte[9_000];

    private static final Map<String, Case> CASES = new LinkedHashMap<>();

    static {
        CASES.put("a large write, and a header", (response, seen) -> {
            response.getOutputStream().write(LARGE);
            response.setHeader("X-Own", "1");
        });
        CASES.put("a large write, and an error", (response, seen) -> {
            response.getOutputStream().write(LARGE);
            response.sendError(503);
        });
        CASES.put("more than was declared, and a status", (response, seen) -> {
            response.setContentLength(1);
            write(response, seen);
            response.setStatus(203);
        });
        CASES.put("a body though none was declared, and a status", (response, seen) -> {
            response.setContentLength(0);
            write(response, seen);
            response.setStatus(203);
        });
        CASES.put("less is declared than was written", (response, seen) -> {
            write(response, seen);
            response.setContentLength(5);
        });
        CASES.put("a closed stream, and a failure", (response, seen) -> {
            response.getOutputStream().close();
            throw new IllegalStateException("broken");
        });
        CASES.put("a closed writer, and a failure", (response, seen) -> {
            response.getWriter().close();
            throw new IllegalStateException("broken");
        });
        CASES.put("a type without a charset, a flush, and a writer", (response, seen) -> {
            response.setContentType("application/json");
            response.flushBuffer();
            response.getWriter().print("ü");
        });
        CASES.put("an error, a body and a header", (response, seen) -> {
            response.sendError(503);
            response.getOutputStream().write(LARGE);
            response.addHeader("X-Own", "1");
        });
        CASES.put("two errors", (response, seen) -> {
            response.sendError(410);
            response.sendError(410);
        });
        CASES.put("a length, a reset and an error", (response, seen) -> {
            response.setContentLength(5);
            response.reset();
            response.sendError(410);
        });
        CASES.put("the size of a buffer, a reset and a body", (response, seen) -> {
            response.setBufferSize(1_000);
            response.reset();
            response.getOutputStream().write(new byte[8_200]);
        });
        CASES.put("a length, a closed writer and a header", (response, seen) -> {
            response.setContentLength(5);
            response.getWriter().close();
            response.setHeader("X-Own", "1");
        });
        CASES.put("a charset that nobody knows, and a writer", (response, seen) -> {
            response.setContentType("text/plain;charset=x-unknown");
            try {
                response.getWriter().close();
            } catch (IOException | IllegalArgumentException e) {
                seen.add("refused by " + e.getClass().getName());
                response.setStatus(500);
            }
        });
        CASES.put("a text, and a length between its characters and its bytes", (response, seen) -> {
            response.setCharacterEncoding("UTF-8");
            response.getWriter().print("[frü]");
            try {
                response.setContentLength(5);
            } catch (IllegalArgumentException e) {
                seen.add("refused");
            }
        });
        for (String charset : List.of("UTF-8", "ISO-8859-1", "UTF-16BE")) {
            for (int length : List.of(4, 5, 6, 8, 10)) { // a text of five letters and so many bytes, or another length
                for (boolean first : List.of(true, false)) {
                    String name = (first ? "a length of " + length + ", a text" : "a text, a length of " + length);
                    CASES.put(name + " in " + charset + ", and a header", (response, seen) -> {
                        response.setCharacterEncoding(charset);
                        if (first) {
                            response.setContentLength(length);
                        }
                        response.getWriter().print("[frü]");
                        if (!first) {
                            try {
                                response.setContentLength(length);
                            } catch (IllegalArgumentException e) {
                                seen.add("refused");
                            }
                        }
                        response.setHeader("X-Own", "1");
                    });
                }
            }
        }
        CASES.put("a length, a longer text, a cleared buffer and a closed writer", (response, seen) -> {
            response.setContentLength(100);
            response.getWriter().write("[none" + "x".repeat(100) + "ü]");
            try {
                response.resetBuffer();
            } catch (IllegalStateException e) {
                seen.add("refused");
            }
            response.getWriter().close();
        });
        CASES.put("a text, a cleared buffer and another in a charset", (response, seen) -> {
            response.setContentType("text/plain;charset=ISO-8859-1");
            response.getWriter().print("über");
            response.resetBuffer();
            response.getWriter().print("süß");
        });
        for (String charset : List.of("UTF-8", "ISO-8859-1", "UTF-16", "UTF-32")) {
            for (String letter : List.of("x", "ü")) {
                for (int letters : List.of(2_050, 4_100, 8_190, 8_200, 9_000, 16_390, 33_000)) {
                    CASES.put(
                            letters + " letters " + letter + " in " + charset + ", and a header", (response, seen) -> {
                                response.setCharacterEncoding(charset);
                                response.getWriter().write(letter.repeat(letters));
                                response.setHeader("X-Own", "1");
                            });
                }
            }
        }
        for (int letters : List.of(50, 9_000, 40_000)) {
            for (boolean behind : List.of(true, false)) {
                String where = behind ? " behind" : " in front of";
                CASES.put(
                        letters + " letters" + where + " a charset that nobody knows, and a header",
                        (response, seen) -> {
                            response.setCharacterEncoding("ISO-8859-1");
                            if (!behind) {
                                response.getWriter().write("x".repeat(letters));
                            }
                            response.setHeader("Content-Type", "text/plain;charset=x-unknown");
                            try {
                                response.getWriter().write("x".repeat(letters));
                            } catch (IOException | IllegalArgumentException e) {
                                seen.add("refused by " + e.getClass().getName());
                                response.setStatus(500);
                            }
                            response.setHeader("X-Own", "1");
                        });
            }
        }
        CASES.put("texts printed to a stream", (response, seen) -> {
            response.setContentType("text/plain;charset=UTF-8");
            response.getOutputStream().print("plain");
            response.getOutputStream().println("süß");
        });
        CASES.put("texts printed to a stream in UTF-16", (response, seen) -> {
            response.setContentType("text/plain;charset=UTF-16");
            response.getOutputStream().print("plain");
            response.getOutputStream().println("line");
        });
        CASES.put("a text printed to a stream that bears no such letters", (response, seen) -> {
            response.setContentType("text/plain;charset=ISO-8859-1");
            response.getOutputStream().print("süß");
            try {
                response.getOutputStream().print("5 €");
            } catch (IOException e) {
                seen.add("refused by " + e.getClass().getName());
            }
        });
        CASES.put("a closed stream, and more", (response, seen) -> {
            response.getOutputStream().close();
            write(response, seen);
        });
        CASES.put("a length, a closed stream and a header", (response, seen) -> {
            response.setContentLength(5);
            response.getOutputStream().close();
            response.setHeader("X-Own", "1");
        });
        CASES.put("a length, a reset, a longer body and a header", (response, seen) -> {
            response.setContentLength(1);
            response.reset();
            response.getOutputStream().write(new byte[100]);
            response.addHeader("X-Own", "1");
        });
        CASES.put("a length, a reset, a body of that length and a header", (response, seen) -> {
            response.setContentLength(100);
            response.reset();
            response.getOutputStream().write(new byte[100]);
            response.addHeader("X-Own", "1");
        });
        CASES.put("a length and a redirect", (response, seen) -> {
            response.setContentLength(5);
            response.sendRedirect("/else");
        });
        CASES.put("a text, a shorter length and an error", (response, seen) -> {
            response.getWriter().print("a text");
            response.setContentLength(5);
            response.sendError(404);
        });
    }

    private static final Map<String, Case> CASES_BEHIND_A_FILTER = new LinkedHashMap<>(CASES);

    static {
        CASES_BEHIND_A_FILTER.put("a flush, a header and a cookie", (response, seen) -> {
            response.flushBuffer();
            response.setHeader("X-Own", "1");
            response.addCookie(new Cookie("own", "1"));
        });
        CASES_BEHIND_A_FILTER.put("a body of the declared length, a header and more", (response, seen) -> {
            response.setContentLength(4);
            response.getWriter().print("text");
            response.setHeader("X-Own", "1");
            response.getWriter().print("more");
        });
        CASES_BEHIND_A_FILTER.put("a large write, and a cleared buffer", (response, seen) -> {
            response.getOutputStream().write(LARGE);
            seen.add("committed " + response.isCommitted());
            response.resetBuffer();
        });
        CASES_BEHIND_A_FILTER.put("a stream and a writer", (response, seen) -> {
            response.getOutputStream().print("stream");
            response.getWriter().print("writer");
        });
        CASES_BEHIND_A_FILTER.put("a closed stream, and a body", (response, seen) -> {
            response.getOutputStream().close();
            response.getOutputStream().print("stream");
        });
        CASES_BEHIND_A_FILTER.put("a body, and the size of a buffer", (response, seen) -> {
            response.getOutputStream().print("stream");
            response.setBufferSize(9_000);
        });
    }

    private static final Map<String, Case> RESET_CASES = new LinkedHashMap<>();

    static {
        RESET_CASES.put("a flush of the writer, a text and a reset", (response, seen) -> {
            response.getWriter().flush();
            response.getWriter().print("kept");
            response.reset();
        });
        RESET_CASES.put("a closed stream, a reset and a text", (response, seen) -> {
            response.getOutputStream().close();
            response.reset();
            response.getWriter().print("kept");
        });
        RESET_CASES.put("a closed writer, a reset and a text", (response, seen) -> {
            response.getWriter().close();
            response.reset();
            response.getWriter().print("kept");
        });
        RESET_CASES.put("a closed writer and a reset", (response, seen) -> {
            response.getWriter().close();
            response.reset();
        });
        RESET_CASES.put("a text of the declared length, a reset and another", (response, seen) -> {
            response.setContentLength(4);
            response.getWriter().print("kept");
            response.reset();
            response.getWriter().print("too");
        });
        RESET_CASES.put("a large text and a reset", (response, seen) -> {
            response.getWriter().print("kept".repeat(5_000));
            response.reset();
        });
        RESET_CASES.put("a large text and a cleared buffer", (response, seen) -> {
            response.getWriter().print("kept".repeat(5_000));
            response.resetBuffer();
        });
    }

    private static final Map<String, Case> TAG_CASES = new LinkedHashMap<>();

    static {
        TAG_CASES.put("a body, a tag and more of the body", (response, seen) -> {
            response.getOutputStream().print("first");
            response.setHeader("ETag", "\"1\"");
            response.getOutputStream().print("second");
        });
        TAG_CASES.put("a text, a tag and more of the text", (response, seen) -> {
            response.getWriter().print("first");
            response.setHeader("ETag", "\"1\"");
            response.getWriter().print("second");
        });
        TAG_CASES.put("a closed writer, a tag and a text", (response, seen) -> {
            response.getWriter().close();
            response.setHeader("ETag", "\"1\"");
            response.getWriter().print("second");
        });
        TAG_CASES.put("a text in two parts, a tag and more of the text", (response, seen) -> {
            response.getWriter().print("first");
            response.getWriter().print("second");
            response.setHeader("ETag", "\"1\"");
            response.getWriter().print("third");
        });
        TAG_CASES.put("a body in two parts", (response, seen) -> {
            response.getOutputStream().print("first");
            response.getOutputStream().print("second");
        });
    }

    private static final Map<String, Case> ASKING_CASES = new LinkedHashMap<>();

    static {
        ASKING_CASES.put(
                "a body", (response, seen) -> response.getOutputStream().print("body"));
        ASKING_CASES.put("a text", (response, seen) -> response.getWriter().print("text"));
        ASKING_CASES.put("a body in two parts", (response, seen) -> {
            response.getOutputStream().print("first");
            response.getOutputStream().print("second");
        });
        ASKING_CASES.put("a text in two parts, flushed between", (response, seen) -> {
            response.getWriter().print("first");
            response.flushBuffer();
            response.getWriter().print("second");
        });
        ASKING_CASES.put("a body that is asked for and flushed", (response, seen) -> {
            response.getOutputStream().print("first");
            response.getOutputStream().flush();
        });
        ASKING_CASES.put("a closed stream that is asked for", (response, seen) -> {
            response.getOutputStream().close();
            response.getOutputStream();
        });
    }

    private static void write(HttpServletResponse response, List<String> seen) {
        try {
            response.getOutputStream().write(new byte[100]);
        } catch (IOException e) {
            seen.add("refused by " + e.getClass().getName());
        }
    }

    @ParameterizedTest
    @EnumSource
    void H41_aContainerDecidesWhatComesTooLate(ServletServer.Make make) throws Exception {
        try (PlainAndShared server =
                new PlainAndShared(make, (request, response, chain) -> chain.doFilter(request, response))) {
            assertTheSame(server, CASES);
        }
    }

    @ParameterizedTest
    @EnumSource
    void H37_aFilterThatHoldsTheBodyDecidesWhatComesTooLate(ServletServer.Make make) throws Exception {
        try (PlainAndShared server = new PlainAndShared(make, new ResponseFilters.Caching())) {
            assertTheSame(server, CASES_BEHIND_A_FILTER);
        }
    }

    /** Such a filter has its own writer, of which a reset does not know. */
    @ParameterizedTest
    @EnumSource
    void H37_aResetTakesNothingFromAFilterThatKeepsTheBody(ServletServer.Make make) throws Exception {
        try (PlainAndShared server = new PlainAndShared(make, new ResponseFilters.UpperCase())) {
            assertTheSame(server, RESET_CASES);
        }
    }

    /** It holds what is written, but for a handler that has set a tag before it asks for the stream or the writer. */
    @ParameterizedTest
    @EnumSource
    void H37_whereSpringsFilterForTagsPutsTheBodyIsAskedEachTime(ServletServer.Make make) throws Exception {
        try (PlainAndShared server = new PlainAndShared(make, new ShallowEtagHeaderFilter())) {
            assertTheSame(server, TAG_CASES);
        }
    }

    @ParameterizedTest
    @EnumSource
    void H37_aFilterForTagsLeadsTheBodyToAnotherFilterOfItsKind(ServletServer.Make make) throws Exception {
        try (PlainAndShared server =
                new PlainAndShared(make, new ResponseFilters.Caching(), new ShallowEtagHeaderFilter())) {
            assertTheSame(server, TAG_CASES);
        }
    }

    /** As one that compresses does, which writes a head as soon as its stream is asked for. */
    @ParameterizedTest
    @EnumSource
    void H37_aFilterIsAskedForItsStreamAsOftenAsTheHandlerAsks(ServletServer.Make make) throws Exception {
        Filter begins = (request, response, chain) ->
                chain.doFilter(request, new HttpServletResponseWrapper((HttpServletResponse) response) {
                    @Override
                    public ServletOutputStream getOutputStream() throws IOException {
                        ServletOutputStream stream = super.getOutputStream();
                        stream.print("[");
                        return stream;
                    }

                    @Override
                    public PrintWriter getWriter() throws IOException {
                        PrintWriter writer = super.getWriter();
                        writer.print("[");
                        return writer;
                    }
                });
        try (PlainAndShared server = new PlainAndShared(make, begins)) {
            assertTheSame(server, ASKING_CASES);
        }
    }

    /** What it writes when it is asked is in a part of its own if the handler has flushed before. */
    @ParameterizedTest
    @EnumSource
    void H37_aFilterIsAskedForItsStreamBehindAFlush(ServletServer.Make make) throws Exception {
        List<String> seen = new CopyOnWriteArrayList<>();
        Filter tells = (request, response, chain) ->
                chain.doFilter(request, new HttpServletResponseWrapper((HttpServletResponse) response) {
                    @Override
                    public void flushBuffer() throws IOException {
                        seen.add("flush");
                        super.flushBuffer();
                    }

                    @Override
                    public ServletOutputStream getOutputStream() throws IOException {
                        seen.add("stream");
                        return super.getOutputStream();
                    }
                });
        try (PlainAndShared server = new PlainAndShared(make, tells)) {
            PlainAndShared.Outcome unused = server.alone((response, told) -> {
                response.flushBuffer();
                response.getOutputStream().print("text");
            });
        }
        assertThat(seen).containsExactly("flush", "stream");
    }

    /** What a handler clears may be that of a filter in front, which each client has of its own. */
    @ParameterizedTest
    @EnumSource
    void H37_aHandlerClearsWhatAFilterHasWrittenForEachClient(ServletServer.Make make) throws Exception {
        Map<String, Case> cases = Map.of("a cleared buffer and a text", (response, seen) -> {
            response.resetBuffer();
            response.getWriter().print("kept");
        });
        try (PlainAndShared server = new PlainAndShared(make, (request, response, chain) -> {
            response.getWriter().print("cleared");
            chain.doFilter(request, response);
        })) {
            assertTheSame(server, cases);
        }
    }

    /** Spring's filter for entity tags fails where its own wrapper is none of those of the dispatch; Spring MVC wraps what it goes on with. */
    @ParameterizedTest
    @EnumSource
    void H37_aFilterInFrontFindsItsWrapperWhenAHandlerIsDispatchedBack(ServletServer.Make make) throws Exception {
        HttpCollapseOptions http = HttpCollapseOptions.builder()
                .rules(List.of(CollapseRule.of(CollapsePolicy.strict(), "/**")))
                .build();
        ScriptedServlet handler = new ScriptedServlet((request, response) -> {
            if (request.getAttribute("again") != null) {
                response.getWriter().write("later");
                return;
            }
            AsyncContext context = request.startAsync(request, new HttpServletResponseWrapper(response));
            request.setAttribute("again", "yes");
            new Thread(context::dispatch).start();
        });
        List<Filter> filters =
                List.of(new ShallowEtagHeaderFilter(), WaitingRequests.asynchronous(http, Callers.IN_FLIGHT));
        try (ServletServer server = make.start(4, filters, handler)) {
            Response response = RawClient.call(server.port(), Request.get(URI.create("http://localhost/a")));
            assertThat(response.status()).isEqualTo(200);
            assertThat(response.body()).isEqualTo("later");
            assertThat(response.header("ETag")).hasSize(1);
        }
    }

    private static void assertTheSame(PlainAndShared server, Map<String, Case> cases) throws Exception {
        List<String> differences = new ArrayList<>();
        for (Map.Entry<String, Case> entry : cases.entrySet()) {
            PlainAndShared.Outcome plain = server.plain(entry.getValue());
            compare(entry.getKey() + ", alone", plain, server.alone(entry.getValue()), differences);
            compare(entry.getKey() + ", shared", plain, server.shared(entry.getValue()), differences);
        }
        assertThat(differences).isEmpty();
    }

    /** Jetty's own error page tells it. */
    private static String withoutAddress(String client) {
        return client.replaceAll("localhost/\\d+", "localhost/");
    }

    private static void compare(
            String name, PlainAndShared.Outcome plain, PlainAndShared.Outcome other, List<String> differences) {
        String expected = withoutAddress(plain.clients().get(0));
        for (String client : other.clients()) {
            if (!withoutAddress(client).equals(expected)) {
                differences.add(
                        name + ": a client got\n    " + client.strip() + "\n  and not\n    " + expected.strip());
            }
        }
        for (List<String> seen : other.handlers()) {
            if (!seen.equals(plain.handlers().get(0))) {
                differences.add(name + ": a handler saw " + seen + " and not "
                        + plain.handlers().get(0));
            }
        }
    }
}
