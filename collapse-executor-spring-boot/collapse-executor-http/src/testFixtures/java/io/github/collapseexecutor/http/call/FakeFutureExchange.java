package io.github.collapseexecutor.http.call;

import io.github.collapseexecutor.http.dryrun.BodyWatch;
import io.github.collapseexecutor.http.rules.FakeRequest;
import io.github.collapseexecutor.http.rules.FakeResponse;
import io.github.collapseexecutor.http.rules.HttpRequestView;
import io.github.collapseexecutor.http.rules.HttpResponseView;
import io.github.collapseexecutor.http.rules.SharedResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** An exchange without a network or a thread: a test answers it, and sees what became of the response. */
class FakeFutureExchange implements FutureExchange<FakeFutureExchange.Answer> {

    private final FakeRequest request;
    private final AtomicInteger sent = new AtomicInteger();
    final CompletableFuture<Answer> sending = new CompletableFuture<>();
    final CompletableFuture<BoundedBody<Answer>> collecting = new CompletableFuture<>();

    FakeFutureExchange(FakeRequest request) {
        this.request = request;
    }

    /** A response of this framework. */
    static final class Answer {
        final FakeResponse head;
        final String body;
        private volatile boolean closed;

        Answer(FakeResponse head, String body) {
            this.head = head;
            this.body = body;
        }

        boolean isClosed() {
            return closed;
        }
    }

    boolean wasSent() {
        return sent.get() > 0;
    }

    /** The header section arrives. */
    Answer receive(FakeResponse head, String body) {
        Answer answer = new Answer(head, body);
        sending.complete(answer);
        return answer;
    }

    /** Header section and body arrive. */
    Answer receiveWhole(FakeResponse head, String body) {
        Answer answer = receive(head, body);
        collecting.complete(BoundedBody.complete(body.getBytes(StandardCharsets.UTF_8), answer, null));
        return answer;
    }

    @Override
    public HttpRequestView request() {
        return request;
    }

    @Override
    public CompletableFuture<Answer> send() {
        if (sent.incrementAndGet() > 1) {
            throw new AssertionError("The exchange is sent a second time");
        }
        return sending;
    }

    @Override
    public HttpResponseView headOf(Answer response) {
        return response.head;
    }

    @Override
    public CompletableFuture<BoundedBody<Answer>> collect(Answer response, long limit) {
        return collecting;
    }

    /** The body is read at once. */
    @Override
    public Answer watched(Answer response, BodyWatch watch) {
        watch.read(ByteBuffer.wrap(response.body.getBytes(StandardCharsets.UTF_8)));
        watch.ended(true);
        return response;
    }

    @Override
    public Answer answer(SharedResponse response, SharedResponse.Receiver receiver) {
        FakeResponse head = FakeResponse.of(response.status());
        response.forEachHeader(receiver, (name, values) -> values.forEach(value -> head.with(name, value)));
        return new Answer(head, new String(readAll(response), StandardCharsets.UTF_8));
    }

    private static byte[] readAll(SharedResponse response) {
        try {
            return response.body().readAllBytes();
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Override
    public Answer withHeader(Answer response, String name, String value) {
        return new Answer(response.head.with(name, value), response.body);
    }

    @Override
    public void close(Answer response) {
        response.closed = true;
    }

    @Override
    public boolean isTransportFailure(Throwable failure) {
        return failure instanceof java.io.IOException;
    }
}
