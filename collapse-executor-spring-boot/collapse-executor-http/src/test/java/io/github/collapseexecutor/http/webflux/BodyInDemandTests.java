package io.github.collapseexecutor.http.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.NettyDataBuffer;
import org.springframework.core.io.buffer.NettyDataBufferFactory;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;

/** The only part of a body waits for its server, which gets it or never does. */
class BodyInDemandTests {

    // immutable
    private final NettyDataBuffer part = (NettyDataBuffer)
            new NettyDataBufferFactory(UnpooledByteBufAllocator.DEFAULT).wrap("part".getBytes(StandardCharsets.UTF_8));

    // mutable, confined to the test's thread
    private final List<String> got = new ArrayList<>();

    private final BaseSubscriber<DataBuffer> server = new BaseSubscriber<>() {
        @Override
        protected void hookOnSubscribe(Subscription subscription) {}

        @Override
        protected void hookOnNext(DataBuffer buffer) {
            got.add(buffer.toString(StandardCharsets.UTF_8));
            DataBufferUtils.release(buffer);
        }

        @Override
        protected void hookOnComplete() {
            got.add("end");
        }
    };

    /** As Spring gives the only part of a body, asked or not. */
    private void begin() {
        Flux<DataBuffer> hasty = Flux.from(subscriber -> {
            subscriber.onSubscribe(Operators.emptySubscription());
            subscriber.onNext(part);
            subscriber.onComplete();
        });
        WebFluxCapturedResponse.inDemand(hasty).subscribe(server);
    }

    @Test
    void aPartWaitsToBeAskedForAndTheEndForIt() {
        begin();
        assertThat(got).isEmpty();
        server.request(1);
        assertThat(got).containsExactly("part", "end");
    }

    @Test
    void aPartThatNobodyAsksForIsReleased() {
        begin();
        server.cancel();
        assertThat(got).isEmpty();
        assertThat(part.isAllocated()).isFalse();
    }
}
