package io.github.collapseexecutor.http.reactive;

import org.springframework.http.client.reactive.ClientHttpResponse;
import org.springframework.util.ClassUtils;
import reactor.netty.http.client.HttpClientResponse;

/**
 * A redirect that Reactor Netty has followed by itself. The key knows nothing of the second address, and the head of the redirect, which
 * may have been for one user only, is gone. Other transports do not show it.
 */
final class FollowedRedirect {

    private static final boolean IS_NETTY_PRESENT = ClassUtils.isPresent(
            "reactor.netty.http.client.HttpClientRequest", FollowedRedirect.class.getClassLoader());

    private FollowedRedirect() {}

    /**
     * Whether a response is known to have come by a redirect.
     *
     * @param response that of a connector, or that of a filter, which has one of a connector within
     */
    static boolean hasLedTo(Object response) {
        ClientHttpResponse ofConnector = response instanceof ClientHttpResponse own
                ? own
                : HiddenField.valueIn(response, ClientHttpResponse.class);
        return IS_NETTY_PRESENT && ofConnector != null && hasLedToNettys(ofConnector);
    }

    private static boolean hasLedToNettys(ClientHttpResponse ofConnector) {
        HttpClientResponse netty = HiddenField.valueIn(ofConnector, HttpClientResponse.class);
        return netty != null && netty.redirectedFrom().length > 0;
    }
}
