package io.github.collapseexecutor.http.hc5;

import io.github.collapseexecutor.http.call.BlockingExchange;
import io.github.collapseexecutor.http.rules.HttpRequestView;
import io.github.collapseexecutor.http.rules.HttpResponseView;
import io.github.collapseexecutor.http.rules.SharedResponse;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.apache.hc.client5.http.auth.AuthExchange;
import org.apache.hc.client5.http.classic.ExecChain;
import org.apache.hc.client5.http.classic.ExecRuntime;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.core5.concurrent.CancellableDependency;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpRequest;
import org.jspecify.annotations.Nullable;

/**
 * A request on its way through a client's execution chain, between the authentication and the connection.
 *
 * <p>A request that was answered with a challenge comes here once more, with its credentials, and holds the connection that it
 * was challenged on. Before it waits for another's response it gives that connection back: the leader may need it.
 */
final class ChainExchange implements BlockingExchange<ClassicHttpResponse>, HttpRequestView {

    /** The client adds these where the application has not set them, for the connection. */
    private static final Set<String> OF_THE_CONNECTION = Set.of("host", "connection", "user-agent", "upgrade");

    private static final String ARRIVED = ChainExchange.class.getName() + ".arrived";
    private static final String NAME = CollapseExecChainHandler.class.getSimpleName();

    private static final String OF_APACHE = "org.apache.hc.";

    private static final String MISPLACED = NAME + " is behind ChainElement.CONNECT, where a request has a connection; "
            + "add it by HttpClientBuilder.addExecInterceptorBefore(ChainElement.CONNECT.name(), ...)";

    private static final String OF_ONE_CONNECTION = "a connection is authenticated (NTLM, Negotiate), "
            + "so that the requests on it do not show their user; use credentials that each request carries";

    // immutable
    private final ClassicHttpRequest request;
    private final URI uri;
    private final ExecChain.Scope scope;
    private final ExecChain chain;
    private final @Nullable String obstacle;
    private final CompletableFuture<@Nullable Void> cancelled = new CompletableFuture<>();

    // mutable, confined to the thread that makes the request
    private boolean listening;
    private @Nullable ApacheClientIdentity identity;
    private @Nullable List<Header> cookies;
    private @Nullable HttpRequest sent;
    private List<Header> sentLines = List.of();
    private @Nullable InputStream content;
    private boolean contentEnded;

    /**
     * Creates the exchange of one request.
     *
     * @param uri the address of the request
     */
    ChainExchange(ClassicHttpRequest request, URI uri, ExecChain.Scope scope, ExecChain chain) {
        this.request = request;
        this.uri = uri;
        this.scope = scope;
        this.chain = chain;
        String unknown = obstacleOf(request.getClass());
        this.obstacle = unknown == null ? obstacleIn(scope) : unknown;
    }

    /** Any other than the client's own may tell the rules one thing and the connection another, as one that answers a single method otherwise. */
    private static @Nullable String obstacleOf(Class<? extends ClassicHttpRequest> type) {
        return type.getName().startsWith(OF_APACHE)
                ? null
                : "an interceptor in front of " + NAME + " hands on a " + type.getName()
                        + ", which may send something else than it"
                        + " says; have it change the request that it is given, or hand on a BasicClassicHttpRequest";
    }

    /** Returns why requests must not share, or null. In front of CONNECT, a request comes first without a connection. */
    private static @Nullable String obstacleIn(ExecChain.Scope scope) {
        HttpClientContext context = scope.clientContext;
        ExecRuntime connection = scope.execRuntime;
        if (!connection.isEndpointAcquired()) {
            context.setAttribute(ARRIVED, connection);
        } else if (context.getAttribute(ARRIVED) != connection) {
            return MISPLACED;
        }
        return context.getAuthExchanges().values().stream().anyMatch(AuthExchange::isConnectionBased)
                ? OF_ONE_CONNECTION
                : null;
    }

    @Override
    public HttpRequestView request() {
        return this;
    }

    @Override
    public String method() {
        return request.getMethod();
    }

    /** Always the address that was asked for: {@link ApacheResponseHead} does not share the response if it was changed behind. */
    @Override
    public URI uri() {
        return uri;
    }

    @Override
    public void forEachHeader(BiConsumer<? super String, ? super List<String>> action) {
        if (sent == null) {
            List<Header> lines = new ArrayList<>(Arrays.asList(request.getHeaders()));
            lines.addAll(cookies());
            HeaderLines.forEach(lines, action);
        } else {
            HeaderLines.forEach(sentLines, action);
        }
    }

    /** A request that shares nothing leaves its cookies to the client. */
    private List<Header> cookies() {
        if (cookies == null) {
            cookies = obstacle == null ? StoredCookies.linesFor(request, scope) : List.of();
        }
        return cookies;
    }

