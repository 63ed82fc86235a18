package io.github.collapseexecutor.http.servlet.mvc;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** All cases, and the classes that make up their application. */
final class MvcTable {

    private MvcTable() {}

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
                .filter(row -> row.makes().contains(make))
                .toList();
    }
}
