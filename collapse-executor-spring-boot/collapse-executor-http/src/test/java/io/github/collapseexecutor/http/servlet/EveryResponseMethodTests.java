package io.github.collapseexecutor.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.gate.OnEachLine;
import io.github.collapseexecutor.http.fixture.TestForm;
import io.github.collapseexecutor.http.servlet.zoo.ResponseFilters;
import jakarta.servlet.Filter;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every method of the response of the Servlet API that runs, called in every state of a response, on a plain response, by a lone request and by a
 * leader with followers: the bytes on the wire and all that a handler sees are the same. The walk finds by itself what a newer API adds.
 */
@OnEachLine
class EveryResponseMethodTests {

    private static final String TEXT = "Müller €\n";

    /** One of so many cases is tried in includes and forwards; each with profile {@code proofs}. */
    private static final int PART = TestForm.isLong() ? 1 : 3;

    /** What a handler has done before the call. */
    private static final Map<String, PlainAndShared.Case> BEFORE = new LinkedHashMap<>();

    static {
        BEFORE.put("nothing", (response, seen) -> {});
        BEFORE.put("headers", (response, seen) -> {
            response.setHeader("X-Own", "before");
            response.setContentType("text/plain;charset=UTF-8");
        });
        BEFORE.put("a writer", (response, seen) -> response.getWriter().write(TEXT));
        BEFORE.put("a writer in UTF-8", (response, seen) -> {
            response.setContentType("text/plain;charset=UTF-8");
            response.getWriter().write(TEXT);
        });
        BEFORE.put("a stream", (response, seen) -> response.getOutputStream().print("before\n"));
        BEFORE.put("a stream of a type", (response, seen) -> {
            response.setContentType("text/csv");
            response.getOutputStream().print("before\n");
        });
        BEFORE.put("a flush", (response, seen) -> {
            response.setHeader("X-Own", "before");
            response.getWriter().write(TEXT);
            response.flushBuffer();
        });
        BEFORE.put("a flush of the stream", (response, seen) -> {
            response.getOutputStream().print("before\n");
            response.getOutputStream().flush();
        });
        BEFORE.put("a reset writer in UTF-8", (response, seen) -> {
            response.setContentType("text/plain;charset=UTF-8");
            response.getWriter().write(TEXT);
            response.reset();
        });
        BEFORE.put("a reset buffer", (response, seen) -> {
            response.setContentType("text/plain;charset=UTF-8");
            response.getWriter().write(TEXT);
            response.resetBuffer();
        });
    }

    /** What a handler does after the call. */
    private static final Map<String, PlainAndShared.Case> AFTER = new LinkedHashMap<>();

    static {
        AFTER.put("nothing", (response, seen) -> {});
        AFTER.put("written", (response, seen) -> {
            try {
                response.getWriter().write("after " + TEXT);
            } catch (IllegalStateException e) {
                response.getOutputStream().print("after");
            }
        });
    }

    private static final Filter WRAPPING = (request, response, chain) ->
            chain.doFilter(request, new ResponseFilters.PassingOn((HttpServletResponse) response));

    /** What containers do against the API, where no client notices it, or in ways that no filter sees; the walk meets each. */
    private static final Map<ServletServer.Make, List<String>> OF_THE_CONTAINER = Map.of(
            ServletServer.Make.TOMCAT,
            List.of(),
            ServletServer.Make.JETTY, // refuses more than was declared
            List.of("after a stream( of a type)?, setContentLength(Long)?\\[7], then written, .*: a handler saw"),
            ServletServer.Make.UNDERTOW,
            List.of(
                    // does not tell that a body of the declared length commits the response
                    "after a stream( of a type)?, setContentLength(Long)?\\[7], then .*: a handler saw",
                    // shows changes of a committed head
                    "after a flush.*, (set|add)(Date|Int)?Header\\[X-Own, .*: a handler saw",
                    // adds a charset when it refuses a writer
                    "after a stream, setContentType\\[(text/html|application/json)], then written, .*: a .*",
                    "after a stream of a type, (getWriter|.*, then written, ).*: a .*"));

    /** One call by reflection: some methods are not there on each line. */
    record Call(Method method, List<Object> arguments) {

        void run(HttpServletResponse response, List<String> seen) throws IOException {
            try {
                Object result = method.invoke(response, arguments.toArray());
                seen.add("gave " + (isPlain(result) ? result : "an object"));
            } catch (InvocationTargetException e) {
                if (e.getCause() instanceof IOException loss) {
                    throw loss;
                }
                seen.add("threw " + e.getCause().getClass().getName());
            } catch (IllegalAccessException e) {
                throw new IllegalStateException(e);
            }
        }

