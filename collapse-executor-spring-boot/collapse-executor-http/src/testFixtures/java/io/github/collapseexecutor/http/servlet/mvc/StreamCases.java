package io.github.collapseexecutor.http.servlet.mvc;

import static io.github.collapseexecutor.http.servlet.mvc.MvcCase.get;
import static io.github.collapseexecutor.http.servlet.mvc.MvcCase.gets;
import static io.github.collapseexecutor.http.servlet.mvc.MvcCase.head;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;
import reactor.core.publisher.Flux;

/** Handlers that give several results, or write on another thread. */
final class StreamCases {

    private static final Executor LATER = CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS);

    private StreamCases() {}

    static Stream<MvcCase> cases() {
        Stream<MvcCase> plain = gets(
                "/stream/",
                "body",
                "body-flushed",
                "body-large",
                "body-huge",
                "body-entity",
                "body-failing",
                "body-empty",
                "emitter/now",
                "emitter/late",
                "emitter/failing",
                "emitter/failing-first",
                "emitter-entity",
                "events",
                "events-of-everything",
                "flux-events",
                "flux-lines",
                "flux-list",
                "flux-late-list",
                "flux-empty");
        Stream<MvcCase> others = Stream.of(
                get("/stream/flux-failing").notOn(Make.UNDERTOW), // what is sent before the end differs
                head("/stream/body"),
                get("/stream/flux-list").with("Accept", "text/event-stream"),
                get("/stream/body").version("HTTP/1.0"),
                get("/stream/body").then("GET", "/stream/body-flushed"));
        return Stream.concat(plain, others);
    }

    @RestController
    static class Handlers {

        @GetMapping("/stream/body")
        StreamingResponseBody body() {
            return out -> out.write(MvcFiles.bytes(1_000));
        }

        @GetMapping("/stream/body-flushed")
        StreamingResponseBody bodyFlushed() {
            return out -> {
                for (int i = 0; i < 3; i++) {
                    out.write(("part " + i).getBytes(StandardCharsets.US_ASCII));
                    out.flush();
                }
            };
        }

        @GetMapping("/stream/body-large")
        StreamingResponseBody bodyLarge() {
            return out -> out.write(MvcFiles.bytes(100_000));
        }

        @GetMapping("/stream/body-huge")
        StreamingResponseBody bodyHuge() {
            return out -> out.write(MvcFiles.bytes(3_000_000));
        }

        @GetMapping("/stream/body-entity")
        ResponseEntity<StreamingResponseBody> bodyEntity() {
            return ResponseEntity.accepted()
                    .contentType(MediaType.TEXT_PLAIN)
                    .contentLength(4)
                    .header("X-Own", "1")
                    .body(out -> out.write(new byte[] {'t', 'e', 'x', 't'}));
        }

        @GetMapping("/stream/body-failing")
        StreamingResponseBody bodyFailing() {
            return out -> {
                throw new IOException("broken");
            };
        }

        @GetMapping("/stream/body-empty")
        StreamingResponseBody bodyEmpty() {
            return out -> {};
        }

        @GetMapping("/stream/emitter/{kind}")
        ResponseBodyEmitter emitter(@PathVariable String kind) throws IOException {
            ResponseBodyEmitter emitter = new ResponseBodyEmitter();
            if (kind.equals("now")) {
                emitter.send("first,", MediaType.TEXT_PLAIN);
                emitter.send("second", MediaType.TEXT_PLAIN);
                emitter.complete();
                return emitter;
            }
            LATER.execute(() -> {
                try {
                    if (!kind.equals("failing-first")) {
                        emitter.send("first,", MediaType.TEXT_PLAIN);
                        emitter.send("second", MediaType.TEXT_PLAIN);
                    }
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
                if (kind.equals("late")) {
                    emitter.complete();
                } else {
                    emitter.completeWithError(new IllegalStateException("broken"));
                }
            });
            return emitter;
        }

        @GetMapping("/stream/emitter-entity")
        ResponseEntity<ResponseBodyEmitter> emitterEntity() throws IOException {
            return ResponseEntity.status(203).header("X-Own", "1").body(emitter("late"));
        }

        @GetMapping("/stream/events")
        SseEmitter events() {
            SseEmitter emitter = new SseEmitter();
            LATER.execute(() -> {
                try {
                    emitter.send("first");
                    emitter.send("second");
                    emitter.complete();
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
            return emitter;
        }

        @GetMapping("/stream/events-of-everything")
        SseEmitter eventsOfEverything() throws IOException {
            SseEmitter emitter = new SseEmitter(5_000L);
            emitter.send(SseEmitter.event()
                    .id("1")
                    .name("kind")
                    .reconnectTime(7)
                    .comment("c")
                    .data("a\nb"));
            emitter.complete();
            return emitter;
        }

        @GetMapping(path = "/stream/flux-events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
        Flux<String> fluxEvents() {
            return Flux.just("first", "second");
        }

        @GetMapping(path = "/stream/flux-lines", produces = MediaType.APPLICATION_NDJSON_VALUE)
        Flux<Integer> fluxLines() {
            return Flux.range(1, 5);
        }

        @GetMapping("/stream/flux-list")
        Flux<Integer> fluxList() {
            return Flux.range(1, 5);
        }

        @GetMapping("/stream/flux-late-list")
        Flux<Integer> fluxLateList() {
            return Flux.range(1, 3).delayElements(Duration.ofMillis(5));
        }

        @GetMapping("/stream/flux-empty")
        Flux<Integer> fluxEmpty() {
            return Flux.empty();
        }

        @GetMapping("/stream/flux-failing")
        Flux<Integer> fluxFailing() {
            return Flux.error(new IllegalStateException("broken"));
        }
    }
}