    @Override
    public boolean hasBody() {
        HttpEntity entity = request.getEntity();
        return entity != null && entity.getContentLength() != 0;
    }

    /** As it is at arrival: the connection may tell the context its user later, by a certificate for example, on behalf of every caller. */
    @Override
    public Object client() {
        ApacheClientIdentity client = identity;
        if (client == null) {
            client = ApacheClientIdentity.of(scope);
            identity = client;
        }
        return client;
    }

    @Override
    public @Nullable String obstacle() {
        return obstacle;
    }

    /** Asked for before each wait. */
    @Override
    public CompletableFuture<?> cancelSignal() {
        scope.execRuntime.releaseEndpoint();
        if (!listening && scope.originalRequest instanceof CancellableDependency original) {
            listening = true;
            CompletableFuture<@Nullable Void> signal =
                    cancelled; // and not this exchange, which a request that is kept would keep
            original.setDependency(() -> signal.complete(null));
        }
        return cancelled;
    }

    /**
     * A cancellation takes the connection away; the failure is this request's own then. That is an unchecked exception where the
     * client was about to use the connection.
     */
    private void noticeCancellation() {
        if (scope.execRuntime.isExecutionAborted()) {
            cancelled.complete(null);
        }
    }

    @Override
    public ClassicHttpResponse send() throws IOException {
        noticeCancellation();
        if (cancelled.isDone()) {
            throw CollapseExecChainHandler.aborted(null);
        }
        List<String> added = OF_THE_CONNECTION.stream()
                .filter(name -> !request.containsHeader(name))
                .toList();
        try {
            ClassicHttpResponse response = chain.proceed(request, scope);
            HttpRequest processed = scope.clientContext.getRequest();
            HttpRequest last = processed == null ? request : processed;
            sentLines = Arrays.stream(last.getHeaders())
                    .filter(line -> !added.contains(line.getName().toLowerCase(Locale.ROOT)))
                    .toList();
            sent = last;
            return response;
        } catch (HttpException e) {
            noticeCancellation();
            throw new ProtocolFailure(e);
        } catch (IOException | RuntimeException e) {
            noticeCancellation();
            throw e;
        }
    }

    @Override
    public HttpResponseView headOf(ClassicHttpResponse response) {
        return new ApacheResponseHead(response, !isSentAsAsked());
    }

    private boolean isSentAsAsked() {
        HttpRequest last = sent;
        try {
            return last != null
                    && last.getMethod().equals(request.getMethod())
                    && last.getUri().equals(uri);
        } catch (URISyntaxException e) {
            return false;
        }
    }

    @Override
    public InputStream bodyOf(ClassicHttpResponse response) throws IOException {
        HttpEntity entity = response.getEntity();
        if (entity == null) {
            return InputStream.nullInputStream();
        }
        InputStream opened = entity.getContent();
        content = opened;
        return new Content(opened);
    }

    /** The content of a response as it comes from the connection. */
    private final class Content extends FilterInputStream {

        Content(InputStream content) {
            super(content);
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            try {
                int count = super.read(bytes, offset, length);
                contentEnded |= count < 0;
                return count;
            } catch (IOException | RuntimeException e) {
                noticeCancellation();
                throw e;
            }
        }
    }

    @Override
    public ClassicHttpResponse resumed(ClassicHttpResponse response, InputStream body) {
        HttpEntity entity = response.getEntity();
        if (entity != null) {
            response.setEntity(new ResumedEntity(entity, body));
        }
        return response;
    }

    @Override
    public ReceivedResponse attachmentOf(ClassicHttpResponse response) {
        return ReceivedResponse.of(response, content, scope.clientContext);
    }

    @Override
    public ClassicHttpResponse answer(SharedResponse shared, SharedResponse.Receiver receiver) {
        ReceivedResponse received = shared.attachment() instanceof ReceivedResponse own
                ? own
                : ReceivedResponse.ofInstance(shared, method());
        ClassicHttpResponse answer = received.copy(shared, receiver);
        HttpClientContext context = scope.clientContext;
        context.setResponse(answer);
        if (receiver == SharedResponse.Receiver.FOLLOWER) {
            context.setRoute(scope.route);
            context.setRequest(request);
            context.setSSLSession(received.tls());
            context.setEndpointDetails(received.endpoint());
        }
        return answer;
    }

    @Override
    public ClassicHttpResponse withHeader(ClassicHttpResponse response, String name, String value) {
        response.addHeader(name, value);
        return response;
    }

    /** The connection is of use to others if the body was read to its end. */
    @Override
    public void close(ClassicHttpResponse response) {
        if (contentEnded) {
            scope.execRuntime.releaseEndpoint();
        } else {
            scope.execRuntime.discardEndpoint();
        }
    }
}
