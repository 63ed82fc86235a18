package io.github.collapseexecutor.spring.boot.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.collapseexecutor.http.servlet.CollapseServletFilter;
import io.github.collapseexecutor.http.servlet.FollowerWaiting;
import io.github.collapseexecutor.spring.boot.fixture.TestApplication;
import io.undertow.websockets.jsr.JsrWebSocketFilter;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.web.servlet.DelegatingFilterProxyRegistrationBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.web.DefaultSecurityFilterChain;
import org.springframework.security.web.FilterChainProxy;
import org.springframework.security.web.authentication.AnonymousAuthenticationFilter;
import org.springframework.security.web.util.matcher.AnyRequestMatcher;
import org.springframework.session.MapSessionRepository;
import org.springframework.session.config.annotation.web.http.EnableSpringHttpSession;

/** {@code collapse.executor.servlet.waiting} (H37). */
@ExtendWith(OutputCaptureExtension.class)
class ServletWaitingTests {

    private static final String COLLAPSING = """
            logging.level.io.github.collapseexecutor: info
            collapse.executor.servlet.collapse-groups[0].uris: /**
            """;
    private static final String WAITING = "collapse.executor.servlet.waiting: ";
    private static final String SAFE = "collapse.executor.servlet.async-safe-filters: ";
    private static final String HOLD = "hold their threads";

    private static FollowerWaiting waiting(String yaml, Class<?>... configuration) {
        TestApplication test = new TestApplication().withServer();
        for (Class<?> each : configuration) {
            test = test.with(each);
        }
        try (ConfigurableApplicationContext application = test.start(COLLAPSING + yaml)) {
            return application.getBean(CollapseServletFilter.class).waiting();
        }
    }

    @Test
    void followersGiveTheirThreadsBackWhereOnlyKnownFiltersAreInFront(CapturedOutput output) {
        assertThat(waiting("")).isEqualTo(FollowerWaiting.ASYNC);
        assertThat(output.getAll()).doesNotContain(HOLD);
    }

    @Test
    void followersHoldTheirThreadsBehindAFilterOfTheApplicationAndOneLineSaysSo(CapturedOutput output) {
        assertThat(waiting("", WithOwnFilter.class)).isEqualTo(FollowerWaiting.BLOCK);
        assertThat(output.getAll())
                .containsOnlyOnce(HOLD)
                .contains(OwnFilter.class.getName())
                .contains("collapse.executor.servlet.async-safe-filters");
    }

    @Test
    void nothingIsSaidWhereTheThreadsOfTheServerAreVirtual(CapturedOutput output) {
        boolean virtual = Runtime.version().feature() >= 21; // older ones ignore the setting
        assertThat(waiting("spring.threads.virtual.enabled: true", WithOwnFilter.class))
                .isEqualTo(FollowerWaiting.BLOCK);
        assertThat(output.getAll().contains(HOLD)).isEqualTo(!virtual);
    }

    @Test
    void aFilterThatTheApplicationNamesIsKnown(CapturedOutput output) {
        assertThat(waiting(SAFE + OwnFilter.class.getName(), WithOwnFilter.class))
                .isEqualTo(FollowerWaiting.ASYNC);
        assertThat(output.getAll()).doesNotContain(HOLD);
    }

    @Test
    void theConfigurationIsAppliedWithEveryOrderOfFilters(CapturedOutput output) {
        assertThat(waiting(WAITING + "async", WithOwnFilter.class)).isEqualTo(FollowerWaiting.ASYNC);
        assertThat(waiting(WAITING + "block")).isEqualTo(FollowerWaiting.BLOCK);
        assertThat(output.getAll()).doesNotContain(HOLD);
    }

    @Test
    void filtersInsideASecurityChainCount(CapturedOutput output) {
        assertThat(waiting("", WithSecurity.class)).isEqualTo(FollowerWaiting.ASYNC);
        assertThat(waiting("", WithOwnFilterInSecurity.class)).isEqualTo(FollowerWaiting.BLOCK);
        assertThat(output.getAll()).containsOnlyOnce(HOLD).contains(OwnFilter.class.getName());
    }

    @Test
    void springSessionIsKnown(CapturedOutput output) {
        assertThat(waiting("", WithSpringSession.class)).isEqualTo(FollowerWaiting.ASYNC);
        assertThat(output.getAll()).doesNotContain(HOLD);
    }

    /** Undertow registers it in each application of spring-boot-starter-undertow. */
    @Test
    void undertowsWebSocketFilterIsKnown(CapturedOutput output) {
        assertThat(waiting("", WithFilterOfUndertow.class)).isEqualTo(FollowerWaiting.ASYNC);
        assertThat(output.getAll()).doesNotContain(HOLD);
    }

    @Test
    void aFilterOfWhichThereIsNoClassStopsTheStart() {
        assertThatThrownBy(() -> waiting(SAFE + "com.example.Missing"))
                .hasStackTraceContaining("collapse.executor.servlet.async-safe-filters[0]")
                .hasStackTraceContaining("com.example.Missing");
    }

    @Test
    void aWayToWaitThatDoesNotExistStopsTheStart() {
        assertThatThrownBy(() -> waiting(WAITING + "never"))
                .hasStackTraceContaining("collapse.executor.servlet.waiting")
                .hasStackTraceContaining("never");
    }

    /** A filter of which nothing is known. */
    static final class OwnFilter implements Filter {

        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            chain.doFilter(request, response);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithOwnFilter {

        @Bean
        OwnFilter ownFilter() {
            return new OwnFilter();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithFilterOfUndertow {

        @Bean
        JsrWebSocketFilter webSockets() {
            return new JsrWebSocketFilter();
        }
    }

    private static FilterChainProxy security(Filter... filters) {
        return new FilterChainProxy(List.of(new DefaultSecurityFilterChain(AnyRequestMatcher.INSTANCE, filters)));
    }

    private static DelegatingFilterProxyRegistrationBean proxy() {
        return new DelegatingFilterProxyRegistrationBean("securityChain");
    }

    @Configuration(proxyBeanMethods = false)
    @EnableSpringHttpSession
    static class WithSpringSession {

        @Bean
        MapSessionRepository sessions() {
            return new MapSessionRepository(new ConcurrentHashMap<>());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithSecurity {

        @Bean
        FilterChainProxy securityChain() {
            return security(new AnonymousAuthenticationFilter("key"));
        }

        @Bean
        DelegatingFilterProxyRegistrationBean securityProxy() {
            return proxy();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithOwnFilterInSecurity {

        @Bean
        FilterChainProxy securityChain() {
            return security(new AnonymousAuthenticationFilter("key"), new OwnFilter());
        }

        @Bean
        DelegatingFilterProxyRegistrationBean securityProxy() {
            return proxy();
        }
    }
}
