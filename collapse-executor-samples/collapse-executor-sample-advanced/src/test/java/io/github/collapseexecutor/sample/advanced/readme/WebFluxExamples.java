package io.github.collapseexecutor.sample.advanced.readme;

import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.webflux.CollapseWebFilter;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.web.server.WebHandler;
import org.springframework.web.server.adapter.WebHttpHandlerBuilder;

/** What the documentation shows for reactive servers. */
final class WebFluxExamples {

    private WebFluxExamples() {}

    // readme:begin webflux
    static HttpHandler collapsing(WebHandler handler) {
        HttpCollapseOptions options = HttpCollapseOptions.forPaths("/user/*");
        return WebHttpHandlerBuilder.webHandler(handler)
                .filters(filters -> filters.add(new CollapseWebFilter(options)))
                .build();
    }
    // readme:end
}
