package io.github.collapseexecutor.http.servlet.mvc;

import static io.github.collapseexecutor.http.servlet.mvc.MvcCase.get;
import static io.github.collapseexecutor.http.servlet.mvc.MvcCase.head;

import java.util.stream.Stream;
import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Responses that the server compresses, as {@code server.compression} says, and responses that it does not. */
final class CompressionCases {

    private static final String ACCEPT = "Accept-Encoding";

    private CompressionCases() {}

    static Stream<MvcCase> cases() {
        Stream<MvcCase> gzip = Stream.of(
                        "/compression/large",
                        "/compression/small",
                        "/compression/json",
                        "/compression/binary",
                        "/compression/etag",
                        "/compression/weak",
                        "/compression/no-transform",
                        "/compression/compressed",
                        "/compression/very-large",
                        "/compression/not-found",
                        "/static/large.txt",
                        "/static/page.html",
                        "/shallow/large",
                        "/body/undeclared/100000")
                .map(target -> get(target).with(ACCEPT, "gzip"));
        Stream<MvcCase> others = Stream.of(
                get("/compression/large").with(ACCEPT, "identity"),
                get("/compression/large").with(ACCEPT, "deflate"),
                get("/compression/large").with(ACCEPT, "gzip;q=0"),
                get("/compression/large").with(ACCEPT, "br;q=1.0, gzip;q=0.8, *;q=0.1"),
                head("/compression/large").with(ACCEPT, "gzip"),
                get("/compression/large").with(ACCEPT, "gzip").with("If-None-Match", "*"),
                get("/static/large.txt").with(ACCEPT, "gzip").with("Range", "bytes=0-9999"),
                get("/compression/large").with(ACCEPT, "gzip").version("HTTP/1.0"));
        return Stream.concat(gzip, others).map(row -> row.on(Make.TOMCAT));
    }

    @RestController
    static class Handlers {

        @GetMapping("/compression/large")
        String large() {
            return MvcFiles.text(20_000);
        }

        @GetMapping("/compression/very-large")
        String veryLarge() {
            return MvcFiles.text(3_000_000);
        }

        @GetMapping("/compression/small")
        String small() {
            return "small";
        }

        @GetMapping("/compression/json")
        String[] json() {
            return MvcFiles.text(20_000).split("\n", -1);
        }

        @GetMapping("/compression/binary")
        ResponseEntity<byte[]> binary() {
            return ResponseEntity.ok()
                    .contentType(MediaType.APPLICATION_OCTET_STREAM)
                    .body(MvcFiles.bytes(20_000));
        }

        @GetMapping("/compression/etag")
        ResponseEntity<String> etag() {
            return ResponseEntity.ok().eTag("\"v1\"").body(large());
        }

        @GetMapping("/compression/weak")
        ResponseEntity<String> weak() {
            return ResponseEntity.ok().eTag("W/\"v1\"").body(large());
        }

        @GetMapping("/compression/no-transform")
        ResponseEntity<String> noTransform() {
            return ResponseEntity.ok()
                    .cacheControl(CacheControl.empty().noTransform())
                    .body(large());
        }

        @GetMapping("/compression/compressed")
        ResponseEntity<byte[]> compressed() {
            return ResponseEntity.ok()
                    .contentType(MediaType.TEXT_PLAIN)
                    .header("Content-Encoding", "gzip")
                    .body(MvcFiles.bytes(5_000));
        }

        @GetMapping("/compression/not-found")
        ResponseEntity<String> notFound() {
            return ResponseEntity.status(404).body(large());
        }
    }
}
