package io.github.collapseexecutor.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.gate.OnEachLine;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A filter in front may wrap a response, and hold what the handler says by a single method until the body begins, as SiteMesh holds a date, or show
 * it to nobody. Callers get what they get without collapsing, and what a handler says of privacy counts. Every method of the Servlet API that
 * runs is tried, or is left out for a reason.
 */
@OnEachLine
class HeldResponseMethodsTests {

    private static final Map<String, Set<String>> LEFT_OUT = Map.of(
            "they say nothing of a response, or begin its body",
            Set.of("encodeURL", "encodeRedirectURL", "getOutputStream", "getWriter", "flushBuffer", "getBufferSize"),
            "they take back what was said",
            Set.of("reset", "resetBuffer"),
            "they tell of what is compared with and without collapsing elsewhere",
            Set.of("isCommitted", "getCharacterEncoding", "getLocale", "getTrailerFields"));

    /** A response of which some methods are held until the body begins, or show nothing. */
    private static final class Held extends HttpServletResponseWrapper {

        // immutable
        private final Predicate<String> methods;

        // mutable, confined to the handler
        private final List<Runnable> held = new ArrayList<>();

        Held(HttpServletResponse response, Predicate<String> methods) {
            super(response);
            this.methods = methods;
        }

        /** Something that is said of a response. */
        private interface Saying {

            void run() throws IOException;
        }

        private void hold(String name, Saying saying) {
            Runnable later = () -> {
                try {
                    saying.run();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            };
            if (methods.test(name)) {
                held.add(later);
            } else {
                later.run();
            }
        }

        void release() {
            List<Runnable> all = List.copyOf(held);
            held.clear();
            all.forEach(Runnable::run);
        }

        /** Opened by the first byte. */
        @Override
        public ServletOutputStream getOutputStream() {
            return new ServletOutputStream() {
                @Override
                public void write(int b) throws IOException {
                    begun().write(b);
                }

                @Override
                public void write(byte[] bytes, int offset, int length) throws IOException {
                    begun().write(bytes, offset, length);
                }

                @Override
                public void flush() throws IOException {
                    begun().flush();
                }

                @Override
                public boolean isReady() {
                    return true;
                }

                @Override
                public void setWriteListener(WriteListener listener) {
                    throw new UnsupportedOperationException();
                }
            };
        }

        private ServletOutputStream begun() throws IOException {
            release();
            return super.getOutputStream();
        }

        /** Opened by the first character. */
        @Override
        public PrintWriter getWriter() {
            return new PrintWriter(new Writer() {
                @Override
                public void write(char[] characters, int offset, int length) throws IOException {
                    begunWriter().write(characters, offset, length);
                }

                @Override
                public void flush() throws IOException {
                    begunWriter().flush();
                }

                @Override
                public void close() throws IOException {
                    begunWriter().close();
                }
            });
        }

        private PrintWriter begunWriter() throws IOException {
            release();
            return super.getWriter();
        }

        @Override
        public void flushBuffer() throws IOException {
            release();
            super.flushBuffer();
        }

        @Override
        public void setHeader(String name, String value) {
            hold("setHeader", () -> super.setHeader(name, value));
        }

        @Override
        public void addHeader(String name, String value) {
            hold("addHeader", () -> super.addHeader(name, value));
        }

        @Override
        public void setDateHeader(String name, long date) {
            hold("setDateHeader", () -> super.setDateHeader(name, date));
        }

        @Override
        public void addDateHeader(String name, long date) {
            hold("addDateHeader", () -> super.addDateHeader(name, date));
        }

        @Override
        public void setIntHeader(String name, int value) {
            hold("setIntHeader", () -> super.setIntHeader(name, value));
        }

        @Override
        public void addIntHeader(String name, int value) {
            hold("addIntHeader", () -> super.addIntHeader(name, value));
        }

        @Override
        public void setStatus(int status) {
            hold("setStatus", () -> super.setStatus(status));
        }

        @Override
        public void sendError(int status) {
            hold("sendError", () -> super.sendError(status));
        }

        @Override
        public void sendError(int status, String message) {
            hold("sendError", () -> super.sendError(status, message));
        }

        @Override
        public void sendRedirect(String location) {
            hold("sendRedirect", () -> super.sendRedirect(location));
        }

        @Override
        public void setContentType(String type) {
            hold("setContentType", () -> super.setContentType(type));
        }

        @Override
        public void setCharacterEncoding(String charset) {
            hold("setCharacterEncoding", () -> super.setCharacterEncoding(charset));
        }

        @Override
        public void setLocale(Locale locale) {
            hold("setLocale", () -> super.setLocale(locale));
        }

        @Override
        public void setContentLength(int length) {
            hold("setContentLength", () -> super.setContentLength(length));
        }

        @Override
        public void setContentLengthLong(long length) {
            hold("setContentLengthLong", () -> super.setContentLengthLong(length));
        }

        @Override
        public void setBufferSize(int size) {
            hold("setBufferSize", () -> super.setBufferSize(size));
        }

        @Override
        public void addCookie(Cookie cookie) {
            hold("addCookie", () -> super.addCookie(cookie));
        }

        @Override
        public void setTrailerFields(Supplier<Map<String, String>> supplier) {
            hold("setTrailerFields", () -> super.setTrailerFields(supplier));
        }

        private boolean hides(String name) {
            return methods.test(name);
        }

        @Override
        public boolean containsHeader(String name) {
            return !hides("containsHeader") && super.containsHeader(name);
        }

        @Override
        public @Nullable String getHeader(String name) {
            return hides("getHeader") ? null : super.getHeader(name);
        }

        @Override
        public Collection<String> getHeaders(String name) {
            return hides("getHeaders") ? List.of() : super.getHeaders(name);
        }

        @Override
        public Collection<String> getHeaderNames() {
            return hides("getHeaderNames") ? List.of() : super.getHeaderNames();
        }

        @Override
        public int getStatus() {
            return hides("getStatus") ? SC_OK : super.getStatus();
        }

        @Override
        public @Nullable String getContentType() {
            return hides("getContentType") ? null : super.getContentType();
        }
    }

