package io.github.collapseexecutor.http.servlet;

import static io.github.collapseexecutor.http.fixture.Callers.IN_FLIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.TestClient.Request;
import io.github.collapseexecutor.http.fixture.TestForm;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.web.filter.ForwardedHeaderFilter;

/**
 * Two requests share a handler only if it sees the same of both, whatever filters and proxies have done to them. In each set-up
 * a handler shows what it sees; all requests of a round are present at the same time, and each is to be answered as if it
 * were alone.
 */
class ServerKeyTests {

    private static final CollapsePolicy STRICT = CollapsePolicy.strict();
    private static final CollapsePolicy PATH_ONLY = CollapsePolicy.pathOnly();
    private static final CollapsePolicy BY_ADDRESS =
            CollapsePolicy.named("by-address").clientAddress(true).build();

    /**
     * What is done to requests that one handler run must not answer together, although their addresses are alike.
     *
     * @param shares whether equal requests share a run; else each runs the handler
     * @param shown what the handler shows
     * @param requests requests that are to be answered differently
     */
    private record SetUp(
            String name,
            CollapsePolicy policy,
            boolean shares,
            Function<HttpServletRequest, String> shown,
            List<Filter> filters,
            List<Request> requests) {

        @Override
        public String toString() {
            return name;
        }
    }

