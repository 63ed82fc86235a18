package io.github.collapseexecutor.http.okhttp;

import static java.util.Objects.requireNonNull;

import io.github.collapseexecutor.http.rules.SharedResponse;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import okhttp3.Headers;
import okhttp3.MediaType;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.ResponseBody;
import okhttp3.TrailersSource;
import okio.Okio;
import org.jspecify.annotations.Nullable;

/** Makes a receiver's own copy of a shared response (H28). */
final class OkHttpCopiedResponse {

    private static final String AUTHORIZATION = "Authorization";

    private OkHttpCopiedResponse() {}

    /**
     * The leader's response, which its followers take from {@link SharedResponse#attachment()}.
     *
     * @param response as OkHttp returned it; its body has been read
     * @param trailers null if OkHttp does not tell them
     */
    record Received(Response response, @Nullable Headers trailers) {

        static Received of(Response response) {
            return new Received(response, trailersOf(response));
        }

        private static @Nullable Headers trailersOf(Response response) {
            try {
                return response.trailers();
            } catch (IOException | RuntimeException e) {
                return null;
            }
        }
    }

    /** The leader's response as OkHttp returned it, with a copy of the body. */
    static Response forLeader(SharedResponse shared) {
        Received received = receivedOf(shared);
        return copy(received.response(), received.trailers(), shared, SharedResponse.Receiver.LEADER)
                .build();
    }

    /**
     * The same response for a follower, without what names the leader's request: the follower has no response of the network,
     * of the cache, or before a redirect.
     */
    static Response forFollower(Request request, SharedResponse shared) {
        if (shared.attachment() == null) {
            return ofInstance(request, shared);
        }
        Received received = receivedOf(shared);
        Response response = received.response();
        // a cookie in the trailers is the leader's
        Headers trailers = received.trailers() == null
                ? null
                : received.trailers().newBuilder().removeAll("Set-Cookie").build();
        return copy(response, trailers, shared, SharedResponse.Receiver.FOLLOWER)
                .request(response.priorResponse() == null ? request : redirected(request, response.request()))
                .networkResponse(null)
                .cacheResponse(null)
                .priorResponse(null)
                .build();
    }

    /** The response of another instance, of whose exchange neither the version of HTTP nor the handshake is known. */
    private static Response ofInstance(Request request, SharedResponse shared) {
        Headers.Builder lines = new Headers.Builder();
        shared.forEachHeader(
                SharedResponse.Receiver.FOLLOWER,
                (name, values) -> values.forEach(value -> lines.addUnsafeNonAscii(name, value)));
        Headers headers = lines.build();
        String type = headers.get("Content-Type");
        String length = headers.get("Content-Length");
        return new Response.Builder()
                .request(request)
                .protocol(Protocol.HTTP_1_1)
                .code(shared.status())
                .message(shared.reason())
                .headers(headers)
                .body(bodyOf(
                        shared,
                        type == null ? null : MediaType.parse(type),
                        length == null
                                ? -1
                                : Long.parseLong(length))) // the rules let no other than a plain number pass
                .build();
    }

    private static Received receivedOf(SharedResponse shared) {
        return (Received) requireNonNull(shared.attachment());
    }

    /** The follower's request as OkHttp would have sent it to the last address. */
    private static Request redirected(Request request, Request last) {
        Request.Builder redirected = request.newBuilder().url(last.url());
        if (last.header(AUTHORIZATION) == null) {
            redirected.removeHeader(AUTHORIZATION);
        }
        return redirected.build();
    }

    private static Response.Builder copy(
            Response response, @Nullable Headers trailers, SharedResponse shared, SharedResponse.Receiver receiver) {
        Response.Builder copy = response.newBuilder()
                .headers(headersOf(response.headers(), shared, receiver))
                .body(bodyOf(
                        shared, response.body().contentType(), response.body().contentLength()));
        return trailers == null ? copy : copy.trailers(new KnownTrailers(trailers));
    }

    private static ResponseBody bodyOf(SharedResponse shared, @Nullable MediaType contentType, long contentLength) {
        return ResponseBody.create(Okio.buffer(Okio.source(shared.body())), contentType, contentLength);
    }

    /**
     * The header lines as the origin sent them, in its order and case, but for what the rules drop, set and append. Lines that
     * stay are not added anew: the builder refuses some that OkHttp accepts from an origin (H39).
     */
    private static Headers headersOf(Headers received, SharedResponse shared, SharedResponse.Receiver receiver) {
        Map<String, List<String>> dropped = new HashMap<>();
        SentHeaders.forEach(received, (name, values) -> dropped.put(name.toLowerCase(Locale.ROOT), values));
        Headers.Builder headers = received.newBuilder();
        shared.forEachHeader(receiver, (name, values) -> {
            List<String> present = dropped.remove(name.toLowerCase(Locale.ROOT));
            int kept = present != null && startsWith(values, present) ? present.size() : 0;
            if (kept == 0) {
                headers.removeAll(name);
            }
            values.subList(kept, values.size()).forEach(value -> headers.addUnsafeNonAscii(name, value));
        });
        dropped.keySet().forEach(headers::removeAll);
        return headers.build();
    }

    private static boolean startsWith(List<String> values, List<String> begin) {
        return values.size() >= begin.size() && values.subList(0, begin.size()).equals(begin);
    }

    private record KnownTrailers(Headers trailers) implements TrailersSource {

        @Override
        public Headers peek() {
            return trailers;
        }

        @Override
        public Headers get() {
            return trailers;
        }
    }
}
