package io.github.collapseexecutor.http.okhttp;

import static java.util.Objects.requireNonNull;

import io.github.collapseexecutor.http.SharedResponse;
import okhttp3.Headers;
import okhttp3.MediaType;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.ResponseBody;
import okio.BufferedSource;
import okio.Okio;
import org.jspecify.annotations.Nullable;

/** Makes a receiver's own copy of a shared response (H28). */
final class CopiedResponse {

    private CopiedResponse() {}

    /** The response to the call that was made, as OkHttp gave it, with a copy of the body. */
    static Response forLeader(Response received, SharedResponse shared) {
        return copy(received, shared, SharedResponse.Receiver.LEADER).build();
    }

    /**
     * The same for one that was answered by it. What names the other call is left out: whoever made no call has no
     * response of the network, of the cache, or before a redirect.
     */
    static Response forFollower(Request request, SharedResponse shared) {
        Response received = (Response) requireNonNull(shared.attachment());
        Request answered = received.priorResponse() == null
                ? request
                : request.newBuilder().url(received.request().url()).build();
        return copy(received, shared, SharedResponse.Receiver.FOLLOWER)
                .request(answered)
                .networkResponse(null)
                .cacheResponse(null)
                .priorResponse(null)
                .build();
    }

    private static Response.Builder copy(Response received, SharedResponse shared, SharedResponse.Receiver receiver) {
        Headers.Builder headers = new Headers.Builder();
        shared.forEachHeader(
                receiver, (name, values) -> values.forEach(value -> headers.addUnsafeNonAscii(name, value)));
        return received.newBuilder().headers(headers.build()).body(new CopiedBody(received, shared));
    }

    private static final class CopiedBody extends ResponseBody {

        // immutable
        private final @Nullable MediaType contentType;
        private final long contentLength;
        private final BufferedSource source;

        CopiedBody(Response original, SharedResponse shared) {
            this.contentType = original.body().contentType();
            this.contentLength = shared.bodyLength();
            this.source = Okio.buffer(Okio.source(shared.body()));
        }

        @Override
        public @Nullable MediaType contentType() {
            return contentType;
        }

        @Override
        public long contentLength() {
            return contentLength;
        }

        @Override
        public BufferedSource source() {
            return source;
        }
    }
}