        private static boolean isPlain(Object result) {
            return result == null
                    || result instanceof String
                    || result instanceof Number
                    || result instanceof Boolean
                    || result instanceof Iterable<?>
                    || result instanceof Locale;
        }

        @Override
        public String toString() {
            return method.getName() + arguments.stream().map(Call::shown).toList();
        }

        private static Object shown(Object argument) {
            return argument instanceof Supplier ? "a supplier" : argument instanceof Cookie ? "a cookie" : argument;
        }
    }

    /** The methods of the running API, with each combination of values. */
    static List<Call> calls() {
        List<Call> calls = new ArrayList<>();
        Arrays.stream(HttpServletResponse.class.getMethods())
                .filter(method -> !Modifier.isStatic(method.getModifiers()))
                .sorted(Comparator.comparing(Method::toGenericString))
                .forEach(method -> {
                    List<List<Object>> combined = List.of(List.of());
                    for (Class<?> type : method.getParameterTypes()) {
                        List<List<Object>> longer = new ArrayList<>();
                        for (List<Object> first : combined) {
                            for (Object value : values(method.getName(), type, first)) {
                                List<Object> more = new ArrayList<>(first);
                                more.add(value);
                                longer.add(more);
                            }
                        }
                        combined = longer;
                    }
                    combined.forEach(arguments -> calls.add(new Call(method, arguments)));
                });
        return calls;
    }

    private static List<Object> values(String method, Class<?> type, List<Object> first) {
        if (type == int.class || type == long.class) {
            Object small = type == int.class ? (Object) 7 : (Object) 7L;
            return switch (method) {
                case "setStatus" -> List.of(203, 404);
                case "sendError" -> List.of(404);
                case "sendRedirect" -> List.of(301, 303);
                case "setBufferSize" -> List.of(16 * 1024);
                case "setDateHeader", "addDateHeader" -> List.of(1_000_000L);
                default -> List.of(small);
            };
        }
        if (type == String.class) {
            boolean isValue = !first.isEmpty();
            return switch (method) {
                case "setContentType" -> List.of("text/html", "text/plain;charset=UTF-8", "application/json");
                case "setCharacterEncoding" -> List.of("UTF-8", "ISO-8859-15");
                case "sendRedirect", "encodeURL", "encodeRedirectURL" -> List.of("/elsewhere");
                case "sendError" -> List.of("a message");
                case "setHeader", "addHeader" -> isValue ? List.of("new") : List.of("X-Own", "X-Other");
                case "setIntHeader", "addIntHeader", "setDateHeader", "addDateHeader" -> List.of("X-Own");
                default -> List.of("X-Own", "Transfer-Encoding", "Content-Type");
            };
        }
        if (type == boolean.class) {
            return List.of(true, false);
        }
        if (type == Locale.class) {
            return List.of(Locale.GERMANY);
        }
        if (type == Charset.class) {
            return List.of(StandardCharsets.UTF_8, StandardCharsets.UTF_16LE);
        }
        if (type == Cookie.class) {
            return List.of(new Cookie("a", "b"));
        }
        if (type == Supplier.class) {
            Supplier<Map<String, String>> trailers = () -> Map.of("X-Trailer", "1");
            return List.of(trailers);
        }
        throw new IllegalArgumentException(
                "A new kind of parameter: give it values here, so that " + method + "(" + type + ") is called");
    }

    private static void look(HttpServletResponse response, List<String> seen) {
        seen.add("status " + response.getStatus());
        seen.add("type " + response.getContentType());
        seen.add("charset " + response.getCharacterEncoding());
        seen.add("locale " + response.getLocale());
        seen.add("committed " + response.isCommitted());
        seen.add("own header " + response.getHeader("X-Own"));
    }

    private static PlainAndShared.Case together(Stream<PlainAndShared.Case> steps) {
        List<PlainAndShared.Case> all = steps.toList();
        return (response, seen) -> {
            for (PlainAndShared.Case step : all) {
                step.run(response, seen);
            }
        };
    }

    static Stream<ServletServer.Make> servers() {
        return Arrays.stream(ServletServer.Make.values()).filter(ServersOfThisLine::include);
    }

