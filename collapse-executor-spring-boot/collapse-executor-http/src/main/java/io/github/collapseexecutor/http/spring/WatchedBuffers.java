package io.github.collapseexecutor.http.spring;

import io.github.collapseexecutor.http.dryrun.BodyWatch;
import org.reactivestreams.Publisher;
import org.springframework.core.io.buffer.DataBuffer;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Has somebody see a body as it is read. Public for other packages of the library only. */
public final class WatchedBuffers {

    private WatchedBuffers() {}

    /** The same body; one that is a {@link Mono} stays one, by which a server knows how to frame it. */
    public static Publisher<? extends DataBuffer> of(Publisher<? extends DataBuffer> body, BodyWatch watch) {
        return body instanceof Mono<? extends DataBuffer> one
                ? one.doOnNext(buffer -> show(buffer, watch))
                        .doOnSuccess(end -> watch.ended(true))
                        .doFinally(end -> watch.ended(false))
                : of(Flux.from(body), watch);
    }

    /** The same of a body that may have any number of buffers. */
    public static <T extends DataBuffer> Flux<T> of(Flux<T> body, BodyWatch watch) {
        return tellingEnd(body.doOnNext(buffer -> show(buffer, watch)), watch);
    }

    /** The same of a body in parts, each of which is flushed. */
    public static Flux<Publisher<? extends DataBuffer>> ofParts(
            Flux<Publisher<? extends DataBuffer>> parts, BodyWatch watch) {
        return tellingEnd(parts.map(part -> Flux.from(part).doOnNext(buffer -> show(buffer, watch))), watch);
    }

    private static <T> Flux<T> tellingEnd(Flux<T> body, BodyWatch watch) {
        return body.doOnComplete(() -> watch.ended(true)).doFinally(end -> watch.ended(false));
    }

    private static void show(DataBuffer buffer, BodyWatch watch) {
        try (DataBuffer.ByteBufferIterator parts = buffer.readableByteBuffers()) {
            parts.forEachRemaining(watch::read);
        }
    }
}
