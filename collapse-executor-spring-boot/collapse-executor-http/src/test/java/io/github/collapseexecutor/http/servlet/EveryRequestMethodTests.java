package io.github.collapseexecutor.http.servlet;

import static io.github.collapseexecutor.http.fixture.Callers.IN_FLIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.gate.OnEachLine;
import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.TestClient.Request;
import jakarta.servlet.Filter;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.lang.reflect.Method;
import java.net.URI;
import java.security.Principal;
import java.util.Arrays;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A filter in front may wrap a request and replace the answer of a single method, by something that nothing else of the request shows. Two requests
 * share a handler only if that method gives the same for both. Every method of the Servlet API that runs is tried, or is left out for a reason.
 */
@OnEachLine
class EveryRequestMethodTests {

    /** A browser's header, at which no policy looks. */
    private static final String TENANT = "Sec-Tenant";

    /** The methods that are not tried, each behind a reason. */
    private static final Map<String, Set<String>> LEFT_OUT = Map.of(
            "the guide names them: a policy counts the address of a client if it says so",
            Set.of("getRemoteAddr", "getRemoteHost", "getRemotePort"),
            "the guide names them: what is left in attributes",
            Set.of("getAttribute", "getAttributeNames", "setAttribute", "removeAttribute"),
            "a session shows a user",
            Set.of(
                    "getSession",
                    "changeSessionId",
                    "getRequestedSessionId",
                    "isRequestedSessionIdValid",
                    "isRequestedSessionIdFromCookie",
                    "isRequestedSessionIdFromURL"),
            "a request with a body, or that changes something, does not collapse",
            Set.of(
                    "getContentLength",
                    "getContentLengthLong",
                    "getInputStream",
                    "getReader",
                    "getParts",
                    "getPart",
                    "getMethod",
                    "getTrailerFields",
                    "isTrailerFieldsReady"),
            "a role is one of a user",
            Set.of("isUserInRole", "authenticate", "login", "logout"),
            "the container makes them, of what is tried, or dispatches by them",
            Set.of(
                    "getPathTranslated",
                    "getContextPath",
                    "getHttpServletMapping",
                    "getLocalName",
                    "getServletContext",
                    "getDispatcherType"),
            "headers are asked for by getHeader and getHeaders",
            Set.of("getDateHeader", "getIntHeader", "getHeaderNames"),
            "they answer nothing about a request, or another thing for each",
            Set.of(
                    "setCharacterEncoding",
                    "getRequestDispatcher",
                    "getRequestId",
                    "getProtocolRequestId",
                    "getServletConnection",
                    "newPushBuilder",
                    "upgrade",
                    "startAsync",
                    "isAsyncStarted",
                    "isAsyncSupported",
                    "getAsyncContext"));

    /** A request of which one method tells the tenant. */
    private static final class OfTenant extends HttpServletRequestWrapper {

        // immutable
        private final String method;
        private final String tenant;

        OfTenant(HttpServletRequest request, String method, String tenant) {
            super(request);
            this.method = method;
            this.tenant = tenant;
        }

        private boolean is(String of) {
            return method.equals(of);
        }

        private String text(String of, @Nullable String own) {
            return is(of) ? own + tenant : String.valueOf(own);
        }

        @Override
        public String getAuthType() {
            return text("getAuthType", super.getAuthType());
        }

        @Override
        public Cookie @Nullable [] getCookies() {
            return is("getCookies") ? new Cookie[] {new Cookie("tenant", tenant)} : super.getCookies();
        }

        @Override
        public @Nullable String getHeader(String name) {
            return is("getHeader") && name.equals("tenant") ? tenant : super.getHeader(name);
        }

        @Override
        public Enumeration<String> getHeaders(String name) {
            return is("getHeaders") && name.equals("tenant")
                    ? Collections.enumeration(List.of(tenant))
                    : super.getHeaders(name);
        }

        @Override
        public String getPathInfo() {
            return text("getPathInfo", super.getPathInfo());
        }

        @Override
        public @Nullable String getQueryString() {
            return is("getQueryString") ? "tenant=" + tenant : super.getQueryString();
        }

        @Override
        public @Nullable String getRemoteUser() {
            return is("getRemoteUser") ? tenant : super.getRemoteUser();
        }

        @Override
        public @Nullable Principal getUserPrincipal() {
            return is("getUserPrincipal") ? () -> tenant : super.getUserPrincipal();
        }

        @Override
        public String getRequestURI() {
            return text("getRequestURI", super.getRequestURI());
        }

        @Override
        public StringBuffer getRequestURL() {
            return new StringBuffer(text("getRequestURL", super.getRequestURL().toString()));
        }

        @Override
        public String getServletPath() {
            return is("getServletPath") ? "/" + tenant : super.getServletPath();
        }

        @Override
        public @Nullable String getCharacterEncoding() {
            return is("getCharacterEncoding") ? "ISO-8859-" + tenant : super.getCharacterEncoding();
        }

        @Override
        public @Nullable String getContentType() {
            return is("getContentType") ? "text/x-" + tenant : super.getContentType();
        }

        @Override
        public @Nullable String getParameter(String name) {
            return is("getParameter") && name.equals("tenant") ? tenant : super.getParameter(name);
        }

        @Override
        public Enumeration<String> getParameterNames() {
            return is("getParameterNames")
                    ? Collections.enumeration(List.of("tenant" + tenant))
                    : super.getParameterNames();
        }

