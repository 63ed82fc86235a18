package io.github.collapseexecutor.http.servlet.mvc;

import static io.github.collapseexecutor.http.servlet.mvc.MvcCase.get;
import static io.github.collapseexecutor.http.servlet.mvc.MvcCase.gets;
import static io.github.collapseexecutor.http.servlet.mvc.MvcCase.head;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Map;
import java.util.stream.Stream;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** What a handler can do with the response itself: its buffer, its length, its end, its trailers. */
final class ResponseCases {

    private ResponseCases() {}

    static Stream<MvcCase> cases() {
        Stream<MvcCase> plain = gets(
                "/response/",
                "declared-length",
                "declared-too-short",
                "declared-zero",
                "larger-buffer",
                "smaller-buffer",
                "buffer-after-output",
                "reset",
                "reset-buffer",
                "reset-after-flush",
                "reset-and-other-way",
                "flush-empty",
                "flush-between",
                "flush-at-end",
                "flush-writer",
                "flush-before-headers",
                "committed",
                "both-ways",
                "writer-in-view-of-stream",
                "close-writer",
                "close-stream",
                "write-after-close",
                "redirect-after-output",
                "redirect-then-output",
                "trailers",
                "trailers-without-chunks",
                "status-without-body",
                "no-content-with-body",
                "not-modified-with-body",
                "informational",
                "write-listener",
                "check-error");
        return Stream.concat(
                plain,
                Stream.of(
                        head("/response/declared-length"),
                        head("/response/flush-between"),
                        head("/response/trailers"),
                        head("/response/reset"),
                        get("/response/flush-between").version("HTTP/1.0"),
                        get("/response/trailers").with("TE", "trailers"),
                        get("/response/declared-length").then("GET", "/response/flush-at-end")));
    }

    @RestController
    static class Handlers {

        @GetMapping("/response/declared-length")
        void declaredLength(HttpServletResponse response) throws IOException {
            response.setContentLength(4);
            response.getOutputStream().print("text");
        }

        @GetMapping("/response/declared-too-short")
        void declaredTooShort(HttpServletResponse response) throws IOException {
            response.setContentLength(2);
            response.getOutputStream().print("text");
        }

        @GetMapping("/response/declared-zero")
        void declaredZero(HttpServletResponse response) {
            response.setContentLength(0);
        }

        @GetMapping("/response/larger-buffer")
        void largerBuffer(HttpServletResponse response) throws IOException {
            response.setBufferSize(200_000); // Tomcat keeps smaller ones for requests to come
            response.getOutputStream().write(MvcFiles.bytes(90_000));
            response.setHeader("X-After", Boolean.toString(response.getBufferSize() >= 200_000));
        }

        @GetMapping("/response/smaller-buffer")
        void smallerBuffer(HttpServletResponse response) throws IOException {
            response.setBufferSize(10);
            response.getOutputStream().write(MvcFiles.bytes(500));
            response.getOutputStream().print(" " + response.getBufferSize());
        }

        @GetMapping("/response/buffer-after-output")
        void bufferAfterOutput(HttpServletResponse response) throws IOException {
            response.getOutputStream().print("text");
            try {
                response.setBufferSize(200_000);
                response.getOutputStream().print(" allowed");
            } catch (IllegalStateException e) {
                response.getOutputStream().print(" refused");
            }
        }

        @GetMapping("/response/reset")
        void reset(HttpServletResponse response) throws IOException {
            response.setHeader("X-Gone", "1");
            response.setStatus(500);
            response.getWriter().write("this is dropped");
            response.reset();
            response.setHeader("X-Kept", "1");
            response.getWriter().write("text " + response.getStatus());
        }

        @GetMapping("/response/reset-buffer")
        void resetBuffer(HttpServletResponse response) throws IOException {
            response.setHeader("X-Kept", "1");
            response.setStatus(203);
            response.getOutputStream().print("this is dropped");
            response.resetBuffer();
            response.getOutputStream().print("text");
        }

        @GetMapping("/response/reset-after-flush")
        void resetAfterFlush(HttpServletResponse response) throws IOException {
            response.getOutputStream().print("text");
            response.flushBuffer();
            try {
                response.reset();
                response.getOutputStream().print(" allowed");
            } catch (IllegalStateException e) {
                response.getOutputStream().print(" refused");
            }
        }

        @GetMapping("/response/reset-and-other-way")
        void resetAndOtherWay(HttpServletResponse response) throws IOException {
            response.setContentType("text/html;charset=UTF-8");
            response.getWriter().write("this is dropped");
            response.reset();
            response.getOutputStream().print("text");
        }

        @GetMapping("/response/flush-empty")
        void flushEmpty(HttpServletResponse response) throws IOException {
            response.flushBuffer();
        }

        @GetMapping("/response/flush-between")
        void flushBetween(HttpServletResponse response) throws IOException {
            for (int i = 0; i < 3; i++) {
                response.getOutputStream().print("part " + i);
                response.flushBuffer();
            }
        }

