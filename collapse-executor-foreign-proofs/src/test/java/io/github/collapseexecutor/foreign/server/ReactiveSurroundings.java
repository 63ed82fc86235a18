package io.github.collapseexecutor.foreign.server;

import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
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
import org.springframework.session.ReactiveMapSessionRepository;
import org.springframework.session.web.server.session.SpringSessionWebSessionStore;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.reactive.CorsWebFilter;
import org.springframework.web.cors.reactive.UrlBasedCorsConfigurationSource;
import org.springframework.web.server.adapter.WebHttpHandlerBuilder;
import org.springframework.web.server.session.DefaultWebSessionManager;
import org.springframework.web.server.session.WebSessionManager;
import org.zalando.logbook.spring.webflux.LogbookWebFilter;

/**
 * What is around the guests of a reactive application.
 *
 * @param server the server
 * @param secured whether Spring Security is there
 * @param cors whether a filter for other origins is there
 * @param forwarded whether forwarded headers count
 * @param logged whether a filter of Logbook is there, which wraps requests and responses
 * @param sessions whether sessions are those of Spring Session
 * @param join whether a request may join a run that has begun
 * @param compressed whether the server compresses
 * @param http2 whether callers come by HTTP/2
 */
record ReactiveSurroundings(
        Server server,
        boolean secured,
        boolean cors,
        boolean forwarded,
        boolean logged,
        boolean sessions,
        String join,
        boolean compressed,
        boolean http2)
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

    /** Seeds that follow one another have different servers. */
    static ReactiveSurroundings drawn(long seed, Random random) {
        return new ReactiveSurroundings(
                Server.values()[(int) Long.remainderUnsigned(seed, Server.values().length)],
                random.nextBoolean(),
                random.nextBoolean(),
                random.nextBoolean(),
                random.nextBoolean(),
                random.nextBoolean(),
                random.nextBoolean() ? "fresh" : "in-flight",
                random.nextInt(3) == 0,
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
        if (logged) {
            beans.registerBean(LogbookWebFilter.class, () -> new LogbookWebFilter(FiltersOfOthers.quietLogbook()));
        }
        if (sessions) {
            beans.registerBean(
                    WebHttpHandlerBuilder.WEB_SESSION_MANAGER_BEAN_NAME,
                    WebSessionManager.class,
                    ReactiveSurroundings::sessionManager);
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

    private static WebSessionManager sessionManager() {
        DefaultWebSessionManager manager = new DefaultWebSessionManager();
        manager.setSessionStore(
                new SpringSessionWebSessionStore<>(new ReactiveMapSessionRepository(new ConcurrentHashMap<>())));
        return manager;
    }

    private static CorsWebFilter corsFilter() {
        UrlBasedCorsConfigurationSource source = new UrlBasedCorsConfigurationSource();
        source.registerCorsConfiguration("/**", new CorsConfiguration().applyPermitDefaultValues());
        return new CorsWebFilter(source);
    }
}
