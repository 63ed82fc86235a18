package io.github.collapseexecutor.http.servlet.mvc;

import static io.github.collapseexecutor.http.servlet.mvc.MvcCase.get;
import static io.github.collapseexecutor.http.servlet.mvc.MvcCase.gets;
import static io.github.collapseexecutor.http.servlet.mvc.MvcCase.head;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.util.stream.Stream;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.server.ResponseStatusException;

/** Handlers that fail, requests that no handler takes, and the pages that say so. */
final class ErrorCases {

    private ErrorCases() {}

    static Stream<MvcCase> cases() {
        Stream<MvcCase> statuses = Stream.of(400, 401, 403, 404, 409, 410, 418, 422, 429, 500, 501, 503)
                .map(status -> get("/error-of/send/" + status));
        Stream<MvcCase> handlers = gets(
                "/error-of/",
                "send-with-message",
                "send-after-output",
                "send-with-headers",
                "send-304",
                "set-status",
                "set-status-and-body",
                "status-exception",
                "status-exception-with-headers",
                "runtime-exception",
                "servlet-exception",
                "io-exception",
                "error",
                "annotated-exception",
                "annotated-exception-with-reason",
                "handled",
                "handled-to-problem",
                "handled-after-output",
                "problem",
                "problem-entity",
                "problem-exception",
                "after-output",
                "after-flush",
                "required-parameter",
                "number?of=x",
                "required-header",
                "no/such/handler",
                "post-only");
        Stream<MvcCase> others = Stream.of(
                get("/error-of/after-large-output").notOn(Make.TOMCAT), // how much arrives differs
                get("/error-of/send/404").with("Accept", "text/html"),
                get("/error-of/runtime-exception").with("Accept", "text/html"),
                get("/error-of/no/such/handler").with("Accept", "text/html"),
                get("/error-of/problem").with("Accept", "text/plain"),
                get("/error-of/json-only").with("Accept", "image/png"),
                head("/error-of/send/404"),
                head("/error-of/runtime-exception"),
                head("/error-of/no/such/handler"),
                get("/error-of/send/404").then("GET", "/error-of/send/410"),
                get("/error-of/runtime-exception").version("HTTP/1.0"),
                MvcCase.of("POST", "/error-of/post-only")
                        .with("Content-Type", "text/csv")
                        .body("a;b"),
                MvcCase.of("POST", "/error-of/post-only")
                        .with("Content-Type", "application/json")
                        .body("{broken"),
                MvcCase.of("DELETE", "/error-of/send/404"),
                MvcCase.of("PATCH", "/error-of/runtime-exception"),
                get("/error"),
                get("/error").with("Accept", "text/html"));
        return Stream.of(statuses, handlers, others).flatMap(cases -> cases);
    }

    @RestControllerAdvice
    static class Rejections {

        @ExceptionHandler
        ResponseEntity<String> rejected(HandledException e) {
            return ResponseEntity.status(422).header("X-Handled", "1").body("handled " + e.getMessage());
        }

        @ExceptionHandler
        @ResponseStatus(HttpStatus.CONFLICT)
        ProblemDetail problem(ProblemException e) {
            ProblemDetail detail = ProblemDetail.forStatus(HttpStatus.CONFLICT);
            detail.setDetail(e.getMessage());
            return detail;
        }
    }

