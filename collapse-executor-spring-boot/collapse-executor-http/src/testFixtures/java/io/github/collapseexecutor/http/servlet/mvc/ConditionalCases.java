package io.github.collapseexecutor.http.servlet.mvc;

import static io.github.collapseexecutor.http.servlet.mvc.MvcCase.get;
import static io.github.collapseexecutor.http.servlet.mvc.MvcCase.head;

import java.time.Duration;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.server.ResponseStatusException;

/** Validators, and requests that name them. */
final class ConditionalCases {

    private static final String CHANGED = "Thu, 02 Jan 2025 03:04:05 GMT";
    private static final String EARLIER = "Wed, 01 Jan 2025 03:04:05 GMT";
    private static final String LATER = "Fri, 03 Jan 2025 03:04:05 GMT";

    private static final String MATCH = "If-None-Match";
    private static final String SINCE = "If-Modified-Since";

    private ConditionalCases() {}

    static Stream<MvcCase> cases() {
        return Stream.of(etags(), dates(), checks(), shallowEtags()).flatMap(cases -> cases);
    }

    private static Stream<MvcCase> etags() {
        return Stream.of(
                get("/conditional/etag"),
                head("/conditional/etag"),
                get("/conditional/etag").with(MATCH, "\"v1\""),
                head("/conditional/etag").with(MATCH, "\"v1\""),
                get("/conditional/etag").with(MATCH, "\"v2\""),
                get("/conditional/etag").with(MATCH, "W/\"v1\""),
                get("/conditional/etag").with(MATCH, "*"),
                get("/conditional/etag").with(MATCH, "\"v0\", \"v1\""),
                get("/conditional/etag").with(MATCH, "v1"),
                get("/conditional/etag").with("If-Match", "\"v1\""),
                get("/conditional/etag").with("If-Match", "\"v2\""),
                get("/conditional/weak"),
                get("/conditional/weak").with(MATCH, "W/\"v1\""),
                MvcCase.of("PUT", "/conditional/put").with("If-Match", "\"v2\"").body("new"),
                MvcCase.of("PUT", "/conditional/put").with("If-Match", "\"v1\"").body("new"));
    }

    private static Stream<MvcCase> dates() {
        return Stream.of(
                get("/conditional/date"),
                get("/conditional/date").with(SINCE, CHANGED),
                get("/conditional/date").with(SINCE, EARLIER),
                get("/conditional/date").with(SINCE, LATER),
                get("/conditional/date").with(SINCE, "yesterday"),
                get("/conditional/date").with("If-Unmodified-Since", EARLIER),
                get("/conditional/date").with("If-Unmodified-Since", LATER),
                get("/conditional/both").with(MATCH, "\"v1\"").with(SINCE, EARLIER),
                get("/conditional/both").with(MATCH, "\"v2\"").with(SINCE, LATER),
                get("/conditional/both").with(SINCE, LATER));
    }

    private static Stream<MvcCase> checks() {
        return Stream.of(
                get("/conditional/checked"),
                get("/conditional/checked").with(MATCH, "\"v1\""),
                get("/conditional/checked").with(MATCH, "\"v2\""),
                get("/conditional/checked-date").with(SINCE, CHANGED),
                get("/conditional/checked-date").with(SINCE, EARLIER),
                head("/conditional/checked-date").with(SINCE, LATER));
    }

    private static Stream<MvcCase> shallowEtags() {
        return Stream.of(
                get("/shallow/text"),
                head("/shallow/text"),
                get("/shallow/text").with(MATCH, "\"01cb251ec0d568de6a929b520c4aed8d1\""),
                get("/shallow/text").with(MATCH, "*"),
                get("/shallow/large"),
                get("/shallow/missing"),
                get("/shallow/no-store"),
                get("/shallow/own-etag"),
                get("/shallow/own-etag").with(MATCH, "\"own\""),
                get("/shallow/empty"));
    }

    @RestController
    static class Handlers {

        @GetMapping("/conditional/etag")
        ResponseEntity<String> etag() {
            return ResponseEntity.ok().eTag("\"v1\"").body("first version");
        }

        @GetMapping("/conditional/weak")
        ResponseEntity<String> weak() {
            return ResponseEntity.ok()
                    .eTag("W/\"v1\"")
                    .cacheControl(CacheControl.maxAge(Duration.ofMinutes(1)).cachePublic())
                    .body("first version");
        }

        @GetMapping("/conditional/date")
        ResponseEntity<String> date() {
            return ResponseEntity.ok().lastModified(MvcFiles.CHANGED).body("as it was");
        }

        @GetMapping("/conditional/both")
        ResponseEntity<String> both() {
            return ResponseEntity.ok()
                    .eTag("\"v1\"")
                    .lastModified(MvcFiles.CHANGED)
                    .body("both");
        }

        @PutMapping("/conditional/put")
        @Nullable ResponseEntity<String> put(WebRequest request) {
            return request.checkNotModified("\"v1\"")
                    ? null
                    : ResponseEntity.noContent().eTag("\"v2\"").build();
        }

        @GetMapping("/conditional/checked")
        @Nullable String checked(WebRequest request) {
            return request.checkNotModified("\"v1\"") ? null : "checked";
        }

        @GetMapping("/conditional/checked-date")
        @Nullable String checkedDate(WebRequest request) {
            return request.checkNotModified(MvcFiles.CHANGED.toEpochMilli()) ? null : "checked";
        }

        @GetMapping("/shallow/text")
        String shallow() {
            return "text";
        }

        @GetMapping("/shallow/large")
        String shallowLarge() {
            return MvcFiles.text(100_000);
        }

        @GetMapping("/shallow/missing")
        String shallowMissing() {
            throw new ResponseStatusException(HttpStatus.NOT_FOUND);
        }

        @GetMapping("/shallow/no-store")
        ResponseEntity<String> shallowNoStore() {
            return ResponseEntity.ok().cacheControl(CacheControl.noStore()).body("text");
        }

        @GetMapping("/shallow/own-etag")
        ResponseEntity<String> shallowOwnEtag() {
            return ResponseEntity.ok().eTag("\"own\"").body("text");
        }

        @GetMapping("/shallow/empty")
        void shallowEmpty() {}
    }
}
