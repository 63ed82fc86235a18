package io.github.collapseexecutor.http.reactive;

import io.github.collapseexecutor.http.spring.HiddenField;
import org.jspecify.annotations.Nullable;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import org.springframework.web.reactive.function.client.ExchangeStrategies;

/**
 * What stands behind the filter in its {@code WebClient}: the client itself, or something of which nobody knows what it does.
 *
 * <p>{@code WebClient} composes the functions that it hands to filters with {@link ExchangeFilterFunction#andThen} and
 * {@link ExchangeFilterFunction#apply}: each is a lambda that has captured one filter and the function behind it. The last
 * filter is always one of {@code WebClient}'s own, which observes the response. There is no public way to ask a function
 * for the two, so they are read from the fields of the lambda. Where these cannot be read, as in a native image, nothing is
 * known: then the filter is taken to be the last one of its only client, as its documentation demands.
 *
 * <p>The function behind the last filter is Spring's own, which sends what it is given by the connector of the client. Any other
 * one is taken to be an obstacle: it may replace the request before another function sends it.
 *
 * @param client tells clients apart, by what sends their requests; null if that is unknown
 * @param obstacle why requests must not be shared, or null
 */
record ClientBehind(@Nullable Object client, @Nullable String obstacle) {

    private static final String LAMBDA = "$$Lambda";
    private static final String COMPOSED = ExchangeFilterFunction.class.getName() + LAMBDA;
    private static final String OBSERVING =
            "org.springframework.web.reactive.function.client.DefaultWebClient$ObservationFilterFunction";

    private static final String SENDING =
            "org.springframework.web.reactive.function.client.ExchangeFunctions$DefaultExchangeFunction";

    static final ClientBehind UNKNOWN = new ClientBehind(null, null);

    static ClientBehind of(ExchangeFunction next) {
        ExchangeFunction function = next;
        while (function.getClass().getName().startsWith(COMPOSED)) {
            ExchangeFilterFunction filter = HiddenField.valueIn(function, ExchangeFilterFunction.class);
            ExchangeFunction following = HiddenField.valueIn(function, ExchangeFunction.class);
            if (filter == null || following == null) {
                return UNKNOWN;
            }
            if (!filter.getClass().getName().equals(OBSERVING)) {
                return new ClientBehind(null, obstacle(filter));
            }
            function = following;
        }
        return function.getClass().getName().equals(SENDING)
                ? new ClientBehind(function, null)
                : new ClientBehind(null, obstacle(function));
    }

    /** How the client reads bodies; null if it does not show it. */
    @Nullable ExchangeStrategies strategies() {
        return client == null ? null : HiddenField.valueIn(client, ExchangeStrategies.class);
    }

    private static String obstacle(ExchangeFilterFunction filter) {
        return "behind the CollapseExchangeFilterFunction, the WebClient has another filter, "
                + nameOf(filter)
                + ", which may change on whose behalf a request is made; add the CollapseExchangeFilterFunction as the"
                + " last filter, or give the WebClient a CollapseClientHttpConnector in its place";
    }

    private static String obstacle(ExchangeFunction function) {
        return "behind the CollapseExchangeFilterFunction, the WebClient has an exchange function that is not Spring's, "
                + nameOf(function)
                + ", which may change on whose behalf a request is made; in place of the filter, give a"
                + " CollapseClientHttpConnector to the ExchangeFunctions.create(…) that sends the requests";
    }

    private static String nameOf(Object function) {
        String name = function.getClass().getName();
        int lambda = name.indexOf(LAMBDA);
        return lambda < 0 ? name : "a lambda of " + name.substring(0, lambda);
    }
}
