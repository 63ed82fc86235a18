package io.github.collapseexecutor.http.spring;

import io.github.collapseexecutor.http.rules.HttpResponseView;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.client5.http.protocol.RedirectLocations;
import org.eclipse.jetty.client.Response;
import org.eclipse.jetty.client.transport.HttpExchange;
import org.eclipse.jetty.client.transport.HttpRequest;
import org.eclipse.jetty.http.HttpField;
import org.jspecify.annotations.Nullable;
import reactor.netty.http.client.HttpClientResponse;

/**
 * The responses that a transport has acted upon by itself, read from the objects of HTTP libraries. Public for other packages of the library
 * only.
 */
public final class TransportSteps {

    private TransportSteps() {}

    /** So many responses of which no more is known. */
    public static List<HttpResponseView> unknown(int count) {
        return Collections.nCopies(count, HttpResponseView.unknown());
    }

    public static List<HttpResponseView> ofNetty(Object response) {
        return OfNetty.stepsIn(response);
    }

    /** Null if the context is none of the client's own. */
    public static @Nullable List<HttpResponseView> ofApache(Object context) {
        return OfApache.stepsIn(context);
    }

    /** Of a request, or of the one that a response answers; null if it is none of the client's own. */
    public static @Nullable List<HttpResponseView> ofJetty(Object message) {
        return OfJetty.stepsIn(message);
    }

    /** A response before the last one. */
    public record Step(int status, List<Map.Entry<String, List<String>>> headers) implements HttpResponseView {

        @Override
        public void forEachHeader(BiConsumer<? super String, ? super List<String>> action) {
            headers.forEach(header -> action.accept(header.getKey(), header.getValue()));
        }
    }

    // each in a class of its own, as its library may be absent

    private static final class OfNetty {

        private OfNetty() {}

        static List<HttpResponseView> stepsIn(Object response) {
            return unknown(((HttpClientResponse) response).redirectedFrom().length);
        }
    }

    private static final class OfApache {

        private OfApache() {}

        static @Nullable List<HttpResponseView> stepsIn(Object context) {
            if (!(context instanceof HttpClientContext own)) {
                return null;
            }
            RedirectLocations locations = own.getRedirectLocations();
            return unknown(locations == null ? 0 : locations.size());
        }
    }

    private static final class OfJetty {

        private OfJetty() {}

        /** The last exchange is that of the response. */
        static @Nullable List<HttpResponseView> stepsIn(Object message) {
            Object sent = message instanceof Response response ? response.getRequest() : message;
            if (!(sent instanceof HttpRequest request)) {
                return null;
            }
            List<HttpResponseView> steps = new ArrayList<>();
            for (HttpExchange exchange : request.getConversation().getExchanges()) {
                List<Map.Entry<String, List<String>>> headers = new ArrayList<>();
                for (HttpField line : exchange.getResponse().getHeaders()) {
                    headers.add(Map.entry(line.getName(), List.of(String.valueOf(line.getValue()))));
                }
                steps.add(new Step(exchange.getResponse().getStatus(), headers));
            }
            return steps.isEmpty() ? steps : steps.subList(0, steps.size() - 1);
        }
    }
}
