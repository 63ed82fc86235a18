package io.github.collapseexecutor.http.servlet.mvc;

import static io.github.collapseexecutor.http.servlet.mvc.MvcCase.get;
import static io.github.collapseexecutor.http.servlet.mvc.MvcCase.gets;
import static io.github.collapseexecutor.http.servlet.mvc.MvcCase.head;

import jakarta.servlet.http.Cookie;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.FileSystemResource;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;

/** Functional endpoints. */
final class FunctionalCases {

    private FunctionalCases() {}

    static Stream<MvcCase> cases() {
        Stream<MvcCase> plain = gets(
                "/functional/",
                "text",
                "json",
                "etag",
                "variable/x",
                "query?a=1",
                "redirect",
                "no-content",
                "created",
                "status-exception",
                "broken",
                "rejected",
                "late",
                "late-broken",
                "events",
                "view",
                "filtered",
                "resource",
                "files/small.txt",
                "files/large.bin",
                "cookie",
                "missing");
        return Stream.concat(
                plain,
                Stream.of(
                        head("/functional/text"),
                        get("/functional/etag").with("If-None-Match", "\"v1\""),
                        get("/functional/text").with("Accept", "application/json"),
                        get("/functional/files/large.bin").with("Range", "bytes=5-9"),
                        MvcCase.of("POST", "/functional/echo").body("sent"),
                        MvcCase.of("OPTIONS", "/functional/files/small.txt")));
    }

    @Configuration(proxyBeanMethods = false)
    static class Routes {

        @Bean
        RouterFunction<ServerResponse> values() {
            return RouterFunctions.route()
                    .GET("/functional/text", request -> ServerResponse.ok().body("text"))
                    .GET("/functional/json", request -> ServerResponse.ok().body(Map.of("a", 1)))
                    .GET(
                            "/functional/etag",
                            request -> ServerResponse.ok()
                                    .eTag("\"v1\"")
                                    .lastModified(MvcFiles.CHANGED)
                                    .cacheControl(CacheControl.empty().noTransform())
                                    .body("text"))
                    .GET(
                            "/functional/variable/{x}",
                            request -> ServerResponse.ok().body(request.pathVariable("x")))
                    .GET(
                            "/functional/query",
                            request -> ServerResponse.ok()
                                    .contentType(MediaType.TEXT_HTML)
                                    .body(request.param("a").orElse("none")))
                    .GET(
                            "/functional/redirect",
                            request -> ServerResponse.temporaryRedirect(URI.create("/functional/text"))
                                    .build())
                    .GET(
                            "/functional/no-content",
                            request -> ServerResponse.noContent().build())
                    .GET(
                            "/functional/created",
                            request -> ServerResponse.created(URI.create("/a")).body("made"))
                    .POST(
                            "/functional/echo",
                            request -> ServerResponse.accepted().body(request.body(String.class)))
                    .build();
        }

        @Bean
        RouterFunction<ServerResponse> failures() {
            return RouterFunctions.route()
                    .GET("/functional/status-exception", request -> {
                        throw new ResponseStatusException(HttpStatus.GONE);
                    })
                    .GET("/functional/broken", request -> {
                        throw new IllegalStateException("broken");
                    })
                    .GET("/functional/rejected", request -> {
                        throw new UnsupportedOperationException("rejected");
                    })
                    .onError(
                            UnsupportedOperationException.class,
                            (failure, request) -> ServerResponse.status(422)
                                    .header("X-Own", "1")
                                    .body("rejected"))
                    .build();
        }

        @Bean
        RouterFunction<ServerResponse> others() {
            return RouterFunctions.route()
                    .GET("/functional/late", request -> ServerResponse.async(late(false)))
                    .GET("/functional/late-broken", request -> ServerResponse.async(late(true)))
                    .GET(
                            "/functional/events",
                            request -> ServerResponse.sse(sse -> {
                                try {
                                    sse.id("1").data("first");
                                    sse.complete();
                                } catch (IOException e) {
                                    throw new UncheckedIOException(e);
                                }
                            }))
                    .GET("/functional/view", request -> ServerResponse.ok().render("page", Map.of("a", 1)))
                    .GET(
                            "/functional/resource",
                            request -> ServerResponse.ok().body(new FileSystemResource(MvcFiles.of("large.txt"))))
                    .GET(
                            "/functional/cookie",
                            request -> ServerResponse.ok()
                                    .cookie(new Cookie("own", "value"))
                                    .body("text"))
                    .GET("/functional/filtered", request -> ServerResponse.ok().body("text"))
                    .filter((request, next) -> request.path().endsWith("filtered")
                            ? ServerResponse.from(next.handle(request))
                                    .header("X-Filtered", "1")
                                    .body("filtered")
                            : next.handle(request))
                    .resources("/functional/files/**", new FileSystemResource(MvcFiles.of("") + "/"))
                    .build();
        }

        private static CompletableFuture<ServerResponse> late(boolean failing) {
            return CompletableFuture.supplyAsync(
                    () -> {
                        if (failing) {
                            throw new IllegalStateException("broken");
                        }
                        return ServerResponse.ok().header("X-Own", "1").body("late");
                    },
                    CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS));
        }
    }
}