    private static List<SetUp> setUps() {
        return List.of(
                new SetUp(
                        "prefix of a proxy",
                        PATH_ONLY,
                        true,
                        request -> "page of " + dispatchedPath(request),
                        List.of(forwardedHeaders()),
                        List.of(get("/internal/report"), get("/report").with("X-Forwarded-Prefix", "/internal"))),
                new SetUp(
                        "host and scheme of a proxy",
                        PATH_ONLY,
                        true,
                        request -> "link to " + request.getRequestURL(),
                        List.of(forwardedHeaders()),
                        List.of(
                                get("/a"),
                                get("/a").with("X-Forwarded-Host", "evil.example"),
                                get("/a").with("X-Forwarded-Proto", "https"),
                                get("/a").with("X-Forwarded-Port", "8443"),
                                get("/a").with("Forwarded", "host=other.example"))),
                new SetUp(
                        "host and scheme read by the handler",
                        STRICT,
                        true,
                        headers("X-Forwarded-Host", "X-Forwarded-Proto"),
                        List.of(),
                        List.of(
                                get("/a"),
                                get("/a").with("X-Forwarded-Host", "evil.example"),
                                get("/a").with("X-Forwarded-Proto", "https"))),
                new SetUp(
                        "users of a proxy",
                        PATH_ONLY,
                        false,
                        headers("X-Forwarded-User", "X-Forwarded-Access-Token"),
                        List.of(),
                        List.of(
                                get("/a").with("X-Forwarded-User", "ann"),
                                get("/a").with("X-Forwarded-User", "bob"),
                                get("/a").with("X-Forwarded-Access-Token", "secret"))),
                new SetUp(
                        "certificates of a proxy",
                        PATH_ONLY,
                        false,
                        headers("X-Forwarded-Client-Cert", "X-Forwarded-Tls-Client-Cert-Info"),
                        List.of(),
                        List.of(
                                get("/a").with("X-Forwarded-Client-Cert", "ann"),
                                get("/a").with("X-Forwarded-Client-Cert", "bob"),
                                get("/a").with("X-Forwarded-Tls-Client-Cert-Info", "carl"))),
                new SetUp(
                        "tenant in the baggage",
                        STRICT,
                        true,
                        headers("baggage"),
                        List.of(),
                        List.of(get("/a").with("baggage", "tenant=1"), get("/a").with("baggage", "tenant=2"))),
                new SetUp(
                        "connection that lists a key",
                        STRICT,
                        false,
                        headers("X-Api-Key", "X-Tenant"),
                        List.of(),
                        List.of(
                                get("/a").with("Connection", "close, X-Api-Key").with("X-Api-Key", "1"),
                                get("/a").with("Connection", "close, X-Api-Key").with("X-Api-Key", "2"),
                                get("/a").with("Connection", "X-Tenant, close").with("X-Tenant", "3"),
                                get("/a").with("Connection", "X-Tenant, close").with("X-Tenant", "4"))),
                new SetUp(
                        "rewritten paths",
                        PATH_ONLY,
                        true,
                        request -> "tenant " + request.getAttribute("tenant") + " at " + request.getServletPath(),
                        List.of(wrapping((request, tenant) -> new HttpServletRequestWrapper(request) {
                            @Override
                            public String getRequestURI() {
                                return "/report";
                            }

                            @Override
                            public StringBuffer getRequestURL() {
                                return new StringBuffer("http://localhost/report");
                            }

                            @Override
                            public String getServletPath() {
                                return "/report";
                            }
                        })),
                        List.of(get("/t/1/report"), get("/t/2/report"))),
                new SetUp(
                        "user of a wrapper",
                        PATH_ONLY,
                        false,
                        request -> "user " + request.getRemoteUser(),
                        List.of(wrapping((request, tenant) -> new HttpServletRequestWrapper(request) {
                            @Override
                            public @Nullable String getRemoteUser() {
                                return tenant;
                            }
                        })),
                        byTenant()),
                new SetUp(
                        "key that a wrapper does not list",
                        PATH_ONLY,
                        false,
                        headers("X-Api-Key"),
                        List.of(wrapping((request, tenant) -> new HttpServletRequestWrapper(request) {
                            @Override
                            public @Nullable String getHeader(String name) {
                                return name.equalsIgnoreCase("X-Api-Key") ? tenant : super.getHeader(name);
                            }
                        })),
                        byTenant()),
                new SetUp(
                        "header of a wrapper",
                        STRICT,
                        true,
                        headers("X-Tenant-Of-Host"),
                        List.of(wrapping((request, tenant) -> new HttpServletRequestWrapper(request) {
                            @Override
                            public Enumeration<String> getHeaderNames() {
                                List<String> names = Collections.list(super.getHeaderNames());
                                names.add("X-Tenant-Of-Host");
                                return Collections.enumeration(names);
                            }

                            @Override
                            public @Nullable String getHeader(String name) {
                                return name.equals("X-Tenant-Of-Host") ? tenant : super.getHeader(name);
                            }
                        })),
                        byTenant()),
                new SetUp(
                        "parameters of a wrapper",
                        PATH_ONLY,
                        true,
                        request -> "tenant " + request.getParameter("tenant"),
                        List.of(wrapping((request, tenant) -> new HttpServletRequestWrapper(request) {
                            @Override
                            public String getParameter(String name) {
                                return name.equals("tenant") ? tenant : super.getParameter(name);
                            }

                            @Override
                            public Map<String, String[]> getParameterMap() {
                                Map<String, String[]> parameters = new HashMap<>(super.getParameterMap());
                                parameters.put("tenant", new String[] {tenant});
                                return parameters;
                            }
                        })),
                        byTenant()),
                new SetUp(
                        "values of a wrapper that look alike as one text",
                        PATH_ONLY,
                        true,
                        request -> request.getParameterValues("ids").length + " ids",
                        List.of(wrapping((request, tenant) -> new HttpServletRequestWrapper(request) {
                            @Override
                            public String[] getParameterValues(String name) {
                                return tenant.equals("1") ? new String[] {"3, 4"} : new String[] {"3", "4"};
                            }

                            @Override
                            public String getParameter(String name) {
                                return "3";
                            }

                            @Override
                            public Map<String, String[]> getParameterMap() {
                                return Map.of("ids", getParameterValues("ids"));
                            }
                        })),
                        byTenant()),
                new SetUp(
                        "host of a wrapper",
                        PATH_ONLY,
                        true,
                        request -> "host " + request.getServerName(),
                        List.of(wrapping((request, tenant) -> new HttpServletRequestWrapper(request) {
                            @Override
                            public String getServerName() {
                                return tenant + ".example";
                            }
                        })),
                        byTenant()),
                new SetUp(
                        "connectors of one server",
                        PATH_ONLY,
                        true,
                        request -> "at port " + request.getLocalPort(),
                        List.of(wrapping((request, tenant) -> new HttpServletRequestWrapper(request) {
                            @Override
                            public int getLocalPort() {
                                return 8080 + Integer.parseInt(tenant);
                            }
                        })),
                        byTenant()),
                new SetUp(
                        "locale of a wrapper",
                        PATH_ONLY,
                        true,
                        request -> "in " + request.getLocale(),
                        List.of(wrapping((request, tenant) -> new HttpServletRequestWrapper(request) {
                            @Override
                            public Locale getLocale() {
                                return tenant.equals("1") ? Locale.FRANCE : Locale.GERMANY;
                            }
                        })),
                        byTenant()),
                new SetUp(
                        "body of unknown length over HTTP/2",
                        PATH_ONLY,
                        false,
                        request -> "query " + request.getAttribute("tenant"),
                        List.of(wrapping((request, tenant) -> new HttpServletRequestWrapper(request) {
                            @Override
                            public String getProtocol() {
                                return "HTTP/2.0";
                            }
                        })),
                        List.of(
                                get("/a")
                                        .with("Content-Type", "application/json")
                                        .with("Sec-Tenant", "1"),
                                get("/a").with("Content-Encoding", "gzip").with("Sec-Tenant", "2"))),
                new SetUp(
                        "client addresses",
                        BY_ADDRESS,
                        true,
                        request -> "from " + request.getRemoteAddr(),
                        List.of(wrapping((request, tenant) -> new HttpServletRequestWrapper(request) {
                            @Override
                            public String getRemoteAddr() {
                                return "10.0.0." + tenant;
                            }
                        })),
                        byTenant()));
    }

