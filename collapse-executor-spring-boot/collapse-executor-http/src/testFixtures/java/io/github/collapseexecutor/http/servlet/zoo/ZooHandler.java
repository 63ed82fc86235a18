package io.github.collapseexecutor.http.servlet.zoo;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** The handler of an application, which answers with what it sees once all requests of a round are there. */
@RestController
public final class ZooHandler {

    /** The handler's path, below the dispatcher servlet. */
    public static final String PATH = "/shown/1";

    /** The route to that path. */
    public static final String ROUTE = "/shown/{id}";

    /** The path of the same handler as a servlet of its own. */
    public static final String SERVLET_PATH = "/servlet/1";

    /** What a handler answers. */
    public interface Shown {
        String of(HttpServletRequest request) throws Exception;
    }

    // immutable
    private final Shown shown;

    // mutable, thread-safe
    private final AtomicInteger runs = new AtomicInteger();
    private volatile CountDownLatch gate = new CountDownLatch(0);

    ZooHandler(Shown shown) {
        this.shown = shown;
    }

    void close() {
        runs.set(0);
        gate = new CountDownLatch(1);
    }

    void open() {
        gate.countDown();
    }

    int runs() {
        return runs.get();
    }

    @RequestMapping(ROUTE)
    String show(HttpServletRequest request) throws Exception {
        return run(request);
    }

    private String run(HttpServletRequest request) throws Exception {
        runs.incrementAndGet();
        if (!gate.await(30, TimeUnit.SECONDS)) {
            throw new AssertionError("The test does not open the gate");
        }
        return shown.of(request);
    }

    /** The handler without Spring MVC, which sets thread-locals of its own. */
    HttpServlet asServlet() {
        return new PlainServlet(this);
    }

    private static final class PlainServlet extends HttpServlet {

        private static final long serialVersionUID = 1L;

        // immutable
        @SuppressWarnings("serial") // a servlet of a test is never serialized
        private final ZooHandler handler;

        private PlainServlet(ZooHandler handler) {
            this.handler = handler;
        }

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response)
                throws IOException, ServletException {
            String text;
            try {
                text = handler.run(request);
            } catch (Exception e) {
                throw new ServletException(e);
            }
            response.setContentType("text/plain");
            response.getWriter().write(text);
        }
    }
}
