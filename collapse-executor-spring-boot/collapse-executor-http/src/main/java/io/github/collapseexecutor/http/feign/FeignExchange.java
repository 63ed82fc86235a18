package io.github.collapseexecutor.http.feign;

import feign.Client;
import feign.Request;
import feign.Response;
import io.github.collapseexecutor.http.call.BlockingExchange;
import io.github.collapseexecutor.http.rules.ClientAmongInstances;
import io.github.collapseexecutor.http.rules.HttpRequestView;
import io.github.collapseexecutor.http.rules.HttpResponseView;
import io.github.collapseexecutor.http.rules.SharedResponse;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A request on its way to the client that is wrapped. */
final class FeignExchange implements BlockingExchange<Response>, HttpRequestView {

    private static final String ELSEWHERE =
            "the client behind a CollapseFeignClient sends requests to another path or query than they ask for; have that done"
                    + " before a request gets to the adapter, so that it is known what is asked for";

    private static final String UNSEEN =
            "followRedirects of Feign's Request.Options is true, and Feign does not show the redirects that a client follows, so that a request"
                    + " with credentials is sent for its own caller only; switch it off (new Request.Options(…, false), or"
                    + " spring.cloud.openfeign.client.config.<name>.follow-redirects=false)";

    // immutable
    private final Client client;
    private final Request request;
    private final Request.Options options;
    private final URI uri;

    // mutable, confined to the thread that sends
    /** The request as it was sent, as the response tells: a load balancer may send another in its place. Before, the one asked for. */
    private Request sent;

    FeignExchange(Client client, Request request, Request.Options options, URI uri) {
        this.client = client;
        this.request = request;
        this.sent = request;
        this.options = options;
        this.uri = uri;
    }

    /** What a client makes of a request beside its address, headers and body. */
    private record Settings(int connectTimeoutMillis, int readTimeoutMillis, boolean followsRedirects)
            implements ClientAmongInstances {

        @Override
        public @Nullable Object owner() {
            return null;
        }

        @Override
        public List<@Nullable String> settings() {
            return List.of(connectTimeoutMillis + " " + readTimeoutMillis + " " + followsRedirects);
        }
    }

    @Override
    public HttpRequestView request() {
        return this;
    }

    @Override
    public String method() {
        return sent.httpMethod().name();
    }

    @Override
    public URI uri() {
        return uri;
    }

    /** A load balancer puts an instance in the place of a service's name, which is as much of an address as it may change. */
    @Override
    public @Nullable String obstacle() {
        return sent == request || behindAuthority(sent.url()).equals(behindAuthority(request.url())) ? null : ELSEWHERE;
    }

    /** Feign's responses tell nothing of redirects, whatever client is behind. */
    @Override
    public @Nullable String unseenRedirects() {
        return options.isFollowRedirects() ? UNSEEN : null;
    }

    private static String behindAuthority(String url) {
        int path = url.indexOf('/', url.indexOf("://") + 3);
        return path < 0 ? "" : url.substring(path);
    }

    @Override
    public void forEachHeader(BiConsumer<? super String, ? super List<String>> action) {
        sent.headers().forEach((name, values) -> action.accept(name, new ArrayList<>(values)));
    }

    @Override
    public boolean hasBody() {
        byte[] body = sent.body();
        return body != null && body.length > 0;
    }

    @Override
    public Object client() {
        return new Settings(options.connectTimeoutMillis(), options.readTimeoutMillis(), options.isFollowRedirects());
    }

    @Override
    public Response send() throws IOException {
        Response response = client.execute(request, options);
        sent = response.request();
        return response;
    }

    @Override
    public HttpResponseView headOf(Response response) {
        return new FeignResponseHead(response);
    }

    @Override
    public InputStream bodyOf(Response response) throws IOException {
        Response.Body body = response.body();
        return body == null ? InputStream.nullInputStream() : body.asInputStream();
    }

    @Override
    public Response resumed(Response response, InputStream resumed) {
        Response.Body body = response.body();
        return body == null
                ? response
                : response.toBuilder().body(new ResumedBody(body, resumed)).build();
    }

    @Override
    public FeignResponseHead.Received attachmentOf(Response response) {
        return FeignResponseHead.Received.of(response);
    }

    @Override
    public Response answer(SharedResponse shared, SharedResponse.Receiver receiver) {
        FeignResponseHead.Received received = shared.attachment() instanceof FeignResponseHead.Received own
                ? own
                : FeignResponseHead.Received.ofInstance(shared);
        Map<String, Collection<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.putAll(received.hidden());
        shared.forEachHeader(receiver, headers::put);
        Response.Builder answer = Response.builder()
                .status(shared.status())
                .reason(received.reason())
                .protocolVersion(received.version())
                .headers(headers)
                .request(request);
        return (received.hasBody() ? answer.body(new CopiedBody(shared, received)) : answer).build();
    }

    @Override
    public Response withHeader(Response response, String name, String value) {
        Map<String, Collection<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.putAll(response.headers());
        List<String> values = new ArrayList<>(headers.getOrDefault(name, List.of()));
        values.add(value);
        headers.put(name, values);
        return response.toBuilder().headers(headers).build();
    }

    @Override
    public void close(Response response) {
        response.close();
    }
}