    /** A servlet that is mapped to everything has the path as path info. */
    private static String dispatchedPath(HttpServletRequest request) {
        return request.getServletPath() + Objects.toString(request.getPathInfo(), "");
    }

    private static Filter forwardedHeaders() {
        ForwardedHeaderFilter filter = new ForwardedHeaderFilter();
        filter.setRemoveOnly(false);
        return filter;
    }

    /** Wraps each request, knowing its tenant, which the browser's headers tell so that no policy looks at it. */
    private static Filter wrapping(BiFunction<HttpServletRequest, String, HttpServletRequest> wrapper) {
        return (request, response, chain) -> {
            HttpServletRequest http = (HttpServletRequest) request;
            String named = http.getHeader("Sec-Tenant");
            String tenant = named == null ? http.getRequestURI().replaceAll("\\D", "") : named;
            request.setAttribute("tenant", tenant);
            chain.doFilter(wrapper.apply(http, tenant), response);
        };
    }

    private static List<Request> byTenant() {
        return List.of(get("/a").with("Sec-Tenant", "1"), get("/a").with("Sec-Tenant", "2"));
    }

    private static Function<HttpServletRequest, String> headers(String... names) {
        return request -> {
            List<String> seen = new ArrayList<>();
            for (String name : names) {
                seen.add(name + "=" + request.getHeader(name));
            }
            return String.join(" ", seen);
        };
    }

    private static Request get(String path) {
        return Request.get(URI.create("http://localhost" + path));
    }

    static Stream<Arguments> setUpsOnEveryServer() {
        return Stream.of(ServletServer.Make.values())
                .flatMap(make -> setUps().stream().map(setUp -> Arguments.of(make, setUp)));
    }

    @ParameterizedTest
    @MethodSource("setUpsOnEveryServer")
    void H04_H05_H13_requestsThatAHandlerSeesDifferentlyShareNoRun(ServletServer.Make make, SetUp setUp)
            throws Exception {
        HttpCollapseOptions http = HttpCollapseOptions.builder()
                .rules(List.of(CollapseRule.of(setUp.policy(), "/**")))
                .build();
        try (HeldRounds server = HeldRounds.on(
                make,
                http,
                IN_FLIGHT,
                setUp.filters(),
                (request, response) -> setUp.shown().apply(request))) {
            int kinds = setUp.requests().size();
            assertThat(server.roundsOfTwoEach(setUp.requests(), TestForm.ROUNDS))
                    .containsOnly(setUp.shares() ? kinds : 2 * kinds);
        }
    }

    static Stream<Arguments> servers() {
        return Stream.of(ServletServer.Make.values()).map(Arguments::of);
    }

