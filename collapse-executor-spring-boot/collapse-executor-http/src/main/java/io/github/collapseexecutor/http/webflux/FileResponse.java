package io.github.collapseexecutor.http.webflux;

import java.nio.channels.AsynchronousFileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.ZeroCopyHttpOutputMessage;
import org.springframework.http.server.reactive.ServerHttpResponse;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A captured response of a server that sends files without reading them. Where others may have the file, it is read as any other
 * body; where it is for one client, the server sends it.
 */
final class FileResponse extends WebFluxCapturedResponse implements ZeroCopyHttpOutputMessage {

    private static final int CHUNK = 16 * 1024;

    // immutable
    private final ZeroCopyHttpOutputMessage client;

    private FileResponse(ServerHttpResponse client, ZeroCopyHttpOutputMessage files, Handler handler) {
        super(client, handler);
        this.client = files;
    }

    /** Returns a captured response that does with files as the client's does. */
    static WebFluxCapturedResponse of(ServerHttpResponse client, WebFluxCapturedResponse.Handler handler) {
        return client instanceof ZeroCopyHttpOutputMessage files
                ? new FileResponse(client, files, handler)
                : new WebFluxCapturedResponse(client, handler);
    }

    @Override
    public Mono<Void> writeWith(Path file, long position, long count) {
        Flux<DataBuffer> read = DataBufferUtils.takeUntilByteCount(
                DataBufferUtils.readAsynchronousFileChannel(
                        () -> AsynchronousFileChannel.open(file, StandardOpenOption.READ),
                        position,
                        bufferFactory(),
                        CHUNK),
                count);
        Mono<Void> passed = Mono.defer(() -> isWatched() ? passOn(read) : client.writeWith(file, position, count));
        return doCommit(() -> write(read, WebFluxRecording.Form.MANY, passed));
    }
}
