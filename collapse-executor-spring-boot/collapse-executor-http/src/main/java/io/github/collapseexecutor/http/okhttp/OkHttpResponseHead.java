package io.github.collapseexecutor.http.okhttp;

import io.github.collapseexecutor.http.rules.HttpResponseView;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
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
record OkHttpResponseHead(Response response, Request asked, boolean hasCookies) implements HttpResponseView {

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

    /** Redirects, challenges that an authenticator has answered, and failures after which OkHttp has sent the same request again. */
    @Override
    public List<HttpResponseView> followed() {
        List<HttpResponseView> followed = new ArrayList<>();
        for (Response prior = response.priorResponse(); prior != null; prior = prior.priorResponse()) {
            followed.add(new OkHttpResponseHead(prior, asked, hasCookies));
        }
        return followed;
    }

    @Override
    public boolean isForLeaderOnly() {
        return !isAsAsked(SentHeaders.firstOf(response).request()) || hasAskedJarAgain();
    }

    /** The key does not hold the cookies for a second address. */
    private boolean hasAskedJarAgain() {
        HttpUrl last = response.request().url();
        Response prior = hasCookies ? response.priorResponse() : null;
        while (prior != null && prior.request().url().equals(last)) {
            prior = prior.priorResponse();
        }
        return prior != null;
    }

    /** An interceptor behind may have sent the request elsewhere; its address alone would not show that to the key. */
    private boolean isAsAsked(Request first) {
        return first.url().equals(asked.url()) && first.method().equals(asked.method());
    }
}