    @ParameterizedTest
    @MethodSource("servers")
    void H13_aGroupIsForThePathOnTheWireAndTheDispatchedOne(ServletServer.Make make) throws Exception {
        HttpCollapseOptions http = HttpCollapseOptions.builder()
                .rules(List.of(CollapseRule.of(PATH_ONLY, "/internal/**")))
                .build();
        try (HeldRounds server = HeldRounds.on(
                make, http, IN_FLIGHT, List.of(forwardedHeaders()), (request, response) -> dispatchedPath(request))) {
            Request insider = get("/internal/report");
            Request outsider = get("/report").with("X-Forwarded-Prefix", "/internal");
            assertThat(server.round(List.of(insider, insider), List.of("200 /internal/report", "200 /internal/report")))
                    .isEqualTo(1);
            assertThat(server.round(List.of(outsider, outsider), List.of("200 /report", "200 /report")))
                    .as("the path that is dispatched by is in no group")
                    .isEqualTo(2);
        }
    }

    /** What comes too late for a client comes in time for one whose response a filter in front holds back. */
    @ParameterizedTest
    @MethodSource("servers")
    void H37_aResponseThatAFilterHoldsIsSharedWithNoneThatReachesItsClient(ServletServer.Make make) throws Exception {
        HttpCollapseOptions http = HttpCollapseOptions.builder()
                .rules(List.of(CollapseRule.of(PATH_ONLY, "/**")))
                .build();
        try (HeldRounds server =
                HeldRounds.on(make, http, IN_FLIGHT, List.of(holdingForTenants()), ServerKeyTests::saysSomethingLate)) {
            Request passed = get("/a");
            Request held = get("/a").with("Sec-Tenant", "1");
            assertThat(server.round(
                            List.of(passed, held, passed, held),
                            List.of("200 late", "203 late", "200 late", "203 late")))
                    .as("runs: one for both that are passed")
                    .isEqualTo(3);
            assertThat(server.round(
                            List.of(held, passed, passed, held),
                            List.of("203 late", "200 late", "200 late", "203 late")))
                    .isEqualTo(3);
        }
    }

    /** A filter may wrap the responses of some clients only, behind one that wraps those of all: the handler meets other responses there. */
    @ParameterizedTest
    @MethodSource("servers")
    void H37_responsesThatFiltersWrapInOtherWaysAreApart(ServletServer.Make make) throws Exception {
        HttpCollapseOptions http = HttpCollapseOptions.builder()
                .rules(List.of(CollapseRule.of(PATH_ONLY, "/**")))
                .build();
        Filter wrapsAll = (request, response, chain) ->
                chain.doFilter(request, new HttpServletResponseWrapper((HttpServletResponse) response));
        Filter wrapsSome = (request, response, chain) -> chain.doFilter(
                request,
                ((HttpServletRequest) request).getHeader("Sec-Tenant") == null
                        ? response
                        : new HttpServletResponseWrapper((HttpServletResponse) response) {
                            @Override
                            public int getBufferSize() {
                                return 7;
                            }
                        });
        try (HeldRounds server = HeldRounds.on(
                make,
                http,
                IN_FLIGHT,
                List.of(wrapsAll, wrapsSome),
                (request, response) -> Boolean.toString(response.getBufferSize() == 7))) {
            Request one = get("/a");
            Request other = get("/a").with("Sec-Tenant", "1");
            assertThat(server.round(
                            List.of(one, other, one, other), List.of("200 false", "200 true", "200 false", "200 true")))
                    .as("runs")
                    .isEqualTo(2);
        }
    }

    private static Filter holdingForTenants() {
        return (request, response, chain) -> {
            boolean passes = ((HttpServletRequest) request).getHeader("Sec-Tenant") == null;
            chain.doFilter(
                    request,
                    passes
                            ? response
                            : new HttpServletResponseWrapper((HttpServletResponse) response) {
                                @Override
                                public void flushBuffer() {}
                            });
        };
    }

    private static String saysSomethingLate(HttpServletRequest request, HttpServletResponse response) {
        try {
            response.getWriter().write("late");
            response.flushBuffer();
            response.setStatus(203);
            return "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
