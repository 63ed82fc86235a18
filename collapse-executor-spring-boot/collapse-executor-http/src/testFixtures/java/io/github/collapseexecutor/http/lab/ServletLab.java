package io.github.collapseexecutor.http.lab;

import io.github.collapseexecutor.http.servlet.CollapseServletFilter;
import io.github.collapseexecutor.http.servlet.FollowerWaiting;
import io.github.collapseexecutor.http.servlet.ServletServer;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.springframework.web.servlet.DispatcherServlet;

/** A Servlet container of the lab. Its one filter has those of the application that a request names. */
final class ServletLab implements LabServer {

    private static final int THREADS = 80;

    /**
     * An application.
     *
     * @param filters the filters, the collapsing one among them
     */
    private record Application(LabHandler handler, List<Filter> filters) {}

    // immutable
    private final LabMake make;
    private final ServletServer server;
    private final LabMeetings meetings = new LabMeetings();
    private final ExecutorService threads =
            new ThreadPoolExecutor(0, Integer.MAX_VALUE, 1, TimeUnit.MINUTES, new SynchronousQueue<>(), task -> {
                Thread thread = new Thread(task, "lab-handler");
                thread.setDaemon(true);
                return thread;
            }) {
                @Override
                protected void beforeExecute(Thread thread, Runnable task) {
                    LabPauses.maybe();
                }
            };

    // mutable, thread-safe
    private final Map<String, Application> applications = new ConcurrentHashMap<>();

    ServletLab(LabMake make, ServletServer.Make container) {
        this.make = make;
        this.server = container.start(THREADS, List.of(new Front()), new Handler());
    }

    @Override
    public LabMake make() {
        return make;
    }

    @Override
    public LabCaller caller(String application) {
        return new LabConnection(server.port(), application, true, UnaryOperator.identity());
    }

    @Override
    public LabMeetings meetings() {
        return meetings;
    }

    @Override
    public void host(String name, LabSetup setup, boolean collapses) {
        List<Filter> filters = new ArrayList<>();
        setup.filters().forEach(filter -> filters.add(ServletParts.of(filter)));
        if (collapses) {
            filters.add(CollapseServletFilter.builder(LabOptions.http(setup))
                    .core(LabOptions.core(setup))
                    .waiting(setup.parks() ? FollowerWaiting.ASYNC : FollowerWaiting.BLOCK)
                    .build());
        }
        setup.behind().forEach(filter -> filters.add(ServletParts.of(filter)));
        applications.put(name, new Application(setup.handler(), filters));
    }

    @Override
    public void remove(String name) {
        applications.remove(name);
    }

    @Override
    public void close() {
        server.close();
        threads.shutdownNow();
    }

    private Application applicationOf(HttpServletRequest request) throws ServletException {
        Application application = applications.get(request.getHeader(LabCall.APPLICATION));
        if (application == null) {
            throw new ServletException("An application that is gone");
        }
        return application;
    }

    private final class Front implements Filter {
        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            HttpServletRequest http = (HttpServletRequest) request;
            if (request.getDispatcherType() == DispatcherType.REQUEST) {
                meetings.of(http.getHeader(LabCall.MEETING)).arrive();
                LabPauses.maybe();
            }
            pass(applicationOf(http).filters(), 0, request, response, chain);
            LabPauses.maybe();
        }

        private static void pass(
                List<Filter> filters, int next, ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            if (next == filters.size()) {
                chain.doFilter(request, response);
            } else {
                filters.get(next)
                        .doFilter(request, response, (passed, own) -> pass(filters, next + 1, passed, own, chain));
            }
        }
    }

    private final class Handler extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @SuppressWarnings("serial") // a servlet of a test is never serialized
        private final DispatcherServlet spring = MvcHandler.servlet(threads);

        @Override
        public void init(ServletConfig configuration) throws ServletException {
            super.init(configuration);
            spring.init(configuration);
        }

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response)
                throws IOException, ServletException {
            if (request.getAttribute(RequestDispatcher.ERROR_REQUEST_URI) != null) {
                response.getWriter().write("page of " + response.getStatus());
                return;
            }
            LabHandler handler = applicationOf(request).handler();
            if (request.getAttribute(MvcHandler.GATHERED) == null) {
                request.setAttribute(MvcHandler.HANDLER, handler);
                request.setAttribute(
                        MvcHandler.GATHERED,
                        meetings.of(request.getHeader(LabCall.MEETING)).run());
            }
            if (handler.kind().isOfSpringMvc()) {
                spring.service(request, response);
            } else {
                new ServletHandler(handler, threads).service(request, response);
            }
        }
    }
}