        @Override
        public String @Nullable [] getParameterValues(String name) {
            return is("getParameterValues") && name.equals("tenant")
                    ? new String[] {tenant}
                    : super.getParameterValues(name);
        }

        @Override
        public Map<String, String[]> getParameterMap() {
            Map<String, String[]> all = new HashMap<>(super.getParameterMap());
            if (is("getParameterMap")) {
                all.put("tenant", new String[] {tenant});
            }
            return all;
        }

        @Override
        public String getProtocol() {
            return text("getProtocol", super.getProtocol());
        }

        @Override
        public String getScheme() {
            return is("getScheme") ? "http" + tenant : super.getScheme();
        }

        @Override
        public String getServerName() {
            return text("getServerName", super.getServerName());
        }

        @Override
        public int getServerPort() {
            return is("getServerPort") ? 8080 + Integer.parseInt(tenant) : super.getServerPort();
        }

        @Override
        public Locale getLocale() {
            return is("getLocale") ? locale() : super.getLocale();
        }

        @Override
        public Enumeration<Locale> getLocales() {
            return is("getLocales") ? Collections.enumeration(List.of(locale())) : super.getLocales();
        }

        private Locale locale() {
            return tenant.equals("1") ? Locale.FRANCE : Locale.GERMANY;
        }

        @Override
        public boolean isSecure() {
            return is("isSecure") ? tenant.equals("1") : super.isSecure();
        }

        @Override
        public String getLocalAddr() {
            return text("getLocalAddr", super.getLocalAddr());
        }

        @Override
        public int getLocalPort() {
            return is("getLocalPort") ? 8080 + Integer.parseInt(tenant) : super.getLocalPort();
        }
    }

    private static Stream<Method> methods() {
        Set<String> leftOut = LEFT_OUT.values().stream().flatMap(Set::stream).collect(Collectors.toSet());
        return Stream.of(HttpServletRequest.class.getMethods()).filter(method -> !leftOut.contains(method.getName()));
    }

    static Stream<Arguments> methodsOnEveryServer() {
        return Stream.of(ServletServer.Make.values())
                .flatMap(make -> methods().map(Method::getName).sorted().map(method -> Arguments.of(make, method)));
    }

    @Test
    void everyMethodIsReplacedOrLeftOut() {
        Set<String> replaced = new TreeSet<>();
        for (Method method : OfTenant.class.getDeclaredMethods()) {
            replaced.add(method.getName());
        }
        assertThat(methods().map(Method::getName)).isSubsetOf(replaced);
    }

    /** What a method answers, as text. */
    private static String answer(HttpServletRequest request, String name) {
        Method method = methods()
                .filter(each -> each.getName().equals(name))
                .findFirst()
                .orElseThrow();
        try {
            Object answer = method.getParameterCount() == 0 ? method.invoke(request) : method.invoke(request, "tenant");
            return text(answer);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String text(@Nullable Object answer) {
        if (answer instanceof Enumeration<?> several) {
            return Collections.list(several).toString();
        } else if (answer instanceof Cookie[] cookies) {
            return Stream.of(cookies).map(Cookie::getValue).toList().toString();
        } else if (answer instanceof Object[] several) {
            return Arrays.toString(several);
        } else if (answer instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .map(entry -> entry.getKey() + text(entry.getValue()))
                    .toList()
                    .toString();
        } else if (answer instanceof Principal user) {
            return user.getName();
        }
        return String.valueOf(answer);
    }

    private static Filter replacing(String method) {
        return (request, response, chain) -> {
            HttpServletRequest http = (HttpServletRequest) request;
            chain.doFilter(new OfTenant(http, method, http.getHeader(TENANT)), response);
        };
    }

    @ParameterizedTest
    @MethodSource("methodsOnEveryServer")
    void H04_H13_requestsOfWhichAWrapperSaysOneThingOtherwiseShareNoRun(ServletServer.Make make, String method)
            throws Exception {
        HttpCollapseOptions http = HttpCollapseOptions.builder()
                .rules(List.of(CollapseRule.of(CollapsePolicy.strict(), "/**")))
                .build();
        try (HeldRounds server = HeldRounds.on(
                make, http, IN_FLIGHT, List.of(replacing(method)), (request, response) -> answer(request, method))) {
            List<Request> requests = Stream.of("1", "2")
                    .map(tenant -> Request.get(URI.create("http://localhost/a")).with(TENANT, tenant))
                    .toList();
            assertThat(server.roundsOfTwoEach(requests, 1).get(0)).as("runs").isGreaterThanOrEqualTo(2);
        }
    }

    /** Spring MVC finds a handler by the path that a wrapper says, and no container does. */
    @ParameterizedTest
    @MethodSource("servers")
    void H13_aGroupIsForThePathThatAWrapperSaysToo(ServletServer.Make make) throws Exception {
        HttpCollapseOptions http = HttpCollapseOptions.builder()
                .rules(List.of(CollapseRule.of(CollapsePolicy.strict(), "/a")))
                .build();
        try (HeldRounds server = HeldRounds.on(
                make,
                http,
                IN_FLIGHT,
                List.of(replacing("getRequestURI")),
                (request, response) -> request.getRequestURI())) {
            Request request = Request.get(URI.create("http://localhost/a")).with(TENANT, "1");
            assertThat(server.round(List.of(request, request), List.of("200 /a1", "200 /a1")))
                    .as("runs: /a1 is in no group")
                    .isEqualTo(2);
        }
    }

    static Stream<Arguments> servers() {
        return Stream.of(ServletServer.Make.values()).map(Arguments::of);
    }
}
