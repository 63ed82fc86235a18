package io.github.collapseexecutor.http.okhttp;

import io.github.collapseexecutor.http.call.BlockingExchange;
import io.github.collapseexecutor.http.rules.ClientParts;
import io.github.collapseexecutor.http.rules.HttpRequestView;
import io.github.collapseexecutor.http.rules.HttpResponseView;
import io.github.collapseexecutor.http.rules.SharedResponse;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import okhttp3.Cookie;
import okhttp3.CookieJar;
import okhttp3.Headers;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okhttp3.ResponseBody;
import okio.Okio;
import org.jspecify.annotations.Nullable;

/** A call on its way through a chain of interceptors. */
final class OkHttpExchange implements BlockingExchange<Response>, HttpRequestView {

    // immutable
    private final Interceptor.Chain chain;
    private final Request request;
    private final URI uri;
    private final Predicate<String> isCredential;
    private final ClientParts client;
    private final @Nullable String obstacle;
    private final Cancellation cancellation;

    // mutable, confined to the thread that executes the call
    private @Nullable LoadedCookies cookies;
    private @Nullable Response received;

    /**
     * Creates the exchange of one call.
     *
     * @param uri the address of the chain's request
     * @param isCredential whether a header says on whose behalf a request is made
     * @param behind finds the interceptors that can still change the request
     */
    OkHttpExchange(Interceptor.Chain chain, URI uri, Predicate<String> isCredential, InterceptorsBehind behind) {
        OkHttpClient owner = CallOwner.of(chain.call());
        this.chain = chain;
        this.request = chain.request();
        this.uri = uri;
        this.isCredential = isCredential;
        this.client = OkHttpClientIdentity.of(chain, owner);
        this.obstacle = behind.obstacle(chain, owner);
        this.cancellation = new Cancellation(chain.call());
    }

    @Override
    public HttpRequestView request() {
        return this;
    }

    @Override
    public String method() {
        return request.method();
    }

    /** Always the address that was asked for: {@link OkHttpResponseHead} does not share the response if it was changed behind. */
    @Override
    public URI uri() {
        return uri;
    }

    @Override
    public void forEachHeader(BiConsumer<? super String, ? super List<String>> action) {
        Headers headers = received == null
                ? SentHeaders.headersToBe(request, cookies())
                : SentHeaders.headersOf(received, request, isCredential);
        SentHeaders.forEach(headers, action);
    }

    /** The jar is asked once, as without collapsing. A request that shares nothing leaves that to OkHttp. */
    private List<Cookie> cookies() {
        if (cookies == null) {
            if (obstacle != null || !hasCookies()) {
                return List.of();
            }
            try {
                cookies = LoadedCookies.load(chain.getCookieJar(), request.url());
            } catch (RuntimeException e) {
                throw new ClientFailure(e);
            }
        }
        return cookies.cookies();
    }

    private boolean hasCookies() {
        return chain.getCookieJar() != CookieJar.NO_COOKIES;
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
    public Object client() {
        return client;
    }

    @Override
    public @Nullable String obstacle() {
        return obstacle;
    }

    @Override
    public CompletableFuture<?> cancelSignal() {
        return cancellation.signal();
    }

    @Override
    public Response send() throws IOException {
        cancellation.beginSending();
        Interceptor.Chain sending = cookies == null ? chain : chain.withCookieJar(cookies);
        try {
            received = sending.proceed(request);
            return received;
        } catch (IOException e) {
            cancellation.noticeCancellation();
            throw e;
        } catch (RuntimeException e) {
            throw new ClientFailure(e);
        }
    }

    @Override
    public HttpResponseView headOf(Response response) {
        return new OkHttpResponseHead(response, request, hasCookies());
    }

    @Override
    public InputStream bodyOf(Response response) {
        return new FilterInputStream(response.body().byteStream()) {
            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
            }

            @Override
            public int read(byte[] bytes, int offset, int length) throws IOException {
                try {
                    return super.read(bytes, offset, length);
                } catch (IOException e) {
                    cancellation.noticeCancellation();
                    throw e;
                }
            }
        };
    }

    @Override
    public Response resumed(Response response, InputStream body) {
        ResponseBody original = response.body();
        InputStream whole = new FilterInputStream(body) {
            /** What was read of the body is not to be had any more either, as from any body that is closed. */
            @Override
            public void close() throws IOException {
                original.close();
                super.close();
            }
        };
        return response.newBuilder()
                .body(ResponseBody.create(
                        Okio.buffer(Okio.source(whole)), original.contentType(), original.contentLength()))
                .build();
    }

    @Override
    public OkHttpCopiedResponse.Received attachmentOf(Response response) {
        return OkHttpCopiedResponse.Received.of(response);
    }

    @Override
    public Response answer(SharedResponse response, SharedResponse.Receiver receiver) {
        return receiver == SharedResponse.Receiver.LEADER
                ? OkHttpCopiedResponse.forLeader(response)
                : OkHttpCopiedResponse.forFollower(request, response);
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
