package io.github.collapseexecutor.http.reactive;

import io.github.collapseexecutor.http.spring.HiddenField;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.client.reactive.ClientHttpConnector;
import org.springframework.http.client.reactive.ClientHttpRequest;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.util.ClassUtils;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.client.HttpClientRequest;

/**
 * Headers that Reactor Netty has put on a request below everything that Spring knows of. Those of {@code HttpClient.headers(…)}
 * are the same for every request of a client. Those of {@code headersWhen(…)} and {@code doOnRequest(…)} may differ from caller
 * to caller, for example by the Reactor context; they are the ones that count.
 */
final class NativeHeaders {

    private static final boolean IS_NETTY_PRESENT =
            ClassUtils.isPresent("reactor.netty.http.client.HttpClientRequest", NativeHeaders.class.getClassLoader());

    /** Reactor Netty adds these to every request. */
    private static final Set<String> OF_TRANSPORT = Set.of(
            "host", "user-agent", "accept", "accept-encoding", "connection", "content-length", "transfer-encoding");

    private NativeHeaders() {}

    /**
     * Adds those headers of a request of Reactor Netty's to a copy of the headers that Spring is about to add. A request that only
     * records what will be sent has none, and takes the question for one of the application's.
     *
     * @param transport sends the request: a connector, or the function that {@code WebClient} has made of one; null if it is
     *     not known, so that every header counts
     */
    static void addTo(HttpHeaders copy, ClientHttpRequest request, @Nullable Object transport) {
        if (IS_NETTY_PRESENT
                && RecordedRequest.in(request) == null
                && request.getNativeRequest() instanceof HttpClientRequest nettyRequest) {
            addTo(copy, nettyRequest.requestHeaders(), headersOfClient(transport));
        }
    }

    private static void addTo(
            HttpHeaders copy,
            io.netty.handler.codec.http.HttpHeaders present,
            io.netty.handler.codec.http.@Nullable HttpHeaders ofClient) {
        for (String name : Set.copyOf(present.names())) {
            List<String> values = present.getAll(name);
            boolean common = ofClient != null && ofClient.getAll(name).equals(values);
            if (!common && !OF_TRANSPORT.contains(name.toLowerCase(Locale.ROOT)) && copy.getFirst(name) == null) {
                copy.addAll(name, List.copyOf(values));
            }
        }
    }

    /** The headers that are the same for every request of a client; null where there are none, or they cannot be seen. */
    private static io.netty.handler.codec.http.@Nullable HttpHeaders headersOfClient(@Nullable Object transport) {
        Object connector = transport == null || transport instanceof ClientHttpConnector
                ? transport
                : HiddenField.valueIn(transport, ClientHttpConnector.class);
        while (connector instanceof CollapseClientHttpConnector collapsing) {
            connector = collapsing.transport();
        }
        HttpClient client = connector instanceof ReactorClientHttpConnector
                ? HiddenField.valueIn(connector, HttpClient.class)
                : null;
        return client == null ? null : client.configuration().headers();
    }
}
