package io.github.collapseexecutor.http.call;

import io.github.collapseexecutor.http.rules.FakeRequest;
import io.github.collapseexecutor.http.rules.FakeResponse;
import io.github.collapseexecutor.http.rules.HttpRequestView;
import io.github.collapseexecutor.http.rules.HttpResponseView;
import io.github.collapseexecutor.http.rules.SharedResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** An exchange without a network: a test says what sending it does, and sees what became of the response. */
final class FakeExchange implements BlockingExchange<FakeExchange.Answer> {

    private final FakeRequest request;
    private final Sending sending;
    private final CountDownLatch sent = new CountDownLatch(1);
    private volatile @Nullable Answer received;

    FakeExchange(FakeRequest request, Sending sending) {
        this.request = request;
        this.sending = sending;
    }

    interface Sending {
        Answer send() throws IOException;

        /** Fails with any exception, as what is compiled from Kotlin may do. */
        static Sending throwing(Exception failure) {
            return () -> {
                Sending.<RuntimeException>throwAs(failure);
                throw new AssertionError(failure);
            };
        }

        // The cast is erased, so that nothing is cast at run time.
        @SuppressWarnings("unchecked")
        private static <T extends Exception> void throwAs(Exception failure) throws T {
            throw (T) failure;
        }
    }

    /** A response of this client. */
    static final class Answer {
        final FakeResponse head;
        final InputStream body;
        final @Nullable Answer original;
        private volatile boolean closed;

        Answer(FakeResponse head, InputStream body) {
            this(head, body, null);
        }

        private Answer(FakeResponse head, InputStream body, @Nullable Answer original) {
            this.head = head;
            this.body = body;
            this.original = original;
        }

        static Answer of(FakeResponse head, String body) {
            return new Answer(head, new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)));
        }

        void close() {
            closed = true;
            if (original != null) {
                original.close();
            }
        }

        boolean isClosed() {
            return closed;
        }

        String text() throws IOException {
            return new String(body.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** What send returned, not what the application got. */
    @Nullable Answer received() {
        return received;
    }

    boolean wasSent() {
        return sent.getCount() == 0;
    }

    void awaitSent() throws InterruptedException {
        if (!sent.await(30, TimeUnit.SECONDS)) {
            throw new AssertionError("The exchange was not sent");
        }
    }

    @Override
    public HttpRequestView request() {
        return request;
    }

    @Override
    public Answer send() throws IOException {
        if (wasSent()) {
            throw new AssertionError("The exchange is sent a second time");
        }
        sent.countDown();
        Answer answer = sending.send();
        received = answer;
        return answer;
    }

    @Override
    public HttpResponseView headOf(Answer response) throws IOException {
        if (response.head.status() == 0) {
            throw new IOException("no status line");
        }
        return response.head;
    }

    @Override
    public InputStream bodyOf(Answer response) {
        return response.body;
    }

    @Override
    public Answer resumed(Answer response, InputStream body) {
        return new Answer(response.head, body, response);
    }

    @Override
    public Answer answer(SharedResponse response, SharedResponse.Receiver receiver) {
        return new Answer(FakeResponse.of(response.status()), response.body());
    }

    @Override
    public Answer withHeader(Answer response, String name, String value) {
        return new Answer(response.head.with(name, value), response.body, response);
    }

    @Override
    public void close(Answer response) {
        response.close();
    }
}
