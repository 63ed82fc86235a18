package io.github.collapseexecutor.http.jdk;

import io.github.collapseexecutor.http.HttpResponseView;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The header section of a response, and the redirects that led to it.
 *
 * @param response its body is not looked at
 * @param hasCookies whether the client has a cookie handler
 */
record ResponseHead(HttpResponse<?> response, boolean hasCookies) implements HttpResponseView {

    private static final Set<Integer> PERMANENT_REDIRECTS = Set.of(301, 308);

    /** The head of the response to a request that is not collapsed. */
    static @Nullable ResponseHead ofNullable(@Nullable HttpResponse<?> response) {
        return response == null ? null : new ResponseHead(response, false);
    }

    @Override
    public int status() {
        return response.statusCode();
    }

    /** The client does not tell it. */
    @Override
    public String reason() {
        return "";
    }

    @Override
    public void forEachHeader(BiConsumer<? super String, ? super List<String>> action) {
        response.headers().map().forEach(action);
    }

    /** After a redirect, receivers are told its address and the response before it. */
    @Override
    public boolean isForThisInstanceOnly() {
        return response.previousResponse().isPresent();
    }

    /** The key knows nothing of a second address, its cookies, or credentials that an authenticator has added. */
    @Override
    public boolean isForLeaderOnly() {
        Optional<? extends HttpResponse<?>> prior = response.previousResponse();
        while (prior.isPresent()) {
            if (hasCookies || !isForEverybody(prior.get())) {
                return true;
            }
            prior = prior.get().previousResponse();
        }
        return false;
    }

    private static boolean isForEverybody(HttpResponse<?> prior) {
        HttpHeaders headers = prior.headers();
        return PERMANENT_REDIRECTS.contains(prior.statusCode())
                && Stream.of("Set-Cookie", "Vary", "Cache-Control", "Pragma")
                        .allMatch(name -> headers.firstValue(name).isEmpty());
    }
}
