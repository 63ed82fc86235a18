package io.github.collapseexecutor.http.okhttp;

import io.github.collapseexecutor.http.HttpResponseView;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import okhttp3.CacheControl;
import okhttp3.Response;

/**
 * The header section of a response. If one of the redirects that led to it is not for everybody, neither is the response:
 * then it is shown as one that must not be stored.
 *
 * @param response its body is no concern here
 */
record ResponseHead(Response response) implements HttpResponseView {

    private static final List<String> MUST_NOT_BE_SHARED = List.of("no-store");

    /** Permanent redirects, and failures after which OkHttp sent the same request again. */
    private static final Set<Integer> SAME_FOR_EVERYBODY = Set.of(301, 308, 408, 421, 503);

    @Override
    public int status() {
        return response.code();
    }

    @Override
    public String reason() {
        return response.message();
    }

    @Override
    public void forEachHeader(BiConsumer<? super String, ? super List<String>> action) {
        response.headers().names().forEach(name -> action.accept(name, response.headers(name)));
        for (Response prior = response.priorResponse(); prior != null; prior = prior.priorResponse()) {
            if (!isForEverybody(prior)) {
                action.accept("Cache-Control", MUST_NOT_BE_SHARED);
                return;
            }
        }
    }

    private static boolean isForEverybody(Response prior) {
        CacheControl control = prior.cacheControl();
        return SAME_FOR_EVERYBODY.contains(prior.code())
                && prior.header("Set-Cookie") == null
                && prior.header("Vary") == null
                && !control.noStore()
                && !control.noCache()
                && !control.isPrivate()
                && control.maxAgeSeconds() != 0
                && control.sMaxAgeSeconds() != 0;
    }
}