    @ParameterizedTest
    @MethodSource("servers")
    void H41_everyMethodDoesTheSameOnACollapsedResponse(ServletServer.Make make) throws Exception {
        List<String> differences = new ArrayList<>();
        int cases = 0;
        try (PlainAndShared server = new PlainAndShared(make)) {
            for (Call call : calls()) {
                for (Map.Entry<String, PlainAndShared.Case> before : BEFORE.entrySet()) {
                    for (Map.Entry<String, PlainAndShared.Case> after : AFTER.entrySet()) {
                        cases++;
                        PlainAndShared.Case all = together(Stream.of(
                                before.getValue(),
                                call::run,
                                EveryResponseMethodTests::look,
                                after.getValue(),
                                EveryResponseMethodTests::look));
                        String name = "after " + before.getKey() + ", " + call + ", then " + after.getKey();
                        PlainAndShared.Outcome plain = server.plain(all);
                        compare(name + ", alone", plain, server.alone(all), differences);
                        compare(name + ", shared", plain, server.shared(all), differences);
                    }
                }
            }
        }
        assertThat(cases).isGreaterThan(700);
        for (String known : OF_THE_CONTAINER.get(make)) {
            Pattern pattern = Pattern.compile("(?s)" + known + ".*");
            assertThat(differences.removeIf(pattern.asMatchPredicate()))
                    .as(known)
                    .isTrue();
        }
        assertThat(differences).as("%s cases", cases).isEmpty();
    }

    static Stream<Arguments> serversWithAndWithoutAFilterThatWraps() {
        return servers().flatMap(make -> Stream.of(Arguments.of(make, false), Arguments.of(make, true)));
    }

