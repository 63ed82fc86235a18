package io.github.collapseexecutor.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.gate.OnEachLine;
import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseControl;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.Callers;
import io.github.collapseexecutor.http.fixture.RawClient;
import io.github.collapseexecutor.http.fixture.TestClient.Request;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.IOException;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A wrapper in front may lack a single method of asynchronous requests, or fail in it. Followers that wait without a thread get a response all the same, if only
 * that of an error, and none of them is waited for. Each method that the filter calls is tried.
 */
@OnEachLine
class EveryAsyncMethodTests {

    private static final int FOLLOWERS = 2;
    private static final Duration SOON = Duration.ofSeconds(5);

    /** What a method does instead. */
    private enum Way {
        REFUSED {
            @Override
            @Nullable Object call(Method method, Callable<@Nullable Object> own) {
                throw new IllegalStateException(method.getName());
            }
        },
        UNDECLARED {
            @Override
            @Nullable Object call(Method method, Callable<@Nullable Object> own) {
                throw new UnsupportedOperationException(method.getName());
            }
        },
        MISSING {
            @Override
            @Nullable Object call(Method method, Callable<@Nullable Object> own) {
                throw new AbstractMethodError(method.getName());
            }
        },
        FAILS_BEHIND {
            @Override
            @Nullable Object call(Method method, Callable<@Nullable Object> own) throws Exception {
                own.call();
                throw new IllegalStateException(method.getName());
            }
        },
        TELLS_NOTHING {
            @Override
            @Nullable Object call(Method method, Callable<@Nullable Object> own) throws Exception {
                own.call();
                Class<?> type = method.getReturnType();
                return type.isPrimitive() && type != void.class ? Array.get(Array.newInstance(type, 1), 0) : null;
            }
        };

        abstract @Nullable Object call(Method method, Callable<@Nullable Object> own) throws Exception;
    }

    /** Wraps requests so that one method of theirs, or of their contexts, is replaced. */
    private static final class Replacing implements Filter {

        // mutable, thread-safe
        private final Set<String> called = new ConcurrentSkipListSet<>();
        private volatile String replaced = "none";
        private volatile Way way = Way.REFUSED;

        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            chain.doFilter(new Wrapped((HttpServletRequest) request), response);
        }

        private AsyncContext context(AsyncContext context) {
            return (AsyncContext) Proxy.newProxyInstance(
                    AsyncContext.class.getClassLoader(),
                    new Class<?>[] {AsyncContext.class},
                    (proxy, method, arguments) -> {
                        called.add(method.getName());
                        Callable<@Nullable Object> own = () -> invoked(context, method, arguments);
                        return method.getName().equals(replaced) ? way.call(method, own) : own.call();
                    });
        }

        private static @Nullable Object invoked(AsyncContext context, Method method, Object[] arguments)
                throws Exception {
            try {
                return method.invoke(context, arguments);
            } catch (InvocationTargetException e) {
                if (e.getCause() instanceof RuntimeException cause) {
                    throw cause;
                }
                throw e;
            }
        }

        private final class Wrapped extends HttpServletRequestWrapper {

            Wrapped(HttpServletRequest request) {
                super(request);
            }

            @Override
            public AsyncContext startAsync() {
                return started("startAsync", super::startAsync);
            }

            @Override
            public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
                return started("startAsync", () -> super.startAsync(request, response));
            }

