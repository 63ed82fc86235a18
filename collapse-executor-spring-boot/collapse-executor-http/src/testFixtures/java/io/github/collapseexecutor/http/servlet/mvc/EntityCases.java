package io.github.collapseexecutor.http.servlet.mvc;

import static io.github.collapseexecutor.http.servlet.mvc.MvcCase.get;
import static io.github.collapseexecutor.http.servlet.mvc.MvcCase.gets;
import static io.github.collapseexecutor.http.servlet.mvc.MvcCase.head;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.http.HttpEntity;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** What a handler can return. */
final class EntityCases {

    private EntityCases() {}

    static Stream<MvcCase> cases() {
        Stream<MvcCase> plain = gets(
                "/entity/",
                "text",
                "empty-text",
                "null",
                "nothing",
                "bytes",
                "empty-bytes",
                "record",
                "list",
                "map",
                "number",
                "null-object",
                "optional",
                "optional-empty",
                "http-entity",
                "headers",
                "no-content",
                "not-found",
                "of-null",
                "accepted",
                "created",
                "without-body",
                "length-without-body",
                "annotated-status",
                "annotated-no-content",
                "annotated-reason",
                "form",
                "multipart",
                "status/203",
                "status/204",
                "status/205",
                "status/300",
                "status/301",
                "status/304",
                "status/307",
                "status/451",
                "status/504",
                "status/599");
        return Stream.concat(
                plain,
                Stream.of(
                        head("/entity/record"),
                        head("/entity/no-content"),
                        head("/entity/bytes"),
                        get("/entity/no-content").then("GET", "/entity/text")));
    }

    record Item(int id, String name, @Nullable Item inner) {}

    @RestController
    static class Handlers {

        @GetMapping("/entity/text")
        String text() {
            return "text";
        }

        @GetMapping("/entity/empty-text")
        String emptyText() {
            return "";
        }

        @GetMapping("/entity/null")
        @Nullable String nullText() {
            return null;
        }

        @GetMapping("/entity/nothing")
        void nothing() {}

        @GetMapping("/entity/bytes")
        byte[] bytes() {
            return MvcFiles.bytes(100);
        }

        @GetMapping("/entity/empty-bytes")
        byte[] emptyBytes() {
            return new byte[0];
        }

        @GetMapping("/entity/record")
        Item item() {
            return new Item(1, "outer", new Item(2, "inner", null));
        }

        @GetMapping("/entity/list")
        List<Item> list() {
            return List.of(new Item(1, "a", null), new Item(2, "b", null));
        }

        @GetMapping("/entity/map")
        Map<String, Object> map() {
            return Map.of("key", List.of(1, 2.5, true));
        }

        @GetMapping("/entity/number")
        int number() {
            return 7;
        }

        @GetMapping("/entity/null-object")
        @Nullable Item nullObject() {
            return null;
        }

        @GetMapping("/entity/optional")
        Optional<Item> optional() {
            return Optional.of(new Item(3, "c", null));
        }

        @GetMapping("/entity/optional-empty")
        ResponseEntity<Item> optionalEmpty() {
            return ResponseEntity.of(Optional.empty());
        }

        @GetMapping("/entity/http-entity")
        HttpEntity<String> httpEntity() {
            HttpHeaders headers = new HttpHeaders();
            headers.add("X-Own", "1");
            headers.setContentType(MediaType.TEXT_XML);
            return new HttpEntity<>("<a/>", headers);
        }

        @GetMapping("/entity/headers")
        HttpHeaders headers() {
            HttpHeaders headers = new HttpHeaders();
            headers.add("X-Own", "1");
            headers.add("X-Own", "2");
            return headers;
        }

        @GetMapping("/entity/no-content")
        ResponseEntity<Void> noContent() {
            return ResponseEntity.noContent().header("X-Own", "1").build();
        }

        @GetMapping("/entity/not-found")
        ResponseEntity<Void> notFound() {
            return ResponseEntity.notFound().build();
        }

        @GetMapping("/entity/of-null")
        ResponseEntity<String> ofNull() {
            return ResponseEntity.ofNullable(null);
        }

        @GetMapping("/entity/accepted")
        ResponseEntity<Item> accepted() {
            return ResponseEntity.accepted().body(new Item(4, "d", null));
        }

        @GetMapping("/entity/created")
        ResponseEntity<String> created() {
            return ResponseEntity.status(HttpStatus.CREATED)
                    .header("Location", "/entity/5")
                    .body("made");
        }

        @GetMapping("/entity/without-body")
        ResponseEntity<Void> withoutBody() {
            return ResponseEntity.ok().contentType(MediaType.APPLICATION_PDF).build();
        }

        @GetMapping("/entity/length-without-body")
        ResponseEntity<Void> lengthWithoutBody() {
            return ResponseEntity.ok().contentLength(0).build();
        }

        @GetMapping("/entity/annotated-status")
        @ResponseStatus(HttpStatus.NON_AUTHORITATIVE_INFORMATION)
        String annotatedStatus() {
            return "text";
        }

        @GetMapping("/entity/annotated-no-content")
        @ResponseStatus(HttpStatus.NO_CONTENT)
        void annotatedNoContent() {}

        @GetMapping("/entity/annotated-reason")
        @ResponseStatus(code = HttpStatus.NOT_IMPLEMENTED, reason = "Not yet")
        void annotatedReason() {}

        @GetMapping("/entity/form")
        ResponseEntity<MultiValueMap<String, String>> form() {
            MultiValueMap<String, String> form = new LinkedMultiValueMap<>();
            form.add("a", "1 \u00fc");
            form.add("a", "2");
            return ResponseEntity.ok()
                    .contentType(MediaType.APPLICATION_FORM_URLENCODED)
                    .body(form);
        }

        @GetMapping("/entity/multipart")
        ResponseEntity<MultiValueMap<String, Object>> multipart() {
            MultiValueMap<String, Object> parts = new LinkedMultiValueMap<>();
            parts.add("text", "value");
            parts.add("file", new ByteArrayResource("content".getBytes(StandardCharsets.US_ASCII)) {
                @Override
                public String getFilename() {
                    return "a.txt";
                }
            });
            return ResponseEntity.ok()
                    .contentType(MediaType.MULTIPART_FORM_DATA)
                    .body(parts);
        }

        @GetMapping("/entity/status/{status}")
        ResponseEntity<String> status(@PathVariable int status) {
            return ResponseEntity.status(status).header("X-Own", "1").body("status " + status);
        }
    }
}
