package io.github.collapseexecutor.http.webflux;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.filter.reactive.ServerWebExchangeContextFilter;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import org.springframework.web.server.handler.DefaultWebFilterChain;

/**
 * Looks for a filter that stands behind the collapsing one, and so would not see the requests that another's handler answers. Spring's {@link
 * ServerWebExchangeContextFilter} does nothing but show the handler its exchange; Spring HATEOAS registers it, without an order.
 */
final class FilterBehind {

    private FilterBehind() {}

    /** Returns why requests must not share, and the remedy; null if no filter is known to stand behind. */
    static @Nullable String in(WebFilterChain chain, WebFilter self) {
        if (!(chain instanceof DefaultWebFilterChain known)) {
            return null;
        }
        List<WebFilter> filters = known.getFilters();
        int own = filters.lastIndexOf(self);
        if (own < 0) {
            return null; // another filter calls it
        }
        for (WebFilter behind : filters.subList(own + 1, filters.size())) {
            if (behind.getClass() != ServerWebExchangeContextFilter.class) {
                return obstacle(behind);
            }
        }
        return null;
    }

    private static String obstacle(WebFilter behind) {
        String name = behind.getClass().getName();
        int lambda = name.indexOf("$$Lambda");
        return "behind the CollapseWebFilter stands another filter, "
                + (lambda < 0 ? name : "a lambda of " + name.substring(0, lambda))
                + ", which would not see the requests that another's handler answers; give that filter a lower order, or, if it may run"
                + " for the handler's own requests only, name the place of the CollapseWebFilter: by collapse.executor.webflux.order,"
                + " or by its builder";
    }
}
