package io.github.collapseexecutor.http.servlet.mvc;

import static io.github.collapseexecutor.http.servlet.mvc.MvcCase.get;
import static io.github.collapseexecutor.http.servlet.mvc.MvcCase.gets;
import static io.github.collapseexecutor.http.servlet.mvc.MvcCase.head;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Writers and their charsets, and the language of a response. */
final class CharsetCases {

    private static final String TEXT = "gr\u00fc\u00df \u20ac \ud83d\ude00";

    private CharsetCases() {}

    static Stream<MvcCase> cases() {
        Stream<MvcCase> plain = gets(
                "/charset/",
                "string",
                "html",
                "latin-1",
                "utf-16",
                "json",
                "writer",
                "writer-utf-8",
                "writer-latin-1",
                "writer-utf-16",
                "encoding-after-writer",
                "type-after-writer",
                "print",
                "stream-print",
                "type-without-charset",
                "locale",
                "locale-after-writer",
                "locale-of-request",
                "content-language",
                "unknown-charset");
        Stream<MvcCase> others = Stream.of(
                head("/charset/writer-utf-8"),
                get("/charset/string").with("Accept-Charset", "iso-8859-1"),
                get("/charset/string").with("Accept", "text/plain;charset=iso-8859-1"),
                get("/charset/locale-of-request").with("Accept-Language", "de-CH, fr;q=0.5"),
                get("/charset/locale-of-request").with("Accept-Language", "ja"),
                get("/charset/locale-of-request").with("Accept-Language", "*"),
                get("/charset/content-language").with("Accept-Language", "fr"));
        return Stream.concat(plain, others);
    }

    @RestController
    static class Handlers {

        @GetMapping("/charset/string")
        String string() {
            return TEXT;
        }

        @GetMapping(path = "/charset/html", produces = "text/html")
        String html() {
            return "<p>" + TEXT;
        }

        @GetMapping(path = "/charset/latin-1", produces = "text/plain;charset=ISO-8859-1")
        String latin1() {
            return TEXT;
        }

        @GetMapping("/charset/utf-16")
        ResponseEntity<String> utf16() {
            return ResponseEntity.ok()
                    .contentType(new MediaType("text", "plain", StandardCharsets.UTF_16))
                    .body(TEXT);
        }

        @GetMapping("/charset/json")
        Map<String, List<String>> json() {
            return Map.of(TEXT, List.of(TEXT, "\""));
        }

        @GetMapping("/charset/writer")
        void writer(HttpServletResponse response) throws IOException {
            response.getWriter().write(TEXT);
        }

        @GetMapping("/charset/writer-utf-8")
        void writerUtf8(HttpServletResponse response) throws IOException {
            response.setContentType("text/html; charset=utf-8");
            response.getWriter().write(TEXT);
        }

        @GetMapping("/charset/writer-latin-1")
        void writerLatin1(HttpServletResponse response) throws IOException {
            response.setContentType("text/plain");
            response.setCharacterEncoding("ISO-8859-1");
            response.getWriter().write(TEXT);
        }

        @GetMapping("/charset/writer-utf-16")
        void writerUtf16(HttpServletResponse response) throws IOException {
            response.setContentType("text/plain;charset=UTF-16BE");
            response.getWriter().append(TEXT).append('x').append(TEXT, 0, 4);
        }

        @GetMapping("/charset/encoding-after-writer")
        void encodingAfterWriter(HttpServletResponse response) throws IOException {
            response.setContentType("text/plain;charset=UTF-8");
            response.getWriter().write(TEXT);
            response.setCharacterEncoding("ISO-8859-1");
            response.getWriter().write(response.getCharacterEncoding());
        }

        @GetMapping("/charset/type-after-writer")
        void typeAfterWriter(HttpServletResponse response) throws IOException {
            response.setCharacterEncoding("UTF-8");
            response.getWriter().write(TEXT);
            response.setContentType("text/css;charset=ISO-8859-1");
            response.getWriter().write(response.getContentType());
        }

        @GetMapping("/charset/print")
        void print(HttpServletResponse response) throws IOException {
            response.setCharacterEncoding("UTF-8");
            response.getWriter().println(TEXT);
            response.getWriter().print(1.5);
            response.getWriter().format(Locale.ROOT, "%05d", 42);
            response.getWriter().println(new char[] {'a', 'b'});
            response.getWriter().write(TEXT, 1, 3);
            response.getWriter().print((Object) null);
        }

        @GetMapping("/charset/stream-print")
        void streamPrint(HttpServletResponse response) throws IOException {
            response.getOutputStream().println("gr\u00fc\u00df");
            response.getOutputStream().print(true);
            response.getOutputStream().println(7L);
            response.getOutputStream().print(1.5f);
        }

        @GetMapping("/charset/type-without-charset")
        void typeWithoutCharset(HttpServletResponse response) throws IOException {
            response.setContentType("application/octet-stream");
            response.getOutputStream().write(TEXT.getBytes(StandardCharsets.UTF_8));
        }

        @GetMapping("/charset/locale")
        void locale(HttpServletResponse response) throws IOException {
            response.setContentType("text/plain");
            response.setLocale(Locale.JAPAN);
            response.getWriter().write(response.getLocale() + " " + response.getCharacterEncoding());
        }

        @GetMapping("/charset/locale-after-writer")
        void localeAfterWriter(HttpServletResponse response) throws IOException {
            response.setContentType("text/plain");
            response.getWriter().write("text");
            response.setLocale(Locale.GERMANY);
        }

        @GetMapping("/charset/locale-of-request")
        String localeOfRequest(Locale locale) {
            return String.format(locale, "%s %,.2f", locale, 1234567.891);
        }

        @GetMapping("/charset/content-language")
        void contentLanguage(HttpServletResponse response, Locale locale) throws IOException {
            response.setHeader("Content-Language", locale.toLanguageTag() + ", en");
            response.setHeader("Vary", "Accept-Language");
            response.getWriter().write("text");
        }

        @GetMapping("/charset/unknown-charset")
        void unknownCharset(HttpServletResponse response) throws IOException {
            response.setContentType("text/plain;charset=nowhere");
            response.getOutputStream().print("text");
        }
    }
}
