package io.github.collapseexecutor.http.okhttp;

import io.github.collapseexecutor.http.BlockingExchange;
import io.github.collapseexecutor.http.HttpRequestView;
import io.github.collapseexecutor.http.HttpResponseView;
import io.github.collapseexecutor.http.SharedResponse;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import okhttp3.Interceptor;
import okhttp3.MediaType;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okhttp3.ResponseBody;
import okio.BufferedSource;
import okio.Okio;
import org.jspecify.annotations.Nullable;

/** A call on its way through a chain of interceptors. */
final class OkHttpExchange implements BlockingExchange<Response>, HttpRequestView {

    // immutable
    private final Interceptor.Chain chain;
    private final Request request;
    private final URI uri;
    private final Cancellation cancellation;

    // mutable, confined to the calling thread
    private @Nullable Response received;
    private boolean resumed;

    OkHttpExchange(Interceptor.Chain chain, URI uri, Cancellation cancellation) {
        this.chain = chain;
        this.request = chain.request();
        this.uri = uri;
        this.cancellation = cancellation;
    }

    @Override
    public HttpRequestView request() {
        return this;
    }

    @Override
    public String method() {
        return request.method();
    }

    @Override
    public URI uri() {
        return received == null ? uri : SentRequest.of(received).uri();
    }

    @Override
    public void forEachHeader(BiConsumer<? super String, ? super List<String>> action) {
        SentRequest sent =
                received == null ? SentRequest.toBe(request, chain.getCookieJar()) : SentRequest.of(received);
        sent.headers()
                .names()
                .forEach(name -> action.accept(name, sent.headers().values(name)));
    }

    @Override
    public boolean hasBody() {
        RequestBody body = request.body();
        try {
            return body != null && body.contentLength() != 0;
        } catch (IOException e) {
            return true; // its length is unknown, so that there may be something in it
        }
    }

    @Override
    public CompletableFuture<?> calledOff() {
        return cancellation.calledOff();
    }

    @Override
    public Response send() throws IOException {
        cancellation.beginSending();
        try {
            received = chain.proceed(request);
            return received;
        } catch (IOException e) {
            throw cancellation.causeOf(e);
        }
    }

    @Override
    public HttpResponseView headOf(Response response) {
        return new ResponseHead(response);
    }

    @Override
    public InputStream bodyOf(Response response) {
        return new FilterInputStream(response.body().byteStream()) {
            @Override
            public int read() throws IOException {
                try {
                    return super.read();
                } catch (IOException e) {
                    throw told(e);
                }
            }

            @Override
            public int read(byte[] bytes, int offset, int length) throws IOException {
                try {
                    return super.read(bytes, offset, length);
                } catch (IOException e) {
                    throw told(e);
                }
            }
        };
    }

    /** Once the application reads the body, its failures are nobody else's. */
    private IOException told(IOException failure) {
        return resumed ? failure : cancellation.causeOf(failure);
    }

    @Override
    public Response resumed(Response response, InputStream body) {
        resumed = true;
        return response.newBuilder()
                .body(new ResumedBody(response.body(), body))
                .build();
    }

    /** A body of which a part was read, as if it had not been. */
    private static final class ResumedBody extends ResponseBody {

        // immutable
        private final ResponseBody original;
        private final BufferedSource source;

        ResumedBody(ResponseBody original, InputStream body) {
            this.original = original;
            this.source = Okio.buffer(Okio.source(body));
        }

        @Override
        public @Nullable MediaType contentType() {
            return original.contentType();
        }

        @Override
        public long contentLength() {
            return original.contentLength();
        }

        @Override
        public BufferedSource source() {
            return source;
        }

        @Override
        public void close() {
            original.close();
        }
    }

    @Override
    public Response attachmentOf(Response response) {
        return response;
    }

    @Override
    public Response answer(SharedResponse response, SharedResponse.Receiver receiver) {
        if (receiver == SharedResponse.Receiver.LEADER && received != null) {
            return CopiedResponse.forLeader(received, response);
        }
        return CopiedResponse.forFollower(request, response);
    }

    @Override
    public Response withHeader(Response response, String name, String value) {
        return response.newBuilder().addHeader(name, value).build();
    }

    @Override
    public void close(Response response) {
        response.close();
    }
}
