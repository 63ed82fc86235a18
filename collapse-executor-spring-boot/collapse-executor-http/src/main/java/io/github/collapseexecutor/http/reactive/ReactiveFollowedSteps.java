package io.github.collapseexecutor.http.reactive;

import io.github.collapseexecutor.http.rules.HttpResponseView;
import io.github.collapseexecutor.http.spring.HiddenField;
import io.github.collapseexecutor.http.spring.TransportSteps;
import java.net.http.HttpClient;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.client.reactive.ClientHttpConnector;
import org.springframework.http.client.reactive.ClientHttpRequest;
import org.springframework.http.client.reactive.ClientHttpResponse;
import org.springframework.http.client.reactive.JdkClientHttpConnector;

/**
 * The responses that a transport has acted upon by itself before it returned one: redirects, mostly (H42).
 *
 * <p>Jetty's request shows them with their header sections. Reactor Netty's response and Apache's context show only that there were some.
 * The JDK's client shows nothing here but whether it follows redirects at all. Private fields are read where there is no public way.
 */
final class ReactiveFollowedSteps {

    static final String UNSEEN =
            "the transport of a WebClient does not show the redirects that it follows, so that a request with"
                    + " credentials is sent for its own caller only; use Reactor Netty, Jetty or Apache, or the JDK's client with"
                    + " followRedirects(NEVER) (with Spring Boot 3.5 spring.http.reactiveclient.redirects=dont-follow, with 4.x"
                    + " spring.http.clients.redirects=dont-follow)";

    private ReactiveFollowedSteps() {}

    /**
     * Returns the steps to a response, null if nothing shows whether there were any.
     *
     * @param response that of a connector, or that of a filter, which has one of a connector within
     * @param request the request that was sent, null if it was not seen
     * @param transport what sends the request: a connector, or the function that {@code WebClient} has made of one; null if it is not known
     */
    static @Nullable List<HttpResponseView> to(
            Object response, @Nullable ClientHttpRequest request, @Nullable Object transport) {
        ClientHttpResponse ofConnector = response instanceof ClientHttpResponse own
                ? own
                : HiddenField.valueIn(response, ClientHttpResponse.class);
        if (ofConnector instanceof ReactiveCopiedResponse) {
            return List.of(); // of another collapsing adapter, which has looked at the steps
        }
        Object netty = ofConnector == null
                ? null
                : HiddenField.valueIn(ofConnector, "reactor.netty.http.client.HttpClientResponse");
        if (netty != null) {
            return TransportSteps.ofNetty(netty);
        }
        List<HttpResponseView> shown = request == null ? null : shownBy(request);
        return shown == null && neverFollows(transport) ? List.of() : shown;
    }

    private static @Nullable List<HttpResponseView> shownBy(ClientHttpRequest request) {
        Object context = HiddenField.valueIn(request, "org.apache.hc.client5.http.protocol.HttpClientContext");
        if (context != null) {
            return TransportSteps.ofApache(context);
        }
        Object jetty = HiddenField.valueIn(request, "org.eclipse.jetty.client.Request");
        if (jetty != null) {
            return TransportSteps.ofJetty(jetty);
        }
        ClientHttpRequest decorated = HiddenField.valueIn(request, ClientHttpRequest.class);
        return decorated == null ? null : shownBy(decorated);
    }

    /** Whether a transport is known to follow redirects that it does not show. */
    static boolean followsUnseen(@Nullable Object transport) {
        HttpClient ofJdk = jdkClientOf(transport);
        return ofJdk != null && ofJdk.followRedirects() != HttpClient.Redirect.NEVER;
    }

    private static boolean neverFollows(@Nullable Object transport) {
        HttpClient ofJdk = jdkClientOf(transport);
        return ofJdk != null && ofJdk.followRedirects() == HttpClient.Redirect.NEVER;
    }

    private static @Nullable HttpClient jdkClientOf(@Nullable Object transport) {
        Object connector = transport;
        while (connector != null && !(connector instanceof JdkClientHttpConnector)) {
            connector = connector instanceof CollapseClientHttpConnector collapsing
                    ? collapsing.transport()
                    : HiddenField.valueIn(connector, ClientHttpConnector.class);
        }
        return connector == null ? null : HiddenField.valueIn(connector, HttpClient.class);
    }
}
