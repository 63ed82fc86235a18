package io.github.collapseexecutor.http.jdk;

import io.github.collapseexecutor.http.call.BoundedBody;
import io.github.collapseexecutor.http.call.FutureExchange;
import io.github.collapseexecutor.http.dryrun.BodyWatch;
import io.github.collapseexecutor.http.rules.HttpRequestView;
import io.github.collapseexecutor.http.rules.HttpResponseView;
import io.github.collapseexecutor.http.rules.SharedResponse;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;

/**
 * A request on its way. Its response is fetched as a stream, which is not read before it is known who gets it.
 *
 * @param client the client that sends
 * @param view the request
 * @param headArrived is run when the head of the response is there
 */
record JdkExchange(HttpClient client, JdkRequestView view, Runnable headArrived)
        implements FutureExchange<UnreadResponse> {

    /** A client without a time-out of the request cannot be asked for. */
    private static final Duration NO_TIMEOUT = Duration.ofDays(3650);

    @Override
    public HttpRequestView request() {
        return view;
    }

    @Override
    public CompletableFuture<UnreadResponse> send() {
        view.lookForOtherCookies();
        CompletableFuture<UnreadResponse> result = new CompletableFuture<>();
        CompletableFuture<HttpResponse<Flow.Publisher<List<ByteBuffer>>>> sending =
                client.sendAsync(forAll(view.request()), BodyHandlers.ofPublisher());
        CompletableFuture<?> unused = sending.whenComplete((response, failure) -> {
            if (failure != null) {
                result.completeExceptionally(failure);
                return;
            }
            try {
                headArrived.run();
                UnreadResponse unread = UnreadResponse.of(response);
                if (!result.complete(unread)) {
                    unread.close();
                }
            } catch (Throwable thrown) { // the client would tell nobody
                result.completeExceptionally(thrown);
            }
        });
        CompletableFuture<?> unusedToo = result.whenComplete((response, failure) -> {
            if (result.isCancelled()) {
                sending.cancel(true);
            }
        });
        return result;
    }

    /** A time-out is the caller's own, see {@link Delivery}: it must not end the exchange that others wait for. */
    private static HttpRequest forAll(HttpRequest request) {
        return request.timeout().isEmpty()
                ? request
                : HttpRequest.newBuilder(request, (name, value) -> true)
                        .timeout(NO_TIMEOUT)
                        .build();
    }

    @Override
    public HttpResponseView headOf(UnreadResponse response) {
        if (response.received().headers().firstValue("Set-Cookie").isEmpty()) { // of this very response
            view.lookForOtherCookies();
        }
        return new JdkResponseHead(response.received(), client.cookieHandler().isPresent());
    }

    @Override
    public CompletableFuture<BoundedBody<UnreadResponse>> collect(UnreadResponse response, long limit) {
        return new JdkBodyCollector(response, limit).collect();
    }

    @Override
    public UnreadResponse watched(UnreadResponse response, BodyWatch watch) {
        Flow.Publisher<List<ByteBuffer>> body = response.body();
        if (body == null) {
            watch.ended(true);
            return response;
        }
        return response.withBody(new WatchedPublisher(body, watch));
    }

    @Override
    public UnreadResponse answer(SharedResponse response, SharedResponse.Receiver receiver) {
        return UnreadResponse.copyOf(response, receiver, view.request());
    }

    @Override
    public UnreadResponse withHeader(UnreadResponse response, String name, String value) {
        return response.withHeader(name, value);
    }

    @Override
    public void close(UnreadResponse response) {
        response.close();
    }

    @Override
    public boolean isTransportFailure(Throwable failure) {
        return failure instanceof IOException;
    }
}
