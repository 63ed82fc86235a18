package io.github.collapseexecutor.spring.boot.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.http.servlet.CollapseServletFilter;
import io.github.collapseexecutor.spring.boot.fixture.TestApplication;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServlet;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Frameworks that answer requests as filters, as Jersey, Struts and Wicket may. */
@ExtendWith(OutputCaptureExtension.class)
class AnsweringFiltersTests {

    private static final String GROUP = """
            logging.level.io.github.collapseexecutor: info
            collapse.executor.join: in-flight
            collapse.executor.servlet.waiting: async
            collapse.executor.servlet.collapse-groups[0].uris: /framework/held
            """;
    private static final String SAID = "answers requests itself";
    private static final int CALLERS = 5;

    private static ConfigurableApplicationContext start(Class<?> configuration) {
        return new TestApplication().with(configuration).withServer().start(GROUP);
    }

    @Test
    void aFrameworkThatAnswersBeforeTheLastFilterIsSaid(CapturedOutput output) {
        start(WithFramework.class).close();
        assertThat(output.getAll())
                .containsOnlyOnce(SAID)
                .contains("The filter framework (" + Framework.class.getName() + ")")
                .contains("FilterRegistrationBean<CollapseServletFilter>");
    }

    @Test
    void nothingIsSaidOfAFrameworkWhoseRequestsBelongToNoGroup(CapturedOutput output) {
        start(WithFrameworkElsewhere.class).close();
        assertThat(output.getAll()).doesNotContain(SAID);
    }

    @Test
    void aRegistrationOfTheApplicationTakesThePlaceOfOurs_soThatTheRequestsOfAFrameworkCollapse(CapturedOutput output)
            throws Exception {
        try (ConfigurableApplicationContext application = start(WithFrameworkBehind.class)) {
            assertThat(application
                            .getBean("collapseServletFilterRegistration", FilterRegistrationBean.class)
                            .isEnabled())
                    .isFalse();
            Framework framework = application.getBean(Framework.class);
            List<CompletableFuture<HttpResponse<String>>> calls = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                calls.add(HttpClient.newHttpClient()
                        .sendAsync(
                                HttpRequest.newBuilder(URI.create("http://localhost:"
                                                + application.getEnvironment().getProperty("local.server.port")
                                                + "/framework/held"))
                                        .build(),
                                HttpResponse.BodyHandlers.ofString()));
            }
            assertThat(framework.parked.await(60, TimeUnit.SECONDS)).isTrue();
            framework.released.countDown();
            for (CompletableFuture<HttpResponse<String>> call : calls) {
                assertThat(call.get(60, TimeUnit.SECONDS).body()).isEqualTo("framework");
            }
            assertThat(framework.runs).hasValue(1);
        }
        assertThat(output.getAll()).doesNotContain(SAID);
    }

    /** A framework that is a servlet and a filter, as that of Jersey is. */
    static final class Framework extends HttpServlet implements Filter {

        private static final long serialVersionUID = 1L;

        // mutable, thread-safe
        private final transient CountDownLatch parked = new CountDownLatch(CALLERS - 1);
        private final transient CountDownLatch released = new CountDownLatch(1);
        private final AtomicInteger runs = new AtomicInteger();

        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain) throws IOException {
            runs.incrementAndGet();
            try {
                released.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            response.getWriter().write("framework");
        }
    }

    private static FilterRegistrationBean<Framework> registration(Framework framework, String mapping) {
        FilterRegistrationBean<Framework> registration = new FilterRegistrationBean<>(framework);
        registration.setName("framework");
        registration.addUrlPatterns(mapping);
        registration.setOrder(1);
        return registration;
    }

    @Configuration(proxyBeanMethods = false)
    static class WithFramework {

        @Bean
        FilterRegistrationBean<Framework> framework() {
            return registration(new Framework(), "/framework/*");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithFrameworkElsewhere {

        @Bean
        FilterRegistrationBean<Framework> framework() {
            return registration(new Framework(), "/elsewhere/*");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithFrameworkBehind {

        @Bean
        Framework held() {
            return new Framework();
        }

        @Bean
        FilterRegistrationBean<Framework> framework(Framework held) {
            return registration(held, "/framework/*");
        }

        @Bean
        FilterRegistrationBean<Filter> parked(Framework held) {
            FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>((request, response, chain) -> {
                chain.doFilter(request, response);
                if (request.isAsyncStarted()) {
                    held.parked.countDown();
                }
            });
            registration.setOrder(-1);
            return registration;
        }

        @Bean
        FilterRegistrationBean<CollapseServletFilter> collapsing(CollapseServletFilter filter) {
            FilterRegistrationBean<CollapseServletFilter> registration = new FilterRegistrationBean<>(filter);
            registration.setOrder(0);
            registration.setDispatcherTypes(DispatcherType.REQUEST, DispatcherType.ASYNC);
            return registration;
        }
    }
}
