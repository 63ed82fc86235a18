package io.github.collapseexecutor.http.servlet.mvc;

import static io.github.collapseexecutor.http.servlet.mvc.MvcCase.get;
import static io.github.collapseexecutor.http.servlet.mvc.MvcCase.head;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Bodies of all sizes: around the server's buffer and around the largest that is shared. */
final class BodyCases {

    private static final int LARGEST_SHARED = 2 * 1024 * 1024;

    private BodyCases() {}

    static Stream<MvcCase> cases() {
        Stream<MvcCase> sizes = IntStream.of(0, 1, 8_191, 8_192, 8_193, 100_000, LARGEST_SHARED, LARGEST_SHARED + 1)
                .boxed()
                .flatMap(size ->
                        Stream.of("declared/", "undeclared/", "writer/").map(kind -> get("/body/" + kind + size)));
        Stream<MvcCase> others = Stream.of(
                get("/body/declared/" + (LARGEST_SHARED - 1)),
                get("/body/string/" + LARGEST_SHARED),
                get("/body/string/3000000"),
                get("/body/byte-by-byte/20000"),
                get("/body/byte-by-byte/20000").version("HTTP/1.0"),
                get("/body/undeclared/100000").version("HTTP/1.0"),
                get("/body/undeclared/100000").with("Connection", "close"),
                get("/body/undeclared/3000000").then("GET", "/body/declared/10"),
                head("/body/declared/100000"),
                head("/body/undeclared/100"),
                head("/body/undeclared/100000"),
                head("/body/writer/100"),
                head("/body/string/3000000"));
        return Stream.concat(sizes, others);
    }

    @RestController
    static class Handlers {

        @GetMapping("/body/declared/{size}")
        ResponseEntity<byte[]> declared(@PathVariable int size) {
            return ResponseEntity.ok()
                    .contentType(MediaType.APPLICATION_OCTET_STREAM)
                    .body(MvcFiles.bytes(size));
        }

        @GetMapping("/body/undeclared/{size}")
        void undeclared(@PathVariable int size, HttpServletResponse response) throws IOException {
            response.setContentType("text/plain");
            response.getOutputStream().write(MvcFiles.bytes(size));
        }

        @GetMapping("/body/writer/{size}")
        void writer(@PathVariable int size, HttpServletResponse response) throws IOException {
            response.setContentType("text/plain");
            response.getWriter().write(MvcFiles.text(size));
        }

        @GetMapping("/body/string/{size}")
        String string(@PathVariable int size) {
            return MvcFiles.text(size);
        }

        @GetMapping("/body/byte-by-byte/{size}")
        void byteByByte(@PathVariable int size, HttpServletResponse response) throws IOException {
            for (int i = 0; i < size; i++) {
                response.getOutputStream().write('a' + i % 26);
            }
        }
    }
}
