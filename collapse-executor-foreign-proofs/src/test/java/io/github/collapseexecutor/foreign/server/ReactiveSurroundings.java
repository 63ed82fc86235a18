package io.github.collapseexecutor.foreign.server;

import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.web.embedded.jetty.JettyReactiveWebServerFactory;
import org.springframework.boot.web.embedded.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.embedded.tomcat.TomcatReactiveWebServerFactory;
import org.springframework.boot.web.embedded.undertow.UndertowReactiveWebServerFactory;
import org.springframework.boot.web.reactive.server.ConfigurableReactiveWebServerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.reactive.CorsWebFilter;
import org.springframework.web.cors.reactive.UrlBasedCorsConfigurationSource;

/**
 * What is around the guests of a reactive application.
 *
 * @param server the server
 * @param secured whether Spring Security is there
 * @param cors whether a filter for other origins is there
 * @param forwarded whether forwarded headers count
 * @param join whether a request may join a run that has begun
 * @param compressed whether the server compresses
 */
record ReactiveSurroundings(
        Server server, boolean secured, boolean cors, boolean forwarded, String join, boolean compressed)
        implements Surroundings {

    /** A server. */
    enum Server {
        NETTY,
        TOMCAT,
        JETTY,
        UNDERTOW
    }

    /** Users, and headers that do not forbid to share. */
    @Configuration(proxyBeanMethods = false)
    static class Secured {

        @Bean
        SecurityWebFilterChain chain(ServerHttpSecurity http) {
            return http.authorizeExchange(exchanges -> exchanges.anyExchange().permitAll())
                    .httpBasic(Customizer.withDefaults())
                    .headers(headers -> headers.cache(cache -> cache.disable()))
                    .build();
        }

        @Bean
        MapReactiveUserDetailsService users() {
            return new MapReactiveUserDetailsService(Users.all());
        }
    }

    static ReactiveSurroundings drawn(Random random) {
        return new ReactiveSurroundings(
                List.of(Server.values()).get(random.nextInt(Server.values().length)),
                random.nextBoolean(),
                random.nextBoolean(),
                random.nextBoolean(),
                random.nextBoolean() ? "fresh" : "in-flight",
                random.nextInt(3) == 0);
    }

    @Override
    public WebApplicationType type() {
        return WebApplicationType.REACTIVE;
    }

    @Override
    public @Nullable Class<?> security() {
        return secured ? Secured.class : null;
    }

    @Override
    public Map<String, Object> properties() {
        return Map.of(
                "server.forward-headers-strategy", forwarded ? "framework" : "none",
                "spring.cloud.gateway.server.webmvc.enabled", "false",
                "collapse.executor.webflux.join", join,
                "collapse.executor.webflux.cache-status", "true",
                "collapse.executor.webflux.collapse-groups[0].uris[0]", "/**");
    }

    @Override
    public void addTo(GenericApplicationContext beans) {
        beans.registerBean(ConfigurableReactiveWebServerFactory.class, this::factory);
        if (cors) {
            beans.registerBean(CorsWebFilter.class, ReactiveSurroundings::corsFilter);
        }
    }

    private ConfigurableReactiveWebServerFactory factory() {
        return switch (server) {
            case NETTY -> new NettyReactiveWebServerFactory(0);
            case TOMCAT -> new TomcatReactiveWebServerFactory(0);
            case JETTY -> new JettyReactiveWebServerFactory(0);
            case UNDERTOW -> new UndertowReactiveWebServerFactory(0);
        };
    }

    private static CorsWebFilter corsFilter() {
        UrlBasedCorsConfigurationSource source = new UrlBasedCorsConfigurationSource();
        source.registerCorsConfiguration("/**", new CorsConfiguration().applyPermitDefaultValues());
        return new CorsWebFilter(source);
    }
}
