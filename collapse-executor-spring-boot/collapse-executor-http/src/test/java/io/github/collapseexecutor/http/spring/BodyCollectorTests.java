package io.github.collapseexecutor.http.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Subscription;
import org.springframework.core.io.buffer.DataBuffer;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;

/** A body in memory, as receivers read it. */
class BodyCollectorTests {

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    private static Flux<DataBuffer> copied(byte[] bytes) {
        return BodyCollector.copied(bytes.length, (from, to) -> Arrays.copyOfRange(bytes, from, to));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 16_384, 16_385, 100_000})
    void eachSubscriberGetsAllBytes(int length) {
        byte[] bytes = random(length);
        Flux<DataBuffer> body = copied(bytes);
        for (int i = 0; i < 2; i++) {
            ByteArrayOutputStream read = new ByteArrayOutputStream();
            body.toIterable().forEach(buffer -> {
                byte[] part = new byte[buffer.readableByteCount()];
                buffer.read(part);
                read.writeBytes(part);
            });
            assertThat(read.toByteArray()).isEqualTo(bytes);
        }
    }

    /** A thread that answers one request may be interrupted because another has ended. */
    @Test
    void anInterruptedThreadReadsIt() {
        List<DataBuffer> read = new ArrayList<>();
        Thread.currentThread().interrupt();
        try {
            copied(random(20_000)).subscribe(read::add);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(read).hasSize(2);
    }

    /** As that of a body that is written: a failure behind it then comes as soon as without collapsing. */
    @Test
    void theEndComesWithTheLastBuffer() {
        List<String> seen = new ArrayList<>();
        copied(random(1)).subscribe(new BaseSubscriber<>() {
            @Override
            protected void hookOnSubscribe(Subscription subscription) {
                request(1);
            }

            @Override
            protected void hookOnNext(DataBuffer buffer) {
                seen.add("buffer");
            }

            @Override
            protected void hookOnComplete() {
                seen.add("end");
            }
        });
        assertThat(seen).containsExactly("buffer", "end");
    }
}
