package io.github.collapseexecutor.http.hc5;

import java.io.IOException;
import java.util.List;
import org.apache.hc.client5.http.classic.ExecChain;
import org.apache.hc.client5.http.cookie.CookieStore;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.client5.http.protocol.RequestAddCookies;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.message.BasicHttpRequest;

/** The cookies that the client will add to a request, which it does only when it has a connection. */
final class StoredCookies {

    private StoredCookies() {}

    static List<Header> linesFor(ClassicHttpRequest request, ExecChain.Scope scope) {
        HttpClientContext context = scope.clientContext;
        CookieStore store = context.getCookieStore();
        if (store == null || store.getCookies().isEmpty() || request.containsHeader(HttpHeaders.COOKIE)) {
            return List.of();
        }
        HttpRequest asking = new BasicHttpRequest(request.getMethod(), null, request.getPath());
        asking.setScheme(request.getScheme());
        asking.setAuthority(request.getAuthority());
        context.setRoute(scope.route);
        try {
            RequestAddCookies.INSTANCE.process(asking, null, context);
        } catch (HttpException | IOException e) {
            return List.of(); // sending the request fails in the same way
        }
        return List.of(asking.getHeaders(HttpHeaders.COOKIE));
    }
}
