package io.github.collapseexecutor.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A handler that does what a test says, and what several tests have handlers do. */
final class ScriptedServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;

    /** What a test has the handler do. */
    interface Script {
        void run(HttpServletRequest request, HttpServletResponse response) throws IOException, ServletException;
    }

    // immutable
    @SuppressWarnings("serial") // a servlet of a test is never serialized
    private final Script script;

    ScriptedServlet(Script script) {
        this.script = script;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        script.run(request, response);
    }

    /** Has a thread of the server wait for the test. */
    static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Writes by a listener, ends the request and says so. */
    static void writeWithoutBlocking(
            HttpServletRequest request, HttpServletResponse response, String body, Runnable ended) throws IOException {
        AsyncContext context = request.startAsync();
        ServletOutputStream out = response.getOutputStream();
        out.setWriteListener(new WriteListener() {
            @Override
            public void onWritePossible() throws IOException {
                if (out.isReady()) {
                    out.write(body.getBytes(StandardCharsets.UTF_8));
                    context.complete();
                    ended.run();
                }
            }

            @Override
            public void onError(Throwable failure) {
                context.complete();
            }
        });
    }
}
