package io.github.collapseexecutor.foreign.client;

import com.github.mizosoft.methanol.Methanol;
import com.github.mizosoft.methanol.MoreBodyHandlers;
import io.github.collapseexecutor.http.jdk.CollapseHttpClient;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;

/** The JDK's client below Methanol, which has interceptors and body handlers of its own. */
final class JdkLibrary implements Library {

    /** Which body handler reads. */
    private enum Handler {
        STREAM,
        PUBLISHER,
        METHANOL_CHANNEL,
        METHANOL_DECODING_STREAM,
        METHANOL_READER,
        METHANOL_TIMEOUT
    }

    private static final List<Layer<Methanol.BaseBuilder<?>>> LAYERS = List.of(
            new Layer<>("read time-out", methanol -> methanol.readTimeout(Duration.ofSeconds(60))),
            new Layer<>("head time-out", methanol -> methanol.headersTimeout(Duration.ofSeconds(60))),
            new Layer<>("no encoding", methanol -> methanol.autoAcceptEncoding(false)),
            new Layer<>(
                    "interceptor", methanol -> methanol.interceptor(Methanol.Interceptor.create(request -> request))),
            new Layer<>(
                    "interceptor of the backend",
                    methanol -> methanol.backendInterceptor(Methanol.Interceptor.create(request -> request))));

    /** A client that does not ask for HTTP/2, which WireMock ends at times. */
    static HttpClient http1() {
        return HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    }

    @Override
    public Asker make(Draw draw) {
        HttpClient client = http1();
        var http = draw.http();
        var core = draw.core();
        if (draw.collapses()) {
            client = new CollapseHttpClient(client, http, core);
        }
        boolean bare = draw.oneOf(2, "bare");
        if (!bare) {
            Methanol.WithClientBuilder methanol = Methanol.newBuilder(client);
            draw.layers("layers", LAYERS).forEach(layer -> layer.add().accept(methanol));
            client = methanol.build();
        }
        return new OfJdk(client, bare, draw.pick(List.of(Handler.values())), draw.oneOf(2, "asynchronous"));
    }

    private record OfJdk(HttpClient client, boolean bare, Handler handler, boolean later) implements Asker {

        private static final int NO_CONTENT = 204;

        private interface Taking<T> {
            void take(T body) throws Exception;
        }

        @Override
        public void ask(URI uri, Reply reply) throws Exception {
            switch (reply.question().reading()) {
                case WHOLE -> ask(uri, BodyHandlers.ofByteArray(), reply, reply::bytes);
                case TEXT -> ask(uri, BodyHandlers.ofString(), reply, reply::text);
                case HEAD ->
                    // below Methanol's time-outs, a reader that cancels gets no end, with collapsing or without
                    ask(uri, bare ? OfJdk::withoutBody : BodyHandlers.discarding(), reply, body -> {});
                default -> askForPart(uri, reply);
            }
        }

        /** Cancels where there is no body, and waits for the end nevertheless. */
        private static BodySubscriber<Void> withoutBody(HttpResponse.ResponseInfo response) {
            BodySubscriber<Void> discarding = BodySubscribers.discarding();
            return response.statusCode() != NO_CONTENT
                    ? discarding
                    : BodySubscribers.fromSubscriber(
                            new Flow.Subscriber<List<ByteBuffer>>() {
                                @Override
                                public void onSubscribe(Flow.Subscription subscription) {
                                    subscription.cancel();
                                }

                                @Override
                                public void onNext(List<ByteBuffer> item) {
                                    discarding.onNext(item);
                                }

                                @Override
                                public void onError(Throwable failure) {
                                    discarding.onError(failure);
                                }

                                @Override
                                public void onComplete() {
                                    discarding.onComplete();
                                }
                            },
                            cancelled -> null);
        }

        private void askForPart(URI uri, Reply reply) throws Exception {
            Taking<InputStream> stream = body -> {
                try (body) {
                    reply.read(body);
                }
            };
            switch (handler) {
                case STREAM -> ask(uri, BodyHandlers.ofInputStream(), reply, stream);
                case PUBLISHER -> ask(uri, BodyHandlers.ofPublisher(), reply, body -> readPart(body, reply));
                case METHANOL_CHANNEL ->
                    ask(
                            uri,
                            MoreBodyHandlers.ofByteChannel(),
                            reply,
                            body -> stream.take(java.nio.channels.Channels.newInputStream(body)));
                case METHANOL_DECODING_STREAM ->
                    ask(uri, MoreBodyHandlers.decoding(BodyHandlers.ofInputStream()), reply, stream);
                case METHANOL_READER ->
                    ask(uri, MoreBodyHandlers.ofReader(), reply, body -> {
                        try (Reader in = body) {
                            for (int c = in.read(); c >= 0 && !reply.hasEnough(); c = in.read()) {
                                reply.bytes(new byte[] {(byte) c});
                            }
                        }
                    });
                case METHANOL_TIMEOUT ->
                    ask(
                            uri,
                            MoreBodyHandlers.withReadTimeout(BodyHandlers.ofInputStream(), Duration.ofSeconds(60)),
                            reply,
                            stream);
            }
        }

        private <T> void ask(URI uri, BodyHandler<T> reads, Reply reply, Taking<T> take) throws Exception {
            HttpRequest request = HttpRequest.newBuilder(uri)
                    .header("Authorization", "Bearer " + reply.question().user())
                    .build();
            HttpResponse<T> response;
            try {
                response = later ? client.sendAsync(request, reads).get() : client.send(request, reads);
            } catch (ExecutionException e) {
                throw e.getCause() instanceof Exception cause ? cause : e;
            }
            reply.status(response.statusCode());
            response.headers().map().forEach((name, values) -> reply.header(name, values.toString()));
            take.take(response.body());
        }

        /** One element after another, and cancels where the caller has enough. */
        private static void readPart(Flow.Publisher<List<ByteBuffer>> body, Reply reply) throws Exception {
            CompletableFuture<Void> end = new CompletableFuture<>();
            body.subscribe(new Flow.Subscriber<>() {

                private Flow.Subscription subscription = new Flow.Subscription() {
                    @Override
                    public void request(long n) {}

                    @Override
                    public void cancel() {}
                };

                @Override
                public void onSubscribe(Flow.Subscription given) {
                    subscription = given;
                    given.request(1);
                }

                @Override
                public void onNext(List<ByteBuffer> item) {
                    try {
                        for (ByteBuffer buffer : item) {
                            byte[] bytes = new byte[buffer.remaining()];
                            buffer.get(bytes);
                            reply.bytes(bytes);
                        }
                        if (reply.hasEnough()) {
                            subscription.cancel();
                            end.complete(null);
                        } else {
                            subscription.request(1);
                        }
                    } catch (RuntimeException e) {
                        subscription.cancel();
                        end.completeExceptionally(e);
                    }
                }

                @Override
                public void onError(Throwable failure) {
                    end.completeExceptionally(failure);
                }

                @Override
                public void onComplete() {
                    end.complete(null);
                }
            });
            try {
                end.get();
            } catch (ExecutionException e) {
                throw e.getCause() instanceof Exception cause ? cause : new IOException(e);
            }
        }
    }
}