    /** Containers ignore most of it there, each in its own way and not each at its own place. */
    @ParameterizedTest
    @MethodSource("serversWithAndWithoutAFilterThatWraps")
    void H41_everyMethodDoesTheSameInAnInclude(ServletServer.Make make, boolean wraps) throws Exception {
        List<String> differences = differences(
                make, wraps, (call, by) -> Stream.of(PlainAndShared.included(by, seen(call)), AFTER.get("written")));
        // Undertow ignores a flush in an include, also one from before that reaches it there
        boolean ignored = make == ServletServer.Make.UNDERTOW;
        assertThat(differences.removeIf(difference -> ignored && difference.startsWith("after a flush")))
                .isEqualTo(ignored);
        assertThat(differences).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("serversWithAndWithoutAFilterThatWraps")
    void aFlushOfTheBodyDoesTheSameInAnInclude(ServletServer.Make make, boolean wraps) throws Exception {
        List<String> differences = new ArrayList<>();
        List<PlainAndShared.Case> flushes = List.of(
                (response, seen) -> response.getWriter().flush(),
                (response, seen) -> response.getOutputStream().flush());
        try (PlainAndShared server = wraps ? new PlainAndShared(make, WRAPPING) : new PlainAndShared(make)) {
            for (PlainAndShared.Case flush : flushes) {
                for (Dispatching by : Dispatching.values()) {
                    PlainAndShared.Case all = together(Stream.of(
                            PlainAndShared.included(by, flush),
                            (response, seen) -> response.setHeader("X-Own", "1"),
                            EveryResponseMethodTests::look));
                    String name = "flush " + flushes.indexOf(flush) + ", " + by;
                    PlainAndShared.Outcome plain = server.plain(all);
                    compare(name + ", alone", plain, server.alone(all), differences);
                    compare(name + ", shared", plain, server.shared(all), differences);
                }
            }
        }
        assertThat(differences).isEmpty();
    }

    /** Undertow takes changes of the head until the end; others say that it is committed. */
    @ParameterizedTest
    @MethodSource("servers")
    void aHeadMayChangeBehindABodyOfTheDeclaredLengthAsTheContainerSays(ServletServer.Make make) throws Exception {
        List<String> differences = new ArrayList<>();
        PlainAndShared.Case all = (response, seen) -> {
            response.setContentLength(7);
            response.getOutputStream().print("before\n");
            response.setHeader("X-Own", "behind");
            response.setContentType("text/plain;charset=UTF-8");
            response.setStatus(203);
            look(response, seen);
        };
        try (PlainAndShared server = new PlainAndShared(make)) {
            PlainAndShared.Outcome plain = server.plain(all);
            compare("alone", plain, server.alone(all), differences);
            compare("shared", plain, server.shared(all), differences);
        }
        assertThat(differences).isEmpty();
    }

    /** At its end, containers close what was opened, and some open what was not. */
    @ParameterizedTest
    @MethodSource("serversWithAndWithoutAFilterThatWraps")
    void H41_everyMethodDoesTheSameInAForward(ServletServer.Make make, boolean wraps) throws Exception {
        List<String> differences =
                differences(make, wraps, (call, by) -> Stream.of(PlainAndShared.forwarded(by, seen(call))));
        differences.addAll(differences(
                make,
                wraps,
                (call, by) -> Stream.of(
                        PlainAndShared.forwarded(by, together(Stream.of(seen(call), AFTER.get("written")))))));
        // Jetty and Undertow treat a body of another length than declared in their own way, if no filter wraps
        boolean treated = make != ServletServer.Make.TOMCAT && !wraps;
        assertThat(differences.removeIf(difference -> treated && difference.contains(", setContentLength")))
                .isEqualTo(treated);
        assertThat(differences).isEmpty();
    }

    /** At a forward, Jetty clears what the filters of the leader have written, and not those of followers. */
    static Stream<Arguments> serversThatClearNothingInFront() {
        return serversWithAndWithoutAFilterThatWraps().filter(row -> row.get()[0] != ServletServer.Make.JETTY);
    }

    /** The container ends what a filter in front has opened. */
    @ParameterizedTest
    @MethodSource("serversThatClearNothingInFront")
    void aForwardOfNothingBehindAFilterThatHasWrittenEndsItsBody(ServletServer.Make make, boolean asWriter)
            throws Exception {
        PlainAndShared.Case nothing = PlainAndShared.forwarded(
                Dispatching.OF_THE_REQUEST, (response, seen) -> response.setHeader("X-Own", "1"));
        Filter writing = (request, response, chain) -> {
            if (asWriter) {
                response.getWriter().print("front");
            } else {
                response.getOutputStream().print("front");
            }
            chain.doFilter(request, response);
        };
        try (PlainAndShared server = new PlainAndShared(make, writing)) {
            String plain = server.plain(nothing).clients().get(0);
            assertThat(server.alone(nothing).clients()).containsOnly(plain);
            assertThat(server.shared(nothing).clients()).containsOnly(plain);
        }
    }

    private static PlainAndShared.Case seen(Call call) {
        return together(Stream.of(call::run, EveryResponseMethodTests::look));
    }

    /**
     * What differs behind the beginnings, in the ordinary build behind a third of them for each call, but for how Undertow tells the end of a
     * forward and separates a charset.
     */
    private static List<String> differences(
            ServletServer.Make make, boolean wraps, BiFunction<Call, Dispatching, Stream<PlainAndShared.Case>> rest)
            throws Exception {
        List<String> differences = new ArrayList<>();
        int cases = 0;
        try (PlainAndShared server = wraps ? new PlainAndShared(make, WRAPPING) : new PlainAndShared(make)) {
            for (Call call : calls()) {
                for (Map.Entry<String, PlainAndShared.Case> before : BEFORE.entrySet()) {
                    cases++;
                    if (cases % (BEFORE.size() + 1) % PART != 0) { // others for the next call
                        continue;
                    }
                    for (Dispatching by : dispatchings(cases)) {
                        PlainAndShared.Case all =
                                together(Stream.concat(Stream.of(before.getValue()), rest.apply(call, by)));
                        String name = "after " + before.getKey() + ", " + call + ", " + by;
                        PlainAndShared.Outcome plain = server.plain(all);
                        compare(name + ", alone", plain, server.alone(all), differences);
                        compare(name + ", shared", plain, server.shared(all), differences);
                    }
                }
            }
        }
        if (make == ServletServer.Make.UNDERTOW) {
            differences.removeIf(EveryResponseMethodTests::isOfFraming);
        }
        assertThat(cases).isGreaterThan(350);
        return differences;
    }

    /** All in the long form, and one in turn in the ordinary build. */
    private static List<Dispatching> dispatchings(int turn) {
        List<Dispatching> all = List.of(Dispatching.values());
        int next = turn / PART % all.size();
        return TestForm.isLong() ? all : all.subList(next, next + 1);
    }

    private static boolean isOfFraming(String difference) {
        String[] both = difference
                .replaceAll("content-length=\\[\\d+](, )?", "")
                .replaceAll(", (?=})", "")
                .replaceAll("; ?charset=ISO-8859-1", "")
                .replace("; ", ";")
                .split(": a client got\n    |\n  and not\n    ", -1);
        return both.length == 3 && both[1].equals(both[2]);
    }

    /** Jetty's own error page tells it. */
    private static String withoutAddress(String client) {
        return client.replaceAll("localhost/\\d+", "localhost/");
    }

    static void compare(
            String name, PlainAndShared.Outcome plain, PlainAndShared.Outcome other, List<String> differences) {
        String expected = withoutAddress(plain.clients().get(0));
        for (String client : other.clients()) {
            if (!withoutAddress(client).equals(expected)) {
                differences.add(name + ": a client got\n    " + client + "\n  and not\n    " + expected);
                break;
            }
        }
        for (List<String> seen : other.handlers()) {
            if (!seen.equals(plain.handlers().get(0))) {
                differences.add(name + ": a handler saw\n    " + seen + "\n  and not\n    "
                        + plain.handlers().get(0));
                break;
            }
        }
    }

    /** Closing, printing, and writing after the end go through the writer itself. */
    @ParameterizedTest
    @MethodSource("servers")
    void aWriterIsOneOfTheContainersKind(ServletServer.Make make) throws Exception {
        PlainAndShared.Case all = (response, seen) -> {
            response.setContentType("text/plain;charset=UTF-8");
            PrintWriter writer = response.getWriter();
            writer.printf("%s", TEXT);
            writer.append('ü').print(1L);
            writer.close();
            writer.write("late");
            if (make == ServletServer.Make.TOMCAT) { // others tell an error
                seen.add("error " + writer.checkError());
            }
        };
        List<String> differences = new ArrayList<>();
        try (PlainAndShared server = new PlainAndShared(make)) {
            PlainAndShared.Outcome plain = server.plain(all);
            compare("alone", plain, server.alone(all), differences);
            compare("shared", plain, server.shared(all), differences);
        }
        assertThat(differences).isEmpty();
    }

    /** What may stand between a handler and the writer of a container. */
    private enum Front {
        NOTHING,
        /** Passes every call on. */
        WRAPPER,
        /** Has a writer of its own, as one that counts. */
        OTHER_WRITER;

        private Filter filter() {
            return (request, response, chain) -> {
                HttpServletResponse own = (HttpServletResponse) response;
                chain.doFilter(
                        request,
                        switch (this) {
                            case NOTHING -> own;
                            case WRAPPER -> new HttpServletResponseWrapper(own);
                            case OTHER_WRITER -> new OtherWriter(own);
                        });
            };
        }
    }

    private static final class OtherWriter extends HttpServletResponseWrapper {

        OtherWriter(HttpServletResponse response) {
            super(response);
        }

        @Override
        public PrintWriter getWriter() throws IOException {
            return new PrintWriter(super.getWriter());
        }
    }

    static Stream<Arguments> serversWithEachFront() {
        return servers().flatMap(make -> Arrays.stream(Front.values()).map(front -> Arguments.of(make, front)));
    }

    /** Undertow's writer ends lines as HTTP does, and Jetty's formats in the locale of the response. */
    @ParameterizedTest
    @MethodSource("serversWithEachFront")
    void H41_linesEndAndNumbersAreFormattedAsByTheWriterThatIsThere(ServletServer.Make make, Front front)
            throws Exception {
        Map<String, PlainAndShared.Case> cases = new LinkedHashMap<>();
        cases.put("lines", (response, seen) -> {
            response.setContentType("text/plain;charset=UTF-8");
            PrintWriter writer = response.getWriter();
            writer.print("ü");
            writer.println(TEXT);
            writer.println();
            writer.println(1L);
            writer.println(new char[] {'a', 'b'});
            writer.println((Object) null);
            writer.close();
            writer.println("late");
        });
        for (Locale locale : List.of(Locale.GERMANY, Locale.US)) {
            cases.put("numbers in " + locale, (response, seen) -> {
                response.setLocale(locale);
                response.setContentType("text/plain;charset=UTF-8");
                PrintWriter writer = response.getWriter();
                writer.printf("ü %,.2f|", 1234.5).format("%,d%n", 1234);
                writer.printf(Locale.FRANCE, "%,.2f|", 1234.5).format(Locale.ITALY, "%,d", 1234);
            });
        }
        List<String> differences = new ArrayList<>();
        try (PlainAndShared server = new PlainAndShared(make, front.filter())) {
            for (Map.Entry<String, PlainAndShared.Case> each : cases.entrySet()) {
                PlainAndShared.Outcome plain = server.plain(each.getValue());
                compare(each.getKey() + ", alone", plain, server.alone(each.getValue()), differences);
                PlainAndShared.Outcome shared = server.shared(each.getValue());
                compare(each.getKey() + ", shared", plain, shared, differences);
                if (front != Front.OTHER_WRITER) {
                    assertThat(shared.handlers()).as(each.getKey()).hasSize(1);
                }
            }
        }
        assertThat(differences).isEmpty();
    }
}
