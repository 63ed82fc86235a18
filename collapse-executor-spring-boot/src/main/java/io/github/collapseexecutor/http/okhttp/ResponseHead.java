package io.github.collapseexecutor.http.okhttp;

import io.github.collapseexecutor.http.HttpResponseView;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import okhttp3.CacheControl;
import okhttp3.HttpUrl;
import okhttp3.Request;
import okhttp3.Response;

/**
 * The header section of a response, and the redirects and retries that led to it.
 *
 * @param response its body is not read
 * @param asked the request as it reached the interceptor
 * @param hasCookies whether the client has a cookie jar
 */
record ResponseHead(Response response, Request asked, boolean hasCookies) implements HttpResponseView {

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
        SentHeaders.forEach(response.headers(), action);
    }

    /** After a redirect, receivers are told its address. */
    @Override
    public boolean isForThisInstanceOnly() {
        return response.priorResponse() != null;
    }

    @Override
    public boolean isForLeaderOnly() {
        Request first = SentHeaders.firstOf(response).request();
        if (!isAsAsked(first)) {
            return true;
        }
        for (Response prior = response.priorResponse(); prior != null; prior = prior.priorResponse()) {
            // the key does not hold the cookies for a second address
            boolean asksJarAgain = hasCookies && !prior.request().url().equals(addressOf(response));
            if (asksJarAgain || !isForEverybody(prior)) {
                return true;
            }
        }
        return false;
    }

    /** An interceptor behind may have sent the request elsewhere; its address alone would not show that to the key. */
    private boolean isAsAsked(Request first) {
        return first.url().equals(asked.url()) && first.method().equals(asked.method());
    }

    private static HttpUrl addressOf(Response response) {
        return response.request().url();
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