            private AsyncContext started(String name, Callable<AsyncContext> own) {
                called.add(name);
                try {
                    Method method = ServletRequest.class.getMethod(name);
                    Callable<@Nullable Object> wrapped = () -> context(own.call());
                    return (AsyncContext) (name.equals(replaced) ? way.call(method, wrapped) : wrapped.call());
                } catch (RuntimeException e) {
                    throw e;
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }

            @Override
            public AsyncContext getAsyncContext() {
                return context(super.getAsyncContext());
            }
        }
    }

    /** A server whose handler is held. */
    private static final class Held implements AutoCloseable {

        // immutable
        private final Replacing replacing = new Replacing();
        private final WaitingRequests waiting = new WaitingRequests();
        private final HttpCollapseControl control = new HttpCollapseControl();
        private final ServletServer server;
        private final ExecutorService threads = Executors.newCachedThreadPool();

        // mutable, thread-safe
        private final Semaphore entered = new Semaphore(0);
        private volatile CountDownLatch gate = new CountDownLatch(0);
        private int number;

        Held(ServletServer.Make make, boolean isShared) {
            HttpCollapseOptions http = HttpCollapseOptions.builder()
                    .control(control)
                    .rules(List.of(CollapseRule.of(CollapsePolicy.strict(), "/**")))
                    .build();
            List<Filter> filters = List.of(waiting, replacing, WaitingRequests.asynchronous(http, Callers.IN_FLIGHT));
            server = make.start(8, filters, new ScriptedServlet((request, response) -> {
                entered.release();
                ScriptedServlet.await(gate);
                if (!isShared) {
                    response.setHeader("Cache-Control", "private");
                }
                response.getWriter().write("written");
            }));
        }

        private Request get() {
            return Request.get(URI.create("http://localhost/" + number)).with("Connection", "close");
        }

        /** What a leader and its followers get, and one that comes after them. */
        List<String> answers() throws Exception {
            number++;
            entered.drainPermits();
            gate = new CountDownLatch(1);
            List<Future<String>> answers = new ArrayList<>();
            answers.add(sent());
            assertThat(entered.tryAcquire(20, TimeUnit.SECONDS)).isTrue();
            long parked = waiting.parked();
            for (int i = 0; i < FOLLOWERS; i++) {
                int before = waiting.arrivals();
                answers.add(sent());
                Awaitility.await().until(() -> waiting.arrivals() > before);
                waiting.awaitLatestLeft(); // parked, or refused
            }
            if (replacing.replaced.equals("none")) {
                assertThat(waiting.parked()).isEqualTo(parked + FOLLOWERS);
            }
            gate.countDown();
            List<String> shown = new ArrayList<>();
            for (Future<String> answer : answers) {
                shown.add(shown(answer));
            }
            shown.add(shown(sent()));
            return shown;
        }

        private Future<String> sent() throws IOException {
            RawClient client = RawClient.send(server.port(), get());
            return threads.submit(() -> {
                try (client) {
                    return String.valueOf(client.response("GET").status());
                }
            });
        }

        private static String shown(Future<String> answer) throws Exception {
            try {
                return answer.get(SOON.toSeconds(), TimeUnit.SECONDS);
            } catch (TimeoutException e) {
                return "nothing";
            } catch (ExecutionException e) {
                return "a connection that ends";
            }
        }

        @Override
        public void close() {
            gate.countDown();
            threads.shutdownNow();
            server.close();
        }
    }

    static Stream<Arguments> serversAndResponses() {
        return EveryResponseMethodTests.servers()
                .flatMap(make -> Stream.of(Arguments.of(make, true), Arguments.of(make, false)));
    }

    @ParameterizedTest
    @MethodSource("serversAndResponses")
    void everyClientGetsAResponseWhateverMethodIsNotThere(ServletServer.Make make, boolean isShared) throws Exception {
        List<String> failures = new ArrayList<>();
        try (Held server = new Held(make, isShared)) {
            assertThat(server.answers()).containsOnly("200");
            for (String method : List.copyOf(server.replacing.called)) {
                for (Way way : Way.values()) {
                    if (method.equals("dispatch") && way == Way.REFUSED) {
                        continue; // so a container says that it has ended the request
                    }
                    server.replacing.replaced = method;
                    server.replacing.way = way;
                    List<String> answers = server.answers();
                    if (!answers.get(0).equals("200")
                            || !answers.stream().allMatch(answer -> answer.matches("200|500"))) {
                        failures.add(method + " " + way + ": " + answers);
                    }
                    try {
                        Awaitility.await()
                                .atMost(Duration.ofSeconds(5))
                                .until(() -> server.control.counts().callers() == 0);
                    } catch (ConditionTimeoutException e) {
                        failures.add(method + " " + way + ": callers that are waited for: " + server.control.counts());
                    }
                }
            }
        }
        assertThat(failures).isEmpty();
    }
}
