package io.github.collapseexecutor.http.reactive;

import io.github.collapseexecutor.http.CollectedBody;
import io.github.collapseexecutor.http.FutureExchange;
import io.github.collapseexecutor.http.HttpRequestView;
import io.github.collapseexecutor.http.HttpResponseView;
import io.github.collapseexecutor.http.SharedResponse;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpStatusCode;
import org.springframework.web.reactive.function.BodyExtractors;
import org.springframework.web.reactive.function.BodyInserters;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import org.springframework.web.reactive.function.client.ExchangeStrategies;
import org.springframework.web.reactive.function.client.WebClientRequestException;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.util.context.ContextView;

/** A request on its way through a chain of filters, for one subscriber. */
final class ReactiveExchange implements FutureExchange<ClientResponse>, HttpRequestView {

    private static final int CHUNK = 16 * 1024;

    // immutable
    private final ClientRequest request;
    private final ExchangeFunction next;
    private final ContextView context;

    // mutable; written when the header section has come, read by those who come later
    private volatile @Nullable ClientResponse received;

    ReactiveExchange(ClientRequest request, ExchangeFunction next, ContextView context) {
        this.request = request;
        this.next = next;
        this.context = context;
    }

    @Override
    public HttpRequestView request() {
        return this;
    }

    @Override
    public String method() {
        return request.method().name();
    }

    @Override
    public URI uri() {
        return request.url();
    }

    /** Cookies are kept apart from the other headers until they are written. */
    @Override
    public void forEachHeader(BiConsumer<? super String, ? super List<String>> action) {
        request.headers().forEach(action);
        List<String> cookies = new ArrayList<>();
        request.cookies().forEach((name, values) -> values.forEach(value -> cookies.add(name + "=" + value)));
        if (!cookies.isEmpty()) {
            action.accept("Cookie", cookies);
        }
    }

    /** What another inserter than the empty one inserts is not known before it has done so. */
    @Override
    public boolean hasBody() {
        return request.body() != BodyInserters.empty();
    }

    @Override
    public CompletableFuture<ClientResponse> send() {
        ResponseReceiver receiver = new ResponseReceiver(context);
        next.exchange(request).subscribe(receiver);
        return receiver.response();
    }

    @Override
    public HttpResponseView headOf(ClientResponse response) {
        return new ResponseHead(response);
    }

    private record ResponseHead(ClientResponse response) implements HttpResponseView {
        @Override
        public int status() {
            return response.statusCode().value();
        }

        /** WebClient does not know it. */
        @Override
        public String reason() {
            return "";
        }

        @Override
        public void forEachHeader(BiConsumer<? super String, ? super List<String>> action) {
            response.headers().asHttpHeaders().forEach(action);
        }
    }

    @Override
    public CompletableFuture<CollectedBody<ClientResponse>> collect(ClientResponse response, long limit) {
        received = response;
        BodyCollector collector = new BodyCollector(limit, context);
        CompletableFuture<CollectedBody<ClientResponse>> collected = collector
                .ended()
                .thenApply(complete -> complete ? whole(response, collector) : rest(response, collector));
        CompletableFuture<CollectedBody<ClientResponse>> unused = collected.whenComplete((body, failure) -> {
            if (collected.isCancelled()) {
                collector.dispose();
            }
        });
        response.body(BodyExtractors.toDataBuffers()).subscribe(collector);
        return collected;
    }

    private static CollectedBody<ClientResponse> whole(ClientResponse response, BodyCollector collector) {
        byte[] bytes = collector.bytes();
        ClientResponse unread = response.mutate()
                .body(read -> Flux.defer(() -> Flux.just(DefaultDataBufferFactory.sharedInstance.wrap(bytes))))
                .build();
        return CollectedBody.complete(bytes, unread, response.strategies());
    }

    private static CollectedBody<ClientResponse> rest(ClientResponse response, BodyCollector collector) {
        return CollectedBody.tooLarge(
                response.mutate().body(read -> collector.resumed()).build());
    }

    @Override
    public ClientResponse answer(SharedResponse response, SharedResponse.Receiver receiver) {
        ExchangeStrategies strategies = (ExchangeStrategies) Objects.requireNonNull(response.attachment());
        ClientResponse.Builder answer = ClientResponse.create(HttpStatusCode.valueOf(response.status()), strategies)
                .request(new SentRequest(request))
                .headers(headers ->
                        response.forEachHeader(receiver, (name, values) -> headers.put(name, new ArrayList<>(values))))
                .body(bodyOf(response));
        ClientResponse own = received;
        if (receiver == SharedResponse.Receiver.LEADER && own != null) {
            answer.cookies(cookies -> cookies.addAll(own.cookies()));
        }
        return answer.build();
    }

    /** Buffers of one's own for each who reads. */
    private static Flux<DataBuffer> bodyOf(SharedResponse response) {
        return response.bodyLength() == 0
                ? Flux.empty()
                : DataBufferUtils.readInputStream(
                        response::body,
                        DefaultDataBufferFactory.sharedInstance,
                        Math.min(CHUNK, response.bodyLength()));
    }

    @Override
    public ClientResponse withHeader(ClientResponse response, String name, String value) {
        List<String> values =
                new ArrayList<>(response.headers().header(name)); // those of some transports cannot be added to
        values.add(value);
        return response.mutate().headers(headers -> headers.put(name, values)).build();
    }

    @Override
    public void close(ClientResponse response) {
        release(response);
    }

    /** Ends the exchange of a response that nobody reads, instead of receiving all of it. */
    static void release(ClientResponse response) {
        response.body(BodyExtractors.toDataBuffers()).subscribe(new BaseSubscriber<>() {
            @Override
            protected void hookOnSubscribe(Subscription subscription) {
                subscription.cancel();
            }
        });
    }

    /** Once there is a response, nothing but the transport can fail. */
    @Override
    public boolean isTransportFailure(Throwable failure) {
        return received != null || failure instanceof WebClientRequestException || failure instanceof IOException;
    }
}
