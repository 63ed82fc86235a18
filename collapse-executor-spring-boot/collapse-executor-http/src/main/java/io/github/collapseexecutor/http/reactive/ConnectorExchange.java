package io.github.collapseexecutor.http.reactive;

import io.github.collapseexecutor.http.rules.SharedResponse;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ResponseCookie;
import org.springframework.http.client.reactive.ClientHttpConnector;
import org.springframework.http.client.reactive.ClientHttpRequest;
import org.springframework.http.client.reactive.ClientHttpResponse;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/** A request on its way through the connector of a {@code WebClient}. */
final class ConnectorExchange extends ReactiveExchange<ClientHttpResponse> {

    private static final String NATIVE =
            "the httpRequest(…) callback of a WebClient request asks for the request of the HTTP"
                    + " library, so that the CollapseClientHttpConnector cannot know what will be sent; set headers and cookies on"
                    + " the request instead";

    // immutable
    private final ClientHttpConnector connector;
    private final RequestHead asked;
    private final Function<? super ClientHttpRequest, Mono<Void>> write;
    private final boolean complete;
    private final @Nullable String obstacle;

    private ConnectorExchange(
            ClientHttpConnector connector,
            RequestHead asked,
            Function<? super ClientHttpRequest, Mono<Void>> write,
            boolean complete,
            @Nullable String obstacle,
            ContextView context) {
        super(asked, context);
        this.connector = connector;
        this.asked = asked;
        this.write = write;
        this.complete = complete;
        this.obstacle = obstacle;
    }

    /** A request whose headers are known, and that has no body. */
    static ConnectorExchange of(ClientHttpConnector connector, RecordedRequest recorded, ContextView context) {
        return new ConnectorExchange(connector, RequestHead.copyOf(recorded), recorded::writeTo, true, null, context);
    }

    /** A request that is sent as if there were no collapsing. */
    static ConnectorExchange unshared(
            ClientHttpConnector connector,
            RequestHead asked,
            Function<? super ClientHttpRequest, Mono<Void>> write,
            boolean askedForNative,
            ContextView context) {
        return new ConnectorExchange(connector, asked, write, askedForNative, askedForNative ? NATIVE : null, context);
    }

    /** A request of which is not known what it has is taken to have a body. */
    @Override
    public boolean hasBody() {
        return !complete;
    }

    @Override
    public @Nullable String obstacle() {
        return obstacle == null ? unseen() : obstacle;
    }

    @Override
    Mono<ClientHttpResponse> exchange() {
        HttpMethod method = HttpMethod.valueOf(asked.method());
        if (!complete || isAlone()) {
            return connector.connect(method, asked.uri(), write);
        }
        willBeSeen();
        return connector.connect(method, asked.uri(), request -> {
            watch(request);
            return write.apply(request);
        });
    }

    @Override
    ClientHttpConnector transport() {
        return connector;
    }

    @Override
    HttpStatusCode statusOf(ClientHttpResponse response) {
        return response.getStatusCode();
    }

    @Override
    HttpHeaders headersOf(ClientHttpResponse response) {
        return response.getHeaders();
    }

    @Override
    Flux<DataBuffer> bodyOf(ClientHttpResponse response) {
        return response.getBody();
    }

    @Override
    ClientHttpResponse withBody(ClientHttpResponse response, Flux<DataBuffer> body) {
        return new ReactiveCopiedResponse(response.getStatusCode(), response.getHeaders(), response.getCookies(), body);
    }

    @Override
    ClientHttpResponse withHeader(ClientHttpResponse response, String name, List<String> values) {
        HttpHeaders headers = new HttpHeaders();
        RequestHead.copy(response.getHeaders(), headers);
        headers.put(name, values);
        return new ReactiveCopiedResponse(response.getStatusCode(), headers, response.getCookies(), response.getBody());
    }

    @Override
    ClientHttpResponse brokenAnswer(ReactiveBrokenBody broken, Throwable failure) {
        return new ReactiveCopiedResponse(
                broken.status(), broken.headers(), new LinkedMultiValueMap<>(), Flux.error(failure));
    }

    /** Each client above decodes for itself. */
    @Override
    @Nullable Object attachmentOf(ClientHttpResponse response) {
        return null;
    }

    @Override
    public ClientHttpResponse answer(SharedResponse response, SharedResponse.Receiver receiver) {
        ClientHttpResponse own = receiver == SharedResponse.Receiver.LEADER ? received() : null;
        MultiValueMap<String, ResponseCookie> cookies = own == null ? new LinkedMultiValueMap<>() : own.getCookies();
        return new ReactiveCopiedResponse(
                HttpStatusCode.valueOf(response.status()),
                sharedHeaders(response, receiver),
                cookies,
                sharedBody(response));
    }

    /** What the connector fails with comes of the transport: nothing of the application is behind it. */
    @Override
    public boolean isTransportFailure(Throwable failure) {
        return !(failure instanceof ResponseReceiver.NoResponseException);
    }
}
