package io.github.collapseexecutor.http.servlet.mvc;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** All cases, and the classes that make up their application. */
final class MvcTable {

    private MvcTable() {}

    /**
     * What is not the same on a container whose response unwraps, encodes or fills its buffer in a way that a wrapper cannot see:
     * see the limits in {@code docs/servlet.md}.
     */
    private static final Map<Make, Set<String>> LIMITS = Map.of(
            Make.TOMCAT,
            Set.of("GET /view/unknown", "GET /view/forward-to-missing"),
            Make.JETTY,
            Set.of("GET /charset/writer", "GET /charset/writer-latin-1", "GET /response/declared-too-short"),
            Make.UNDERTOW,
            Set.of(
                    "GET /view/forward",
                    "HEAD /view/forward",
                    "GET /view/forward-to-late",
                    "GET /view/dispatch-include-file",
                    "GET /view/dispatch-include-redirect",
                    "GET /body/byte-by-byte/20000",
                    "GET /charset/print",
                    "GET /response/smaller-buffer"));

    static Class<?>[] sources() {
        return new Class<?>[] {
            MvcApplication.class,
            ConditionalCases.Handlers.class,
            ResourceCases.Handlers.class,
            CompressionCases.Handlers.class,
            ViewCases.Handlers.class,
            ErrorCases.Handlers.class,
            ErrorCases.Rejections.class,
            AsyncCases.Handlers.class,
            StreamCases.Handlers.class,
            BodyCases.Handlers.class,
            CharsetCases.Handlers.class,
            NegotiationCases.Handlers.class,
            MethodCases.Handlers.class,
            HeaderCases.Handlers.class,
            SessionCases.Handlers.class,
            EntityCases.Handlers.class,
            PathCases.Handlers.class,
            FunctionalCases.Routes.class,
            ResponseCases.Handlers.class
        };
    }

    static List<MvcCase> casesOn(Make make) {
        AtomicInteger number = new AtomicInteger();
        Set<String> limits = LIMITS.getOrDefault(make, Set.of());
        return Stream.of(
                        ConditionalCases.cases(),
                        RangeCases.cases(),
                        ResourceCases.cases(),
                        CompressionCases.cases(),
                        ViewCases.cases(),
                        ErrorCases.cases(),
                        AsyncCases.cases(),
                        StreamCases.cases(),
                        BodyCases.cases(),
                        CharsetCases.cases(),
                        NegotiationCases.cases(),
                        MethodCases.cases(),
                        HeaderCases.cases(),
                        SessionCases.cases(),
                        EntityCases.cases(),
                        PathCases.cases(),
                        FunctionalCases.cases(),
                        ResponseCases.cases())
                .flatMap(cases -> cases)
                .flatMap(row -> row.variants(number.incrementAndGet()))
                .filter(row -> row.makes().contains(make) && !limits.contains(row.toString()))
                .toList();
    }
}
