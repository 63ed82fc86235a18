package io.github.collapseexecutor.http.jdk;

import io.github.collapseexecutor.http.fixture.OriginFixture;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;

/** An origin, clients of the JDK that collapse, and requests to it. */
abstract class JdkClientFixture extends OriginFixture {

    /** A client whose requests join calls in flight. */
    static HttpClient collapsing(HttpClient client) {
        return new CollapseHttpClient(client, everything().build(), IN_FLIGHT);
    }

    static HttpClient collapsing() {
        return collapsing(JdkClients.PLAIN);
    }

    /** A client of which a lone caller cannot be joined. */
    static HttpClient fresh() {
        return new CollapseHttpClient(JdkClients.PLAIN, everything().build());
    }

    static HttpClient over(WatchedClient watched) {
        return new CollapseHttpClient(watched, everything().build(), IN_FLIGHT, null);
    }

    HttpRequest.Builder request() {
        return HttpRequest.newBuilder(origin.uri("/a"));
    }

    HttpRequest get() {
        return request().build();
    }

    CompletableFuture<HttpResponse<String>> sendAsync(HttpClient client) {
        return client.sendAsync(get(), BodyHandlers.ofString());
    }

    static <T> T valueOf(CompletableFuture<T> future) throws Exception {
        return future.get(30, TimeUnit.SECONDS);
    }

    static Throwable failureOf(CompletableFuture<?> future) throws Exception {
        try {
            throw new AssertionError("Expected a failure, got " + valueOf(future));
        } catch (ExecutionException e) {
            return e.getCause();
        }
    }

    /** A reader that never ends by itself, and tells of its failure. */
    static class Reader implements HttpResponse.BodySubscriber<String> {

        final CountDownLatch begun = new CountDownLatch(1);
        final CompletableFuture<Throwable> failure = new CompletableFuture<>();

        @Override
        public CompletionStage<String> getBody() {
            return new CompletableFuture<>();
        }

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(List<ByteBuffer> item) {
            begun.countDown();
        }

        @Override
        public void onError(Throwable throwable) {
            failure.complete(throwable);
        }

        @Override
        public void onComplete() {}
    }
}
