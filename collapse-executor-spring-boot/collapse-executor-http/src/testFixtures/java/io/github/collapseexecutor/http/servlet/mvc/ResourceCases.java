package io.github.collapseexecutor.http.servlet.mvc;

import static io.github.collapseexecutor.http.servlet.mvc.MvcCase.get;
import static io.github.collapseexecutor.http.servlet.mvc.MvcCase.gets;
import static io.github.collapseexecutor.http.servlet.mvc.MvcCase.head;

import java.io.ByteArrayInputStream;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.stream.Stream;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.FileSystemResource;
import org.springframework.core.io.InputStreamResource;
import org.springframework.core.io.Resource;
import org.springframework.http.CacheControl;
import org.springframework.http.ContentDisposition;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.config.annotation.ResourceHandlerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.resource.ContentVersionStrategy;
import org.springframework.web.servlet.resource.EncodedResourceResolver;
import org.springframework.web.servlet.resource.VersionResourceResolver;

/** Files and other resources, small and larger than a server copies by itself. */
final class ResourceCases {

    private ResourceCases() {}

    static Stream<MvcCase> cases() {
        Stream<MvcCase> files = gets(
                "/static/",
                "small.txt",
                "empty.txt",
                "page.html",
                "style.css",
                "data.json",
                "small.bin",
                "large.bin",
                "large.txt",
                "huge.bin",
                "no-extension",
                "with%20space.txt",
                "sub/index.html",
                "sub/",
                "sub",
                "missing.txt",
                "");
        Stream<MvcCase> handlers = gets(
                "/resource/",
                "file",
                "small-file",
                "huge-file",
                "bytes",
                "stream",
                "download",
                "missing",
                "cached/style.css",
                "cached/missing.css",
                "versioned/style.css",
                "encoded/style.css");
        Stream<MvcCase> others = Stream.of(
                head("/static/small.txt"),
                head("/static/large.bin"),
                head("/static/missing.txt"),
                head("/resource/file"),
                head("/resource/stream"),
                get("/static/small.txt").with("If-Modified-Since", "Thu, 02 Jan 2025 03:04:05 GMT"),
                get("/static/large.bin").with("If-Modified-Since", "Thu, 02 Jan 2025 03:04:05 GMT"),
                get("/static/large.bin").with("If-Modified-Since", "Wed, 01 Jan 2025 03:04:05 GMT"),
                get("/resource/encoded/style.css").with("Accept-Encoding", "gzip"),
                get("/resource/encoded/style.css").with("Accept-Encoding", "br"),
                get("/static/large.bin").version("HTTP/1.0"),
                get("/static/large.bin").with("Connection", "close"),
                get("/static/large.bin").then("GET", "/static/small.txt"),
                MvcCase.of("POST", "/static/small.txt").body("x=1"),
                MvcCase.of("OPTIONS", "/static/small.txt"));
        return Stream.of(files, handlers, others).flatMap(cases -> cases);
    }

    @RestController
    static class Handlers implements WebMvcConfigurer {

        @Override
        public void addResourceHandlers(ResourceHandlerRegistry registry) {
            registry.addResourceHandler("/resource/cached/**")
                    .addResourceLocations(MvcFiles.location())
                    .setCacheControl(CacheControl.maxAge(Duration.ofHours(1))
                            .cachePublic()
                            .mustRevalidate());
            registry.addResourceHandler("/resource/versioned/**")
                    .addResourceLocations(MvcFiles.location())
                    .setEtagGenerator(resource -> "\"" + resource.getFilename() + "\"")
                    .resourceChain(true)
                    .addResolver(new VersionResourceResolver().addVersionStrategy(new ContentVersionStrategy(), "/**"));
            registry.addResourceHandler("/resource/encoded/**")
                    .addResourceLocations(MvcFiles.location())
                    .resourceChain(true)
                    .addResolver(new EncodedResourceResolver());
        }

        @GetMapping("/resource/file")
        Resource file() {
            return new FileSystemResource(MvcFiles.of("large.bin"));
        }

        @GetMapping("/resource/small-file")
        FileSystemResource smallFile() {
            return new FileSystemResource(new File(MvcFiles.of("small.txt").toString()));
        }

        @GetMapping("/resource/huge-file")
        ResponseEntity<Resource> hugeFile() {
            return ResponseEntity.ok()
                    .contentType(MediaType.APPLICATION_PDF)
                    .body(new FileSystemResource(MvcFiles.of("huge.bin")));
        }

        @GetMapping("/resource/bytes")
        ResponseEntity<Resource> bytes() {
            return ResponseEntity.ok()
                    .contentType(MediaType.TEXT_PLAIN)
                    .body(new ByteArrayResource(MvcFiles.text(1_000).getBytes(StandardCharsets.US_ASCII)));
        }

        @GetMapping("/resource/stream")
        ResponseEntity<Resource> stream() {
            return ResponseEntity.ok().body(new InputStreamResource(new ByteArrayInputStream(MvcFiles.bytes(30_000))));
        }

        @GetMapping("/resource/download")
        ResponseEntity<Resource> download() {
            return ResponseEntity.ok()
                    .header(
                            HttpHeaders.CONTENT_DISPOSITION,
                            ContentDisposition.attachment()
                                    .filename("b\u00fccher.txt", StandardCharsets.UTF_8)
                                    .build()
                                    .toString())
                    .lastModified(MvcFiles.CHANGED)
                    .body(new FileSystemResource(MvcFiles.of("large.txt")));
        }

        @GetMapping("/resource/missing")
        Resource missing() {
            return new FileSystemResource(MvcFiles.of("missing"));
        }
    }
}
