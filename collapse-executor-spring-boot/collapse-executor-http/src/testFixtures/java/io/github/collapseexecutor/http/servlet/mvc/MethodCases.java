package io.github.collapseexecutor.http.servlet.mvc;

import static io.github.collapseexecutor.http.servlet.mvc.MvcCase.get;
import static io.github.collapseexecutor.http.servlet.mvc.MvcCase.head;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.CrossOrigin;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RestController;

/** Methods beside GET, requests from other origins, HTTP/1.0, and requests with bodies. */
final class MethodCases {

    private static final String ORIGIN = "https://example.org";

    private MethodCases() {}

    static Stream<MvcCase> cases() {
        return Stream.of(methods(), origins(), connections()).flatMap(cases -> cases);
    }

    private static Stream<MvcCase> methods() {
        return Stream.of(
                head("/method/get"),
                head("/method/explicit-head"),
                head("/method/length"),
                head("/method/length-of-body"),
                head("/method/no-output"),
                head("/method/flushed"),
                head("/method/post"),
                MvcCase.of("OPTIONS", "/method/get"),
                MvcCase.of("OPTIONS", "/method/post"),
                MvcCase.of("OPTIONS", "/method/explicit-options"),
                MvcCase.of("OPTIONS", "/method/nowhere"),
                MvcCase.of("BREW", "/method/get"),
                get("/method/post"),
                MvcCase.of("POST", "/method/get"),
                MvcCase.of("POST", "/method/post").body("sent"),
                MvcCase.of("POST", "/method/form")
                        .with("Content-Type", "application/x-www-form-urlencoded")
                        .body("a=1&b=%C3%BC&a=2"),
                MvcCase.of("PUT", "/method/put")
                        .with("Content-Type", "text/plain")
                        .body("sent"),
                MvcCase.of("PUT", "/method/form")
                        .with("Content-Type", "application/x-www-form-urlencoded")
                        .body("a=1"),
                MvcCase.of("PATCH", "/method/patch").body("sent"),
                MvcCase.of("DELETE", "/method/delete"),
                get("/method/get-with-body").with("Content-Type", "text/plain").body("sent"),
                get("/method/get").with("Cache-Control", "no-cache"),
                get("/method/get").with("Cache-Control", "no-store"),
                get("/method/get").with("Pragma", "no-cache"));
    }

    private static Stream<MvcCase> origins() {
        return Stream.of(
                get("/method/cross").with("Origin", ORIGIN),
                get("/method/cross").with("Origin", "https://other.org"),
                get("/method/cross-for-anybody").with("Origin", ORIGIN),
                get("/method/cross-with-credentials").with("Origin", ORIGIN),
                get("/method/cross-failing").with("Origin", ORIGIN),
                get("/method/get").with("Origin", ORIGIN),
                MvcCase.of("OPTIONS", "/method/cross")
                        .with("Origin", ORIGIN)
                        .with("Access-Control-Request-Method", "GET"),
                MvcCase.of("OPTIONS", "/method/cross")
                        .with("Origin", ORIGIN)
                        .with("Access-Control-Request-Method", "DELETE"),
                MvcCase.of("OPTIONS", "/method/cross-for-anybody")
                        .with("Origin", ORIGIN)
                        .with("Access-Control-Request-Method", "GET")
                        .with("Access-Control-Request-Headers", "X-Own, Content-Type"));
    }

    private static Stream<MvcCase> connections() {
        return Stream.of(
                get("/method/get").version("HTTP/1.0"),
                get("/method/get").version("HTTP/1.0").with("Connection", "keep-alive"),
                get("/method/flushed").version("HTTP/1.0"),
                get("/method/flushed"),
                get("/method/get").with("Connection", "close"),
                get("/method/get").with("Connection", "Upgrade, HTTP2-Settings").with("Upgrade", "h2c"),
                get("/method/get").then("GET", "/method/flushed").then("HEAD", "/method/get"));
    }

    @RestController
    static class Handlers {

        @GetMapping("/method/get")
        String get() {
            return "got";
        }

        @RequestMapping(path = "/method/explicit-head", method = RequestMethod.HEAD)
        ResponseEntity<Void> explicitHead() {
            return ResponseEntity.ok().header("X-Head", "1").contentLength(77).build();
        }

        @GetMapping("/method/length")
        void length(HttpServletResponse response) {
            response.setContentLengthLong(1_234);
        }

        @GetMapping("/method/length-of-body")
        void lengthOfBody(HttpServletResponse response) throws IOException {
            response.setContentLength(4);
            response.getOutputStream().print("text");
        }

        @GetMapping("/method/no-output")
        void noOutput(HttpServletRequest request, HttpServletResponse response) throws IOException {
            if (!request.getMethod().equals("HEAD")) {
                response.getWriter().write("only for GET");
            }
        }

        @GetMapping("/method/flushed")
        void flushed(HttpServletResponse response) throws IOException {
            response.getWriter().write("first ");
            response.flushBuffer();
            response.getWriter().write("second");
        }

        @PostMapping("/method/post")
        ResponseEntity<String> post(@RequestBody(required = false) String body) {
            return ResponseEntity.status(201).header("Location", "/method/1").body("got " + body);
        }

        @RequestMapping(
                path = "/method/form",
                method = {RequestMethod.POST, RequestMethod.PUT})
        String form(HttpServletRequest request) {
            return String.join(",", request.getParameterValues("a")) + request.getParameter("b");
        }

        @PutMapping("/method/put")
        String put(@RequestBody String body) {
            return "put " + body;
        }

        @PatchMapping("/method/patch")
        ResponseEntity<String> patch(@RequestBody byte[] body) {
            return ResponseEntity.accepted().body("patched " + body.length);
        }

        @DeleteMapping("/method/delete")
        ResponseEntity<Void> delete() {
            return ResponseEntity.noContent().build();
        }

        @RequestMapping(path = "/method/explicit-options", method = RequestMethod.OPTIONS)
        ResponseEntity<String> explicitOptions() {
            return ResponseEntity.ok().header("Allow", "GET, BREW").body("options");
        }

        @GetMapping("/method/get-with-body")
        String getWithBody(HttpServletRequest request) throws IOException {
            return new String(request.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }

        @CrossOrigin(origins = ORIGIN, exposedHeaders = "X-Own")
        @GetMapping("/method/cross")
        ResponseEntity<String> cross() {
            return ResponseEntity.ok().header("X-Own", "1").body("cross");
        }

        @CrossOrigin
        @GetMapping("/method/cross-for-anybody")
        String crossForAnybody() {
            return "cross";
        }

        @CrossOrigin(origins = ORIGIN, allowCredentials = "true", maxAge = 60)
        @GetMapping("/method/cross-with-credentials")
        String crossWithCredentials() {
            return "cross";
        }

        @CrossOrigin
        @GetMapping("/method/cross-failing")
        String crossFailing() {
            throw new IllegalStateException("broken");
        }
    }
}