        @GetMapping("/response/flush-at-end")
        void flushAtEnd(HttpServletResponse response) throws IOException {
            response.getOutputStream().print("text");
            response.getOutputStream().flush();
        }

        @GetMapping("/response/flush-writer")
        void flushWriter(HttpServletResponse response) throws IOException {
            response.getWriter().print("text");
            response.getWriter().flush();
        }

        @GetMapping("/response/flush-before-headers")
        void flushBeforeHeaders(HttpServletResponse response) throws IOException {
            response.setContentType("text/plain");
            response.flushBuffer();
            response.setHeader("X-Late", "1");
            response.getOutputStream().print("text");
        }

        @GetMapping("/response/committed")
        void committed(HttpServletResponse response) throws IOException {
            response.getOutputStream().print("1 " + response.isCommitted());
            response.flushBuffer();
            response.getOutputStream().print(" 2 " + response.isCommitted());
        }

        @GetMapping("/response/both-ways")
        void bothWays(HttpServletResponse response) throws IOException {
            response.getWriter().write("text");
            response.getOutputStream().print("never");
        }

        @GetMapping("/response/writer-in-view-of-stream")
        void writerInViewOfStream(HttpServletResponse response) throws IOException {
            response.getOutputStream().print("text");
            try {
                response.getWriter().write("allowed");
            } catch (IllegalStateException e) {
                response.getOutputStream().print(" refused");
            }
        }

        @GetMapping("/response/close-writer")
        void closeWriter(HttpServletResponse response) throws IOException {
            try (PrintWriter writer = response.getWriter()) {
                writer.write("text");
            }
            response.setHeader("X-Late", "1");
        }

        @GetMapping("/response/close-stream")
        void closeStream(HttpServletResponse response) throws IOException {
            try (ServletOutputStream out = response.getOutputStream()) {
                out.write(MvcFiles.bytes(20_000));
            }
        }

        @GetMapping("/response/write-after-close")
        void writeAfterClose(HttpServletResponse response) throws IOException {
            PrintWriter writer = response.getWriter();
            writer.write("text");
            writer.close();
            writer.write("never");
        }

        @GetMapping("/response/redirect-after-output")
        void redirectAfterOutput(HttpServletResponse response) throws IOException {
            response.setHeader("X-Kept", "1");
            response.getWriter().write("this is dropped");
            response.sendRedirect("/entity/text");
        }

        @GetMapping("/response/redirect-then-output")
        void redirectThenOutput(HttpServletResponse response) throws IOException {
            response.sendRedirect("/entity/text");
            try {
                response.getWriter().write("never");
            } catch (IllegalStateException e) {
                response.setHeader("X-Late", "1");
            }
        }

        @GetMapping("/response/trailers")
        void trailers(HttpServletResponse response) throws IOException {
            response.setHeader("Trailer", "X-Sum");
            response.setTrailerFields(() -> Map.of("X-Sum", "7"));
            response.getOutputStream().print("text");
            response.flushBuffer();
        }

        @GetMapping("/response/trailers-without-chunks")
        void trailersWithoutChunks(HttpServletResponse response) throws IOException {
            response.setContentLength(4);
            response.setTrailerFields(() -> Map.of("X-Sum", "7"));
            response.getOutputStream().print("text");
        }

        @GetMapping("/response/status-without-body")
        void statusWithoutBody(HttpServletResponse response) {
            response.setStatus(404);
            response.setContentType("text/plain");
        }

        @GetMapping("/response/no-content-with-body")
        void noContentWithBody(HttpServletResponse response) throws IOException {
            response.setStatus(204);
            response.getOutputStream().print("this is dropped");
        }

        @GetMapping("/response/not-modified-with-body")
        void notModifiedWithBody(HttpServletResponse response) throws IOException {
            response.setStatus(304);
            response.setHeader("ETag", "\"v1\"");
            response.getOutputStream().print("this is dropped");
        }

        @GetMapping("/response/informational")
        void informational(HttpServletResponse response) {
            response.setStatus(299);
        }

        @GetMapping("/response/write-listener")
        void writeListener(HttpServletRequest request, HttpServletResponse response) throws IOException {
            var context = request.startAsync();
            ServletOutputStream out = response.getOutputStream();
            out.setWriteListener(new WriteListener() {
                private int written;

                @Override
                public void onWritePossible() throws IOException {
                    while (out.isReady()) {
                        if (written == 3) {
                            context.complete();
                            return;
                        }
                        out.write(MvcFiles.bytes(100));
                        written++;
                    }
                }

                @Override
                public void onError(Throwable failure) {
                    context.complete();
                }
            });
        }

        @GetMapping("/response/check-error")
        void checkError(HttpServletResponse response) throws IOException {
            PrintWriter writer = response.getWriter();
            writer.write("text");
            boolean failed = writer.checkError();
            writer.write(" " + failed);
        }
    }
}
