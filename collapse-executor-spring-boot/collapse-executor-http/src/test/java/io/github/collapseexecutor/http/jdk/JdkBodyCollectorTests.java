package io.github.collapseexecutor.http.jdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.collapseexecutor.gate.OnEachJdk;
import io.github.collapseexecutor.http.call.BoundedBody;
import java.net.http.HttpClient;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** A body for which there is no memory fails the callers that wait for it: the client tells nobody what its subscriber throws. */
@OnEachJdk
class JdkBodyCollectorTests extends JdkClientFixture {

    private static final int MIB = 1 << 20;

    private final AtomicBoolean cancelled = new AtomicBoolean();

    /** Its bytes are one array, seen from many buffers, that no other array could hold at once. */
    @Test
    void aBodyThatFitsIntoNoArrayFailsItsCallers() throws Exception {
        ByteBuffer part = ByteBuffer.allocate(MIB).asReadOnlyBuffer();
        List<ByteBuffer> body = new ArrayList<>(Collections.nCopies(2_047, part));
        body.add(ByteBuffer.allocate(MIB - 1));
        assertThatIsOutOfMemory(collected(body));
    }

    @Test
    void aBufferThatCannotBeKeptFailsTheCallersAndEndsTheExchange() throws Exception {
        assertThatIsOutOfMemory(collected(new ArrayList<>() {
            @Override
            public Object[] toArray() {
                throw new OutOfMemoryError("as if the heap were full");
            }
        }));
        assertThat(cancelled).isTrue();
    }

    private static void assertThatIsOutOfMemory(CompletableFuture<?> collected) {
        assertThatThrownBy(() -> collected.get(30, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(OutOfMemoryError.class);
    }

    private CompletableFuture<BoundedBody<UnreadResponse>> collected(List<ByteBuffer> body) throws Exception {
        UnreadResponse response = UnreadResponse.of(HttpClient.newHttpClient().send(get(), BodyHandlers.ofPublisher()));
        response.close();
        JdkBodyCollector collector =
                new JdkBodyCollector(response.withBody(reader -> emit(body, reader)), Integer.MAX_VALUE);
        return collector.collect();
    }

    /** A source that tells nobody what its subscriber throws, as that of the client. */
    private void emit(List<ByteBuffer> body, Flow.Subscriber<? super List<ByteBuffer>> reader) {
        AtomicBoolean sent = new AtomicBoolean();
        reader.onSubscribe(new Flow.Subscription() {
            @Override
            public void request(long count) {
                CompletableFuture<Void> unused = CompletableFuture.runAsync(() -> {
                    if (sent.compareAndSet(false, true)) {
                        reader.onNext(body);
                    } else {
                        reader.onComplete();
                    }
                });
            }

            @Override
            public void cancel() {
                cancelled.set(true);
            }
        });
    }
}
