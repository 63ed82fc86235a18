package io.github.collapseexecutor.http.okhttp;

import java.util.List;
import okhttp3.Cookie;
import okhttp3.CookieJar;
import okhttp3.HttpUrl;

/**
 * The cookie jar of one call, which was asked already for the call's first request, and is not asked for it again. Retries and
 * redirects ask the jar itself.
 */
final class LoadedCookies implements CookieJar {

    // immutable
    private final CookieJar jar;
    private final HttpUrl url;
    private final List<Cookie> cookies;

    // mutable, confined to the thread that executes the call
    private boolean handedOut;

    private LoadedCookies(CookieJar jar, HttpUrl url, List<Cookie> cookies) {
        this.jar = jar;
        this.url = url;
        this.cookies = cookies;
    }

    static LoadedCookies load(CookieJar jar, HttpUrl url) {
        return new LoadedCookies(jar, url, jar.loadForRequest(url));
    }

    List<Cookie> cookies() {
        return cookies;
    }

    @Override
    public List<Cookie> loadForRequest(HttpUrl asked) {
        if (handedOut || !asked.equals(url)) {
            return jar.loadForRequest(asked);
        }
        handedOut = true;
        return cookies;
    }

    @Override
    public void saveFromResponse(HttpUrl answered, List<Cookie> received) {
        jar.saveFromResponse(answered, received);
    }
}
