package io.github.collapseexecutor.http.servlet.mvc;

import static io.github.collapseexecutor.http.servlet.mvc.MvcCase.get;
import static io.github.collapseexecutor.http.servlet.mvc.MvcCase.head;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.request.async.WebAsyncTask;
import org.springframework.web.server.ResponseStatusException;
import reactor.core.publisher.Mono;

/** Handlers that give one result on another thread: at once or later, a value or a failure, or never. */
final class AsyncCases {

    private static final Executor LATER = CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS);

    private AsyncCases() {}

    static Stream<MvcCase> cases() {
        Stream<MvcCase> results = Stream.of("callable", "deferred", "task", "future", "mono", "entity")
                .flatMap(kind -> Stream.of("now", "late", "missing", "broken", "empty")
                        .map(outcome -> get("/async/" + kind + "/" + outcome)));
        Stream<MvcCase> others = Stream.of(
                head("/async/callable/late"),
                head("/async/mono/late"),
                get("/async/deferred/late").then("GET", "/async/future/late"),
                get("/async/future/late").version("HTTP/1.0"),
                get("/async/broken/before"),
                get("/async/timeout/deferred"),
                get("/async/timeout/deferred-with-value"),
                get("/async/servlet/complete"),
                get("/async/servlet/dispatch"),
                get("/async/servlet/send-error"));
        return Stream.concat(results, others);
    }

    /** A result as its name says. */
    private static String value(String outcome) {
        return switch (outcome) {
            case "missing" -> throw new ResponseStatusException(HttpStatus.NOT_FOUND, "missing");
            case "broken" -> throw new IllegalStateException("broken");
            default -> "result " + outcome;
        };
    }

    private static CompletableFuture<String> future(String outcome) {
        return switch (outcome) {
            case "now" -> CompletableFuture.completedFuture(value(outcome));
            case "empty" -> CompletableFuture.supplyAsync(() -> null, LATER);
            default -> CompletableFuture.supplyAsync(() -> value(outcome), LATER);
        };
    }

    @RestController
    static class Handlers {

        @GetMapping("/async/callable/{outcome}")
        Callable<String> callable(@PathVariable String outcome) {
            return () -> outcome.equals("empty") ? null : value(outcome);
        }

        @GetMapping("/async/deferred/{outcome}")
        DeferredResult<String> deferred(@PathVariable String outcome) {
            DeferredResult<String> result = new DeferredResult<>();
            CompletableFuture<Boolean> unused = future(outcome)
                    .handle((value, failure) ->
                            failure == null ? result.setResult(value) : result.setErrorResult(failure.getCause()));
            return result;
        }

        @GetMapping("/async/task/{outcome}")
        WebAsyncTask<String> task(@PathVariable String outcome) {
            return new WebAsyncTask<>(10_000L, callable(outcome));
        }

        @GetMapping("/async/future/{outcome}")
        CompletableFuture<String> future(@PathVariable String outcome) {
            return AsyncCases.future(outcome);
        }

        @GetMapping("/async/mono/{outcome}")
        Mono<String> mono(@PathVariable String outcome) {
            return outcome.equals("now") ? Mono.just(value(outcome)) : Mono.fromFuture(AsyncCases.future(outcome));
        }

        @GetMapping("/async/entity/{outcome}")
        CompletableFuture<ResponseEntity<String>> entity(@PathVariable String outcome) {
            return AsyncCases.future(outcome)
                    .thenApply(value -> ResponseEntity.status(203)
                            .eTag("\"late\"")
                            .header("X-Own", "1")
                            .body(value));
        }

        @GetMapping("/async/broken/before")
        Mono<String> brokenBefore() {
            throw new ResponseStatusException(HttpStatus.GONE);
        }

        @GetMapping("/async/timeout/deferred")
        DeferredResult<String> timeout() {
            return new DeferredResult<>(50L);
        }

        @GetMapping("/async/timeout/deferred-with-value")
        DeferredResult<String> timeoutWithValue() {
            return new DeferredResult<>(50L, "too late");
        }

        @GetMapping("/async/servlet/complete")
        void complete(HttpServletRequest request) {
            AsyncContext context = request.startAsync();
            LATER.execute(() -> {
                try {
                    HttpServletResponse response = (HttpServletResponse) context.getResponse();
                    response.setContentType("text/plain");
                    response.setHeader("X-Own", "1");
                    response.getWriter().write("complete");
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                } finally {
                    context.complete();
                }
            });
        }

        @GetMapping("/async/servlet/dispatch")
        void dispatch(HttpServletRequest request) {
            AsyncContext context = request.startAsync();
            LATER.execute(() -> context.dispatch("/entity/text"));
        }

        @GetMapping("/async/servlet/send-error")
        void sendError(HttpServletRequest request) {
            AsyncContext context = request.startAsync();
            LATER.execute(() -> {
                try {
                    ((HttpServletResponse) context.getResponse()).sendError(409);
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                } finally {
                    context.complete();
                }
            });
        }
    }
}
