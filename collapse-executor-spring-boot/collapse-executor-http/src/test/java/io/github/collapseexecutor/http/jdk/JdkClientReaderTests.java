package io.github.collapseexecutor.http.jdk;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.gate.OnEachJdk;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.OriginReply;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The reader of a caller is called outside any lock, in the order of the Reactive Streams rules. */
@OnEachJdk
class JdkClientReaderTests extends JdkClientFixture {

    /** Waits in its first signal for another thread that cancels the request. */
    private static final class WaitingReader extends Reader {

        final CountDownLatch called = new CountDownLatch(1);
        final CountDownLatch cancelled = new CountDownLatch(1);
        final CompletableFuture<Boolean> cancelledMeanwhile = new CompletableFuture<>();

        @Override
        public void onNext(List<ByteBuffer> item) {
            called.countDown();
            try {
                cancelledMeanwhile.complete(cancelled.await(20, TimeUnit.SECONDS));
            } catch (InterruptedException e) {
                cancelledMeanwhile.completeExceptionally(e);
            }
        }
    }

    private void assertCancelsWhileItsReaderWaits(HttpClient client) throws Exception {
        WaitingReader reader = new WaitingReader();
        CompletableFuture<HttpResponse<String>> caller = client.sendAsync(get(), info -> reader);
        assertThat(reader.called.await(30, TimeUnit.SECONDS)).isTrue();
        caller.cancel(true);
        reader.cancelled.countDown();
        assertThat(valueOf(reader.cancelledMeanwhile)).isTrue();
        assertThat(valueOf(reader.failure)).isInstanceOf(IOException.class);
    }

    @Test
    void H24_aReaderOfItsOwnBodyMayWaitForAThreadThatCancels() throws Exception {
        origin.answer(request -> OriginReply.ok("half").stalled());
        assertCancelsWhileItsReaderWaits(fresh());
    }

    @Test
    void H24_aReaderOfASharedBodyMayWaitForAThreadThatCancels() throws Exception {
        assertCancelsWhileItsReaderWaits(collapsing());
    }

    @Test
    void H24_aReaderOfABodyOverTheLimitMayWaitForAThreadThatCancels() throws Exception {
        origin.answer(request -> OriginReply.ok("0123456789".repeat(200_000)).chunked());
        HttpCollapseOptions little = everything().maxBodySize(3).build();
        assertCancelsWhileItsReaderWaits(new CollapseHttpClient(JdkClients.PLAIN, little, IN_FLIGHT));
    }

    /** Cancels its request in the middle of a signal, and counts what comes after. */
    private static final class LeavingReader extends Reader {

        final CompletableFuture<CompletableFuture<?>> caller = new CompletableFuture<>();
        private int signals;
        private int atFailure;

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(List<ByteBuffer> item) {
            signals++;
            caller.join().cancel(true);
            atFailure = failure.isDone() ? 1 : 0;
        }
    }

    @Test
    void H24_aReaderThatLeavesInASignalIsToldAfterItAndGetsNoMore() throws Exception {
        origin.answer(request -> OriginReply.ok("0123456789".repeat(200_000)).chunked());
        LeavingReader reader = new LeavingReader();
        CompletableFuture<HttpResponse<String>> caller = fresh().sendAsync(get(), info -> reader);
        reader.caller.complete(caller);
        assertThat(valueOf(reader.failure)).isInstanceOf(IOException.class);
        assertThat(reader.signals).isEqualTo(1);
        assertThat(reader.atFailure).isZero();
    }

    /** The stream is there before its bytes are, and the thread that has it may be the one that brings them. */
    @Test
    void H43_aStageBehindTheFutureReadsTheStreamOfTheBody() throws Exception {
        for (HttpClient client : List.of(JdkClients.PLAIN, fresh(), collapsing())) {
            CompletableFuture<String> text = client.sendAsync(get(), BodyHandlers.ofInputStream())
                    .thenApply(response -> {
                        try (InputStream body = response.body()) {
                            return new String(body.readAllBytes(), StandardCharsets.UTF_8);
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    });
            assertThat(text.get(30, TimeUnit.SECONDS)).isEqualTo("/a");
        }
    }

    /** Has the whole body, and then fails, of which the JDK's client takes no notice. */
    private static final class FailingAtTheEnd implements HttpResponse.BodySubscriber<String> {

        private final HttpResponse.BodySubscriber<String> text =
                HttpResponse.BodySubscribers.ofString(StandardCharsets.UTF_8);

        @Override
        public CompletionStage<String> getBody() {
            return text.getBody();
        }

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            text.onSubscribe(subscription);
        }

        @Override
        public void onNext(List<ByteBuffer> item) {
            text.onNext(item);
        }

        @Override
        public void onError(Throwable failure) {
            text.onError(failure);
        }

        @Override
        public void onComplete() {
            text.onComplete();
            throw new IllegalStateException("behind the end");
        }
    }

    @Test
    void H43_aReaderThatFailsBehindTheEndOfItsBodyHasItsBody() throws Exception {
        for (HttpClient client : List.of(JdkClients.PLAIN, fresh(), collapsing())) {
            assertThat(client.send(get(), info -> new FailingAtTheEnd()).body()).isEqualTo("/a");
        }
    }
}
