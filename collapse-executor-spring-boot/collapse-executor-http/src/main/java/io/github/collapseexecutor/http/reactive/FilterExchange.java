package io.github.collapseexecutor.http.reactive;

import io.github.collapseexecutor.http.rules.SharedResponse;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.web.reactive.function.BodyExtractors;
import org.springframework.web.reactive.function.BodyInserters;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import org.springframework.web.reactive.function.client.ExchangeStrategies;
import org.springframework.web.reactive.function.client.WebClientRequestException;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/** A request on its way through the filters of a {@code WebClient}. */
final class FilterExchange extends ReactiveExchange<ClientResponse> {

    // immutable
    private final ClientRequest request;
    private final ExchangeFunction next;
    private final ClientBehind behind;

    FilterExchange(ClientRequest request, ExchangeFunction next, ClientBehind behind, ContextView context) {
        super(RequestHead.of(request), context);
        this.request = request;
        this.next = next;
        this.behind = behind;
    }

    /** What another inserter than the empty one inserts is not known before it has done so. */
    @Override
    public boolean hasBody() {
        return request.body() != BodyInserters.empty();
    }

    @Override
    public @Nullable Object client() {
        return behind.client();
    }

    @Override
    public @Nullable String obstacle() {
        if (request.httpRequest() != null) {
            return "httpRequest(…) of a WebClient request may change on whose behalf the request is made, behind the"
                    + " CollapseExchangeFilterFunction; set headers and cookies on the request instead, or give the"
                    + " WebClient a CollapseClientHttpConnector in place of the filter";
        }
        String obstacle = behind.obstacle();
        return obstacle == null ? unseen() : obstacle;
    }

    /** A request that may not be shared is sent as it is. */
    @Override
    Mono<ClientResponse> exchange() {
        if (!RequestHead.isShared(request.method()) || hasBody() || isAlone()) {
            return next.exchange(request);
        }
        willBeSeen();
        return next.exchange(new ReactiveWatchedRequest(request, this::watch));
    }

    @Override
    @Nullable Object transport() {
        return behind.client();
    }

    @Override
    HttpStatusCode statusOf(ClientResponse response) {
        return response.statusCode();
    }

    @Override
    HttpHeaders headersOf(ClientResponse response) {
        return response.headers().asHttpHeaders();
    }

    @Override
    Flux<DataBuffer> bodyOf(ClientResponse response) {
        return response.body(BodyExtractors.toDataBuffers());
    }

    @Override
    ClientResponse withBody(ClientResponse response, Flux<DataBuffer> body) {
        return response.mutate().body(read -> body).build();
    }

    @Override
    ClientResponse withHeader(ClientResponse response, String name, List<String> values) {
        return response.mutate().headers(headers -> headers.put(name, values)).build();
    }

    @Override
    ClientResponse brokenAnswer(ReactiveBrokenBody broken, Throwable failure) {
        return ClientResponse.create(broken.status(), strategies(broken.attachment()))
                .request(new FollowerRequest(request))
                .headers(headers -> RequestHead.copy(broken.headers(), headers))
                .body(Flux.<DataBuffer>error(failure)) // before its first byte
                .build();
    }

    private ExchangeStrategies strategies(@Nullable Object attachment) {
        return Objects.requireNonNull(
                attachment instanceof ExchangeStrategies attached ? attached : behind.strategies());
    }

    @Override
    Object attachmentOf(ClientResponse response) {
        return response.strategies();
    }

    /** A body is decoded by the codecs of the client that asks, which another instance does not attach. */
    @Override
    public boolean answersWithoutAttachment() {
        return behind.strategies() != null;
    }

    @Override
    public ClientResponse answer(SharedResponse response, SharedResponse.Receiver receiver) {
        ClientResponse.Builder answer = ClientResponse.create(
                        HttpStatusCode.valueOf(response.status()), strategies(response.attachment()))
                .request(new FollowerRequest(request))
                .headers(headers -> RequestHead.copy(sharedHeaders(response, receiver), headers))
                .body(sharedBody(response));
        ClientResponse own = received();
        if (receiver == SharedResponse.Receiver.LEADER && own != null) {
            answer.cookies(cookies -> RequestHead.copy(own.cookies(), cookies));
        }
        ClientResponse built = answer.build();
        if (receiver == SharedResponse.Receiver.FOLLOWER) {
            ObservedFollower.answered(callerContext(), built);
        }
        return built;
    }

    /** Once there is a response, nothing but the transport can fail. */
    @Override
    public boolean isTransportFailure(Throwable failure) {
        return received() != null || failure instanceof WebClientRequestException || failure instanceof IOException;
    }

    /**
     * Every caller gets an exception of its own, because operators add to its suppressed ones, and with its own request; one whose
     * leader's transport has failed gets that of a client whose transport fails.
     */
    Throwable ownFailure(Throwable failure) {
        Throwable cause = failure instanceof WebClientRequestException ? failure.getCause() : failure;
        return isOwn(failure) || cause == null
                ? failure
                : new WebClientRequestException(cause, request.method(), request.url(), request.headers());
    }
}
