package io.github.collapseexecutor.http.jdk;

import io.github.collapseexecutor.http.rules.HttpResponseView;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The header section of a response, and the redirects that led to it.
 *
 * @param response its body is not looked at
 * @param hasCookies whether the client has a cookie handler
 */
record JdkResponseHead(HttpResponse<?> response, boolean hasCookies) implements HttpResponseView {

    /** The head of the response to a request that is not collapsed. */
    static @Nullable JdkResponseHead ofNullable(@Nullable HttpResponse<?> response) {
        return response == null ? null : new JdkResponseHead(response, false);
    }

    @Override
    public int status() {
        return response.statusCode();
    }

    @Override
    public void forEachHeader(BiConsumer<? super String, ? super List<String>> action) {
        response.headers().map().forEach(action);
    }

    /** Redirects, and challenges that an authenticator has answered. Receivers are told the address that they have led to. */
    @Override
    public List<HttpResponseView> followed() {
        List<HttpResponseView> followed = new ArrayList<>();
        Optional<? extends HttpResponse<?>> prior = response.previousResponse();
        while (prior.isPresent()) {
            followed.add(new JdkResponseHead(prior.get(), hasCookies));
            prior = prior.get().previousResponse();
        }
        return followed;
    }

    /** The key does not hold the cookies for a second address. */
    @Override
    public boolean isForLeaderOnly() {
        return hasCookies && response.previousResponse().isPresent();
    }
}
