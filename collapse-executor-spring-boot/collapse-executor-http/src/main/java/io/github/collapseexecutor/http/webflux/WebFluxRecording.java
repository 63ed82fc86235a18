package io.github.collapseexecutor.http.webflux;

import static java.util.Objects.requireNonNull;

import io.github.collapseexecutor.http.rules.CacheStatus;
import io.github.collapseexecutor.http.rules.SharedResponse;
import io.github.collapseexecutor.http.spring.BodyCollector;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * What a handler has done to its response, so that the same can be done to another: the filters in front of both, and the server,
 * then make the same bytes of it.
 *
 * <p>Immutable, but for the attributes' values, which are the handler's.
 *
 * @param head how the head was changed
 * @param form how the body was written
 * @param body the bytes that were written
 * @param thrown what the handler failed with instead of writing, or behind the bytes; null if it has not failed
 * @param left what the handler left in its exchange
 * @param asked what the handler has asked for, of which no key tells
 */
record WebFluxRecording(
        HeadDifference head,
        Form form,
        Bytes body,
        @Nullable Throwable thrown,
        RouteAttributes left,
        Questions.Asked asked) {

    /** How a handler writes its response. A server frames one buffer in another way than many. */
    enum Form {
        /** The handler has ended without writing; the server writes what there is. */
        UNWRITTEN,
        /** The response was completed without a body. */
        EMPTY,
        /** The body was written as one buffer. */
        ONE,
        /** The body was written as a number of buffers. */
        MANY
    }

    /** A body; a class of its own because arrays are compared by identity. */
    static final class Bytes {

        // immutable by agreement
        private final byte[] bytes;

        Bytes(byte[] bytes) {
            this.bytes = bytes;
        }
    }

    /**
     * Does the same to the response of a follower, and adds what collapsing itself says (H32).
     *
     * @param unshared runs the follower's own handler: filters in front answer it otherwise than they answered the leader's
     */
    static Mono<Void> replay(SharedResponse shared, ServerWebExchange follower, Mono<Void> unshared) {
        WebFluxRecording recording =
                (WebFluxRecording) requireNonNull(shared.attachment(), "a response without a recording was shared");
        return Mono.defer(() -> {
            if (!recording.asked.suits(follower)) {
                return unshared;
            }
            recording.left.leaveIn(follower);
            ServerHttpResponse response = follower.getResponse();
            recording.head.applyToOther(response);
            mark(shared, response);
            return recording.writeTo(response);
        });
    }

    private static void mark(SharedResponse shared, ServerHttpResponse response) {
        String cacheStatus = shared.cacheStatus();
        if (cacheStatus != null && !response.isCommitted()) {
            response.getHeaders().add(CacheStatus.HEADER, cacheStatus);
        }
    }

    /** Writes the body to a response whose head has been changed already. */
    Mono<Void> writeTo(ServerHttpResponse response) {
        Mono<Void> failed = thrown == null ? Mono.empty() : Mono.error(thrown);
        return switch (form) {
            case UNWRITTEN -> failed;
            case EMPTY -> response.setComplete();
            case ONE -> response.writeWith(Mono.fromSupplier(() -> whole(response)));
            case MANY -> response.writeWith(Flux.concat(parts(response), failed.cast(DataBuffer.class)));
        };
    }

    /** A copy, because filters may change the buffers that they are given; of the server's kind, because they may join it with their own. */
    private DataBuffer whole(ServerHttpResponse response) {
        return response.bufferFactory().wrap(body.bytes.clone());
    }

    /** Copied at the pace of the client. */
    private Flux<DataBuffer> parts(ServerHttpResponse response) {
        return BodyCollector.copied(
                body.bytes.length, (from, to) -> Arrays.copyOfRange(body.bytes, from, to), response.bufferFactory());
    }
}
