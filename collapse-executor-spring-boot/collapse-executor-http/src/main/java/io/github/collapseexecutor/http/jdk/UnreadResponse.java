package io.github.collapseexecutor.http.jdk;

import io.github.collapseexecutor.http.rules.SharedResponse;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Flow;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * A response that no body handler has got yet.
 *
 * @param received the response of the exchange; of its body nothing is used
 * @param headers those that the receiver gets
 * @param body the body, for one subscriber; one that cancels releases the exchange. Null where the client asks no body handler: a
 *     proxy has refused to connect
 */
record UnreadResponse(HttpResponse<?> received, HttpHeaders headers, Flow.@Nullable Publisher<List<ByteBuffer>> body)
        implements HttpResponse.ResponseInfo {

    static UnreadResponse of(HttpResponse<Flow.Publisher<List<ByteBuffer>>> received) {
        return new UnreadResponse(received, received.headers(), received.body());
    }

    /** A receiver's own copy of a shared response (H28). */
    static UnreadResponse copyOf(SharedResponse shared, SharedResponse.Receiver receiver, HttpRequest request) {
        Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        shared.forEachHeader(receiver, headers::put);
        return new UnreadResponse(
                shared.attachment() instanceof HttpResponse<?> received
                        ? received
                        : new StoredExchange(shared.status(), request),
                headersOf(headers),
                new BufferedBody(
                        ByteBuffer.wrap(shared.part(0, shared.bodyLength())).asReadOnlyBuffer()));
    }

    /** What is known of the exchange of another instance; the version of HTTP, the connection and the TLS session are not. */
    private record StoredExchange(int statusCode, HttpRequest request) implements HttpResponse<@Nullable Void> {

        @Override
        public Optional<HttpResponse<@Nullable Void>> previousResponse() {
            return Optional.empty();
        }

        @Override
        public HttpHeaders headers() {
            return headersOf(Map.of());
        }

        @Override
        public @Nullable Void body() {
            return null;
        }

        @Override
        public Optional<SSLSession> sslSession() {
            return Optional.empty();
        }

        @Override
        public URI uri() {
            return request.uri();
        }

        @Override
        public HttpClient.Version version() {
            return HttpClient.Version.HTTP_1_1;
        }
    }

    UnreadResponse withBody(Flow.@Nullable Publisher<List<ByteBuffer>> other) {
        return new UnreadResponse(received, headers, other);
    }

    UnreadResponse withHeader(String name, String value) {
        Map<String, List<String>> more = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        more.putAll(headers.map());
        List<String> values = new ArrayList<>(more.getOrDefault(name, List.of()));
        values.add(value);
        more.put(name, values);
        return new UnreadResponse(received, headersOf(more), body);
    }

    private static HttpHeaders headersOf(Map<String, List<String>> headers) {
        return HttpHeaders.of(headers, (name, value) -> true);
    }

    @Override
    public int statusCode() {
        return received.statusCode();
    }

    @Override
    public HttpClient.Version version() {
        return received.version();
    }

    /** The response for the application, with what its handler has made of the body. */
    <T> HttpResponse<T> read(HttpRequest request, @Nullable T value) {
        return new ReadResponse<>(request, received, headers, value);
    }

    /** Ends the exchange of a response that nobody reads. */
    void close() {
        if (body == null) {
            return;
        }
        body.subscribe(new Flow.Subscriber<>() {
            @Override
            public void onSubscribe(Flow.Subscription subscription) {
                subscription.cancel();
            }

            @Override
            public void onNext(List<ByteBuffer> buffers) {}

            @Override
            public void onError(Throwable failure) {}

            @Override
            public void onComplete() {}
        });
    }

    /** The response as the application gets it: everything but the request and its address is that of the exchange, whichever caller made it. */
    record ReadResponse<T>(
            HttpRequest asked,
            HttpResponse<?> received,
            HttpHeaders headers,
            @Nullable T body) implements HttpResponse<T> {

        @Override
        public int statusCode() {
            return received.statusCode();
        }

        /** After a redirect, the caller's own request to the last address, which is a GET behind a 303. */
        @Override
        public HttpRequest request() {
            if (received.previousResponse().isEmpty()) {
                return asked;
            }
            HttpRequest.Builder last =
                    HttpRequest.newBuilder(asked, (name, value) -> true).uri(uri());
            return (received.request().method().equals("GET") ? last.GET() : last).build();
        }

        @Override
        public Optional<HttpResponse<T>> previousResponse() {
            return received.previousResponse().map(prior -> new ReadResponse<>(asked, prior, prior.headers(), null));
        }

        @Override
        public Optional<SSLSession> sslSession() {
            return received.sslSession();
        }

        /** Overrides the method of Java 25: the connection is that of the exchange, as the TLS session is. */
        public Optional<String> connectionLabel() {
            return LaterMethods.connectionLabel(received);
        }

        /** That of the caller: another's may have parameters that the policy ignores, or another fragment. */
        @Override
        public URI uri() {
            return received.previousResponse().isEmpty() ? asked.uri() : received.uri();
        }

        @Override
        public HttpClient.Version version() {
            return received.version();
        }

        @Override
        public String toString() {
            return "(" + asked.method() + " " + uri() + ") " + statusCode();
        }
    }
}