    private static Filter holding(Predicate<String> methods) {
        return (request, response, chain) -> {
            Held held = new Held((HttpServletResponse) response, methods);
            chain.doFilter(request, held);
            held.release();
        };
    }

    private static Stream<String> methods() {
        return Stream.of(HttpServletResponse.class.getMethods())
                .map(Method::getName)
                .filter(name -> LEFT_OUT.values().stream().noneMatch(names -> names.contains(name)))
                .distinct()
                .sorted();
    }

    @Test
    void everyMethodIsHeldOrLeftOut() {
        Set<String> held = new TreeSet<>();
        for (Method method : Held.class.getDeclaredMethods()) {
            held.add(method.getName());
        }
        assertThat(methods()).isSubsetOf(held);
    }

    static Stream<Arguments> methodsOnEveryServer() {
        return EveryResponseMethodTests.servers().flatMap(make -> methods().map(method -> Arguments.of(make, method)));
    }

    @ParameterizedTest
    @MethodSource("methodsOnEveryServer")
    void H41_callersGetTheSameBehindAFilterThatHoldsOneMethod(ServletServer.Make make, String method) throws Exception {
        List<String> differences = new ArrayList<>();
        try (PlainAndShared server = new PlainAndShared(make, holding(method::equals))) {
            for (EveryResponseMethodTests.Call call : EveryResponseMethodTests.calls()) {
                String name = call.method().getName();
                if (!name.startsWith("set") && !name.startsWith("add") && !name.startsWith("send")) {
                    continue;
                }
                PlainAndShared.Case all = (response, seen) -> {
                    call.run(response, new ArrayList<>());
                    if (!name.startsWith(
                            "send")) { // what is written behind an end, containers treat each in its own way
                        response.getWriter().write("written");
                    }
                };
                PlainAndShared.Outcome plain = server.plain(all);
                assertThat(plain.clients()).as("%s", call).noneMatch(client -> client.startsWith("500"));
                EveryResponseMethodTests.compare(call + ", alone", plain, server.alone(all), differences);
                EveryResponseMethodTests.compare(call + ", shared", plain, server.shared(all), differences);
            }
        }
        assertThat(differences).isEmpty();
    }

