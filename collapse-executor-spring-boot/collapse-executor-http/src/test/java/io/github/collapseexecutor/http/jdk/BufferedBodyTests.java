package io.github.collapseexecutor.http.jdk;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.gate.OnEachJdk;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Flow;
import org.junit.jupiter.api.Test;

/** A body in memory keeps the rules of {@link Flow}, and each of its readers reads it from the first byte on. */
@OnEachJdk
class BufferedBodyTests {

    private static BufferedBody of(String text) {
        return new BufferedBody(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }

    /** What a reader gets that asks for so many items, one request after another. */
    private static List<String> read(BufferedBody body, long... requests) {
        List<String> events = new ArrayList<>();
        body.subscribe(new Flow.Subscriber<>() {
            @Override
            public void onSubscribe(Flow.Subscription subscription) {
                for (long count : requests) {
                    if (count == Long.MIN_VALUE) {
                        subscription.cancel();
                    } else {
                        subscription.request(count);
                    }
                }
            }

            @Override
            public void onNext(List<ByteBuffer> item) {
                item.forEach(buffer ->
                        events.add(StandardCharsets.UTF_8.decode(buffer).toString()));
            }

            @Override
            public void onError(Throwable failure) {
                events.add(failure.getClass().getSimpleName());
            }

            @Override
            public void onComplete() {
                events.add("end");
            }
        });
        return events;
    }

    @Test
    void H28_everyReaderReadsTheWholeBodyOnce() {
        BufferedBody body = of("all");
        assertThat(read(body, 1)).containsExactly("all", "end");
        assertThat(read(body, 1, 1, Long.MAX_VALUE)).containsExactly("all", "end");
    }

    @Test
    void aReaderThatAsksForNothingGetsNothing() {
        assertThat(read(of("all"))).isEmpty();
    }

    @Test
    void aBodyWithoutBytesEndsWithoutBeingAskedForAndHasNoItem() {
        assertThat(read(of(""))).containsExactly("end");
        assertThat(read(of(""), 1)).containsExactly("end");
    }

    @Test
    void aReaderThatHasLeftGetsNothing() {
        assertThat(read(of("all"), Long.MIN_VALUE, 1)).isEmpty();
    }

    /** A caller that waits for the end, as {@code send} does, would wait for good. */
    @Test
    void aBodyWithoutBytesEndsForAReaderThatHasLeftOrAsksForNoItems() {
        assertThat(read(of(""), Long.MIN_VALUE)).containsExactly("end");
        assertThat(read(of(""), Long.MIN_VALUE, 1)).containsExactly("end");
        assertThat(read(of(""), 0)).containsExactly("end");
        assertThat(read(of(""), -1, 1)).containsExactly("end");
    }

    @Test
    void aReaderThatAsksForNoItemsFails() {
        assertThat(read(of("all"), 0, 1)).containsExactly("IllegalArgumentException");
        assertThat(read(of("all"), -1, 1)).containsExactly("IllegalArgumentException");
    }
}
