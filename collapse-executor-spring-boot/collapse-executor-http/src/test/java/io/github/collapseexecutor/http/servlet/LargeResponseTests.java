package io.github.collapseexecutor.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.JoinMode;
import io.github.collapseexecutor.gate.OnEachJdk;
import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** H27 to the letter: a handler's 200 MB through a heap of 64 MB, in a process of its own. */
@OnEachJdk
class LargeResponseTests {

    private static final int READERS = 3;
    private static final long LENGTH = 200_000_000;

    @ParameterizedTest
    @EnumSource
    void H27_nobodyRunsOutOfMemoryAndNobodyTakesACutBodyForAWholeOne(ServletServer.Make make) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        Server.class.getName(),
                        make.name())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        List<String> expected = new ArrayList<>(Collections.nCopies(READERS, "/whole read " + LENGTH));
        // Undertow ends the response of a handler that broke as if it were whole, with this filter and without
        String cut = make == ServletServer.Make.UNDERTOW ? "/cut read " + LENGTH / 2 : "/cut failed";
        expected.addAll(Collections.nCopies(READERS, cut));
        assertThat(output.lines().filter(line -> line.startsWith("/")).toList())
                .as(output)
                .isEqualTo(expected);
        assertThat(process.exitValue()).as(output).isZero();
    }

    /** What the other process does: it serves, and reads what it serves. */
    static final class Server {

        private Server() {}

        public static void main(String[] arguments) throws Exception {
            HttpCollapseOptions http = HttpCollapseOptions.builder()
                    .rules(List.of(CollapseRule.of(CollapsePolicy.strict(), "/**")))
                    .build();
            CollapseOptions inFlight = CollapseOptions.builder()
                    .joinMode(JoinMode.IN_FLIGHT)
                    .maxWait(Duration.ofMinutes(10))
                    .build();
            ExecutorService threads = Executors.newFixedThreadPool(READERS);
            try (ServletServer server = ServletServer.Make.valueOf(arguments[0])
                    .start(10, List.of(WaitingRequests.asynchronous(http, inFlight)), new Handler())) {
                for (String path : List.of("/whole", "/cut")) {
                    URI uri = URI.create("http://127.0.0.1:" + server.port() + path);
                    List<Future<Long>> lengths = new ArrayList<>();
                    for (int i = 0; i < READERS; i++) {
                        lengths.add(threads.submit(() -> {
                            try (InputStream body = uri.toURL().openStream()) {
                                return body.transferTo(OutputStream.nullOutputStream());
                            }
                        }));
                    }
                    for (Future<Long> length : lengths) {
                        System.out.println(path + outcome(length));
                    }
                }
            }
            System.exit(0);
        }

        private static String outcome(Future<Long> length) throws InterruptedException {
            try {
                return " read " + length.get();
            } catch (ExecutionException e) {
                return e.getCause() instanceof IOException ? " failed" : " broke: " + e.getCause();
            }
        }
    }

    private static final class Handler extends HttpServlet {

        private static final long serialVersionUID = 1L;

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            if (request.getRequestURI().equals("/error")) {
                return;
            }
            byte[] part = new byte[100_000];
            long end = request.getRequestURI().equals("/cut") ? LENGTH / 2 : LENGTH;
            for (long written = 0; written < end; written += part.length) {
                response.getOutputStream().write(part);
            }
            if (end < LENGTH) {
                throw new IOException("The handler broke in the middle of its response");
            }
        }
    }
}