    static final class HandledException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        HandledException() {
            super("well");
        }
    }

    static final class ProblemException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        ProblemException() {
            super("a conflict");
        }
    }

    @ResponseStatus(HttpStatus.GONE)
    static final class GoneException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    @ResponseStatus(code = HttpStatus.PAYMENT_REQUIRED, reason = "No money")
    static final class PaymentException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    @RestController
    static class Handlers {

        @GetMapping("/error-of/send/{status}")
        void send(@PathVariable int status, HttpServletResponse response) throws IOException {
            response.sendError(status);
        }

        @GetMapping("/error-of/send-with-message")
        void sendWithMessage(HttpServletResponse response) throws IOException {
            response.sendError(404, "No such thing");
        }

        @GetMapping("/error-of/send-after-output")
        void sendAfterOutput(HttpServletResponse response) throws IOException {
            response.getWriter().write("this is dropped");
            response.sendError(409);
        }

        @GetMapping("/error-of/send-with-headers")
        void sendWithHeaders(HttpServletResponse response) throws IOException {
            response.setHeader("Retry-After", "7");
            response.setHeader("X-Own", "1");
            response.setContentType("text/csv");
            response.sendError(503);
        }

        @GetMapping("/error-of/send-304")
        void sendNotModified(HttpServletResponse response) throws IOException {
            response.sendError(304);
        }

        @GetMapping("/error-of/set-status")
        void setStatus(HttpServletResponse response) {
            response.setStatus(500);
        }

        @GetMapping("/error-of/set-status-and-body")
        void setStatusAndBody(HttpServletResponse response) throws IOException {
            response.setStatus(502);
            response.setContentType("text/plain");
            response.getWriter().write("no gateway");
        }

        @GetMapping("/error-of/status-exception")
        String statusException() {
            throw new ResponseStatusException(HttpStatus.GONE, "no more");
        }

        @GetMapping("/error-of/status-exception-with-headers")
        String statusExceptionWithHeaders() {
            ResponseStatusException exception = new ResponseStatusException(HttpStatus.SERVICE_UNAVAILABLE);
            exception.getHeaders().add("Retry-After", "9");
            throw exception;
        }

        @GetMapping("/error-of/runtime-exception")
        String runtimeException() {
            throw new IllegalStateException("broken");
        }

        @GetMapping("/error-of/servlet-exception")
        String servletException() throws ServletException {
            throw new ServletException("broken", new IllegalStateException("inside"));
        }

        @GetMapping("/error-of/io-exception")
        String ioException() throws IOException {
            throw new IOException("broken");
        }

        @GetMapping("/error-of/error")
        String error() {
            throw new AssertionError("broken");
        }

        @GetMapping("/error-of/annotated-exception")
        String annotatedException() {
            throw new GoneException();
        }

        @GetMapping("/error-of/annotated-exception-with-reason")
        String annotatedExceptionWithReason() {
            throw new PaymentException();
        }

        @GetMapping("/error-of/handled")
        String handled() {
            throw new HandledException();
        }

        @GetMapping("/error-of/handled-to-problem")
        String handledToProblem() {
            throw new ProblemException();
        }

        @GetMapping("/error-of/handled-after-output")
        void handledAfterOutput(HttpServletResponse response) throws IOException {
            response.setHeader("X-Before", "1");
            response.getOutputStream().print("output, then ");
            throw new HandledException();
        }

        @GetMapping("/error-of/problem")
        ProblemDetail problem() {
            ProblemDetail detail = ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST, "wrong");
            detail.setType(URI.create("https://example.org/wrong"));
            detail.setProperty("more", 1);
            return detail;
        }

        @GetMapping("/error-of/problem-entity")
        ResponseEntity<ProblemDetail> problemEntity() {
            return ResponseEntity.of(ProblemDetail.forStatus(HttpStatus.LOCKED)).build();
        }

        @GetMapping("/error-of/problem-exception")
        String problemException() {
            throw new ErrorResponseException(HttpStatus.TOO_EARLY);
        }

        @GetMapping("/error-of/after-output")
        void afterOutput(HttpServletResponse response) throws IOException {
            response.setHeader("X-Before", "1");
            response.getWriter().write("this is dropped");
            throw new IllegalStateException("broken");
        }

        @GetMapping("/error-of/after-large-output")
        void afterLargeOutput(HttpServletResponse response) throws IOException {
            response.getOutputStream().write(MvcFiles.bytes(100_000));
            throw new IllegalStateException("broken");
        }

        @GetMapping("/error-of/after-flush")
        void afterFlush(HttpServletResponse response) throws IOException {
            PrintWriter writer = response.getWriter();
            writer.write("this is sent");
            response.flushBuffer();
            throw new IllegalStateException("broken");
        }

        @GetMapping("/error-of/required-parameter")
        String requiredParameter(@RequestParam String of) {
            return of;
        }

        @GetMapping("/error-of/number")
        String number(@RequestParam int of) {
            return Integer.toString(of);
        }

        @GetMapping("/error-of/required-header")
        String requiredHeader(@RequestHeader("X-Needed") String needed) {
            return needed;
        }

        @GetMapping(path = "/error-of/json-only", produces = "application/json")
        String jsonOnly() {
            return "{}";
        }

        @PostMapping(path = "/error-of/post-only", consumes = "application/json")
        Object postOnly(@RequestBody Object body) {
            return body;
        }
    }
}