    /** What keeps a response for its client, by each method that can say it. */
    private static final Map<String, PlainAndShared.Case> PRIVATE = Map.of(
            "setHeader", (response, seen) -> response.setHeader("Cache-Control", "private"),
            "addHeader", (response, seen) -> response.addHeader("Cache-Control", "no-store"),
            "addCookie", (response, seen) -> response.addCookie(new Cookie("session", "1")),
            "setStatus", (response, seen) -> response.setStatus(401),
            "sendError", (response, seen) -> response.sendError(401),
            "setContentType", (response, seen) -> response.setContentType("text/event-stream"),
            "setTrailerFields", (response, seen) -> response.setTrailerFields(() -> Map.of("X-Trailer", "1")));

    /** How a handler says it. */
    private enum Way {
        ITSELF {
            @Override
            PlainAndShared.Case of(PlainAndShared.Case saying) {
                return saying;
            }
        },
        FORWARDED {
            @Override
            PlainAndShared.Case of(PlainAndShared.Case saying) {
                return PlainAndShared.forwarded(Dispatching.OF_THE_REQUEST, saying);
            }
        },
        FORWARDED_BY_NAME {
            @Override
            PlainAndShared.Case of(PlainAndShared.Case saying) {
                return PlainAndShared.forwarded(Dispatching.BY_NAME, saying);
            }
        },
        ON_ANOTHER_THREAD {
            @Override
            PlainAndShared.Case of(PlainAndShared.Case saying) {
                return PlainAndShared.asynchronous(saying);
            }
        };

        abstract PlainAndShared.Case of(PlainAndShared.Case saying);
    }

    static Stream<Arguments> waysOnEveryServer() {
        return EveryResponseMethodTests.servers()
                .flatMap(make -> Stream.of(Way.values()).map(way -> Arguments.of(make, way)));
    }

    /** Filters that hold or hide one method, one and all that show what was said, and all. */
    private static Map<String, Predicate<String>> holdersOf(String said) {
        Map<String, Predicate<String>> holders = new TreeMap<>();
        holders.put(said, said::equals);
        methods().filter(method -> method.startsWith("get")).forEach(method -> holders.put(method, method::equals));
        holders.put(said + ", and nothing is shown", method -> method.equals(said) || isShowing(method));
        holders.put("everything", method -> true);
        return holders;
    }

    private static boolean isShowing(String method) {
        return method.startsWith("get") || method.equals("containsHeader");
    }

    @ParameterizedTest
    @MethodSource("waysOnEveryServer")
    void H15_aPrivateResponseIsForItsClientAlsoBehindAFilterThatHoldsWhatSaysSo(ServletServer.Make make, Way way)
            throws Exception {
        List<String> shared = new ArrayList<>();
        AtomicReference<Predicate<String>> held = new AtomicReference<>();
        try (PlainAndShared server =
                new PlainAndShared(make, holding(method -> held.get().test(method)))) {
            for (Map.Entry<String, PlainAndShared.Case> saying : PRIVATE.entrySet()) {
                String said = saying.getKey();
                PlainAndShared.Case all = way.of((response, seen) -> {
                    saying.getValue().run(response, seen);
                    if (!said.equals("sendError")) {
                        response.getWriter().write("mine");
                    }
                });
                for (Map.Entry<String, Predicate<String>> holder :
                        holdersOf(said).entrySet()) {
                    held.set(holder.getValue());
                    if (server.shared(all).handlers().size() == 1) {
                        shared.add(said + " behind a filter that holds " + holder.getKey());
                    }
                }
            }
        }
        assertThat(shared).isEmpty();
    }
}
