package io.github.collapseexecutor.spring.boot.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.util.matcher.ServerWebExchangeMatchers;
import org.springframework.security.web.util.matcher.RequestMatcher;
import org.springframework.util.ClassUtils;

/** Endpoint, switch and live page behind Spring Security: who may read, who may switch, and what has to be configured for it. */
class SecuredEndpointTests {

    private static UserDetails user(String name, String role) {
        return User.withUsername(name).password("{noop}" + name).roles(role).build();
    }

    /** What docs/observability.md shows. */
    @Configuration(proxyBeanMethods = false)
    static class Servlets {

        @Bean
        InMemoryUserDetailsManager users() {
            return new InMemoryUserDetailsManager(
                    user("operator", "OPERATOR"), user("viewer", "VIEWER"), user("guest", "GUEST"));
        }

        // readme:begin secured-endpoint
        @Bean
        SecurityFilterChain actuator(HttpSecurity http) throws Exception {
            http.securityMatcher("/actuator/**")
                    .authorizeHttpRequests(requests -> requests.requestMatchers(HttpMethod.POST)
                            .hasRole("OPERATOR")
                            .anyRequest()
                            .hasAnyRole("OPERATOR", "VIEWER"));
            http.csrf(csrf -> csrf.ignoringRequestMatchers("/actuator/**"));
            return http.httpBasic(Customizer.withDefaults()).build();
        }
        // readme:end
    }

    @Configuration(proxyBeanMethods = false)
    static class WebFlux {

        @Bean
        MapReactiveUserDetailsService users() {
            return new MapReactiveUserDetailsService(
                    user("operator", "OPERATOR"), user("viewer", "VIEWER"), user("guest", "GUEST"));
        }

        @Bean
        SecurityWebFilterChain actuator(ServerHttpSecurity http) {
            http.securityMatcher(ServerWebExchangeMatchers.pathMatchers("/actuator/**"))
                    .authorizeExchange(exchanges -> exchanges
                            .pathMatchers(HttpMethod.POST)
                            .hasRole("OPERATOR")
                            .anyExchange()
                            .hasAnyRole("OPERATOR", "VIEWER"));
            http.csrf(ServerHttpSecurity.CsrfSpec::disable);
            return http.httpBasic(Customizer.withDefaults()).build();
        }
    }

    /** The servers that are secured. Each is closed before the next one starts: WebFlux servers of one JVM share their threads. */
    enum Kind {
        SERVLET,
        WEB_FLUX;

        SecuredServer withAChain() {
            return this == SERVLET ? SecuredServer.ofServlets(Servlets.class) : SecuredServer.ofWebFlux(WebFlux.class);
        }

        SecuredServer withoutAChain() {
            return this == SERVLET ? SecuredServer.ofServlets() : SecuredServer.ofWebFlux();
        }
    }

    /** One server for all of it: each start takes seconds. */
    @ParameterizedTest
    @EnumSource
    void theChainOfTheApplicationDecidesAboutReadersAndSwitchers(Kind kind) throws Exception {
        try (SecuredServer server = kind.withAChain()) {
            readingIsForTheRolesThatTheApplicationNames(server);
            aFormOfAnotherSiteSwitchesNothing(server);
            switchingIsForTheRoleThatTheApplicationNames(server);
        }
    }

    private static void readingIsForTheRolesThatTheApplicationNames(SecuredServer server) throws Exception {
        for (String path : List.of("collapse", "collapse/rest-template", "collapsepage")) {
            assertThat(server.ask("", path, "").statusCode()).as(path).isEqualTo(401);
            assertThat(server.ask("guest", path, "").statusCode()).as(path).isEqualTo(403);
            assertThat(server.ask("viewer", path, "").statusCode()).as(path).isEqualTo(200);
            assertThat(server.ask("operator", path, "").statusCode()).as(path).isEqualTo(200);
        }
    }

    private static void switchingIsForTheRoleThatTheApplicationNames(SecuredServer server) throws Exception {
        assertThat(pause(server, "", "application/json")).isEqualTo(401);
        assertThat(pause(server, "guest", "application/json")).isEqualTo(403);
        assertThat(pause(server, "viewer", "application/json")).isEqualTo(403);
        assertThat(server.isPaused()).isFalse();
        assertThat(pause(server, "operator", "application/json")).isEqualTo(200);
        assertThat(server.isPaused()).isTrue();
    }

    private static int pause(SecuredServer server, String user, String type) throws Exception {
        return server.ask(user, "collapse/rest-template?action=pause", type).statusCode();
    }

    /** Why the actuator does without a CSRF token: a form of another site cannot send JSON, and nothing else is taken. */
    private static void aFormOfAnotherSiteSwitchesNothing(SecuredServer server) throws Exception {
        for (String type :
                List.of("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x")) {
            assertThat(pause(server, "operator", type)).as(type).isBetween(400, 499);
            assertThat(server.isPaused()).as(type).isFalse();
        }
    }

    /** What Boot does by itself: log in to read; a POST needs a token against forgery, which the application has to do without. */
    @ParameterizedTest
    @EnumSource
    void withoutAChainOfTheApplicationALoginReadsAndNobodySwitches(Kind kind) throws Exception {
        try (SecuredServer server = kind.withoutAChain()) {
            assertThat(server.ask("", "health", "").statusCode()).isEqualTo(200);
            assertThat(server.ask("", "collapse", "").statusCode()).isEqualTo(401);
            assertThat(server.ask("operator", "collapse", "").statusCode()).isEqualTo(200);
            assertThat(server.ask("operator", "collapsepage", "").statusCode()).isEqualTo(200);
            assertThat(pause(server, "operator", "application/json"))
                    .as("403, or 401 of the error page that a server of servlets dispatches to")
                    .isIn(401, 403);
            assertThat(server.isPaused()).isFalse();
        }
    }

    /** {@code EndpointRequest.to("collapse", "collapsepage")}, which each generation of Boot has elsewhere. */
    private static RequestMatcher bothEndpoints() throws ReflectiveOperationException {
        String ofBoot4 = "org.springframework.boot.security.autoconfigure.actuate.web.servlet.EndpointRequest";
        String ofBoot3 = "org.springframework.boot.actuate.autoconfigure.security.servlet.EndpointRequest";
        Class<?> requests = ClassUtils.resolveClassName(ClassUtils.isPresent(ofBoot4, null) ? ofBoot4 : ofBoot3, null);
        return (RequestMatcher) requests.getMethod("to", String[].class)
                .invoke(null, (Object) new String[] {"collapse", "collapsepage"});
    }

    @Configuration(proxyBeanMethods = false)
    static class ByEndpoint {

        @Bean
        SecurityFilterChain onlyOurs(HttpSecurity http) throws Exception {
            http.securityMatcher(bothEndpoints())
                    .authorizeHttpRequests(requests -> requests.anyRequest().denyAll());
            return http.httpBasic(Customizer.withDefaults()).build();
        }
    }

    @Test
    void matchersOfEndpointsKnowBoth() throws Exception {
        try (SecuredServer server = SecuredServer.ofServlets(ByEndpoint.class)) {
            assertThat(server.ask("operator", "collapse", "").statusCode()).isEqualTo(403);
            assertThat(server.ask("operator", "collapse/rest-template", "").statusCode())
                    .isEqualTo(403);
            assertThat(server.ask("operator", "collapsepage", "").statusCode()).isEqualTo(403);
            assertThat(server.ask("", "health", "").statusCode()).isEqualTo(200);
        }
    }
}
