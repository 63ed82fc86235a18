package io.github.collapseexecutor.foreign.server;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.embedded.jetty.JettyReactiveWebServerFactory;
import org.springframework.boot.web.embedded.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.embedded.tomcat.TomcatReactiveWebServerFactory;
import org.springframework.boot.web.embedded.undertow.UndertowReactiveWebServerFactory;
import org.springframework.boot.web.reactive.context.ReactiveWebServerApplicationContext;
import org.springframework.boot.web.reactive.server.ConfigurableReactiveWebServerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.reactive.CorsWebFilter;
import org.springframework.web.cors.reactive.UrlBasedCorsConfigurationSource;

/** All reactive guests on a given server. */
final class ReactiveApplication implements AutoCloseable {

    /** A server. */
    enum Server {
        NETTY,
        TOMCAT,
        JETTY,
        UNDERTOW
    }

    /**
     * What is around the guests, drawn from a seed.
     *
     * @param server the server
     * @param secured whether Spring Security is there
     * @param cors whether a filter for other origins is there
     * @param forwarded whether forwarded headers count
     * @param join whether a request may join a run that has begun
     * @param compressed whether the server compresses
     */
    record Around(Server server, boolean secured, boolean cors, boolean forwarded, String join, boolean compressed) {

        static Around drawn(Random random) {
            return new Around(
                    List.of(Server.values()).get(random.nextInt(Server.values().length)),
                    random.nextBoolean(),
                    random.nextBoolean(),
                    random.nextBoolean(),
                    random.nextBoolean() ? "fresh" : "in-flight",
                    random.nextInt(3) == 0);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Auto {}

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
            return new MapReactiveUserDetailsService(
                    User.withUsername("alice")
                            .password("{noop}alice")
                            .roles("USER")
                            .build(),
                    User.withUsername("bob").password("{noop}bob").roles("USER").build());
        }
    }

    private static final String EXCLUDED = String.join(
            ",",
            "org.springdoc.core.configuration.SpringDocDataRestConfiguration",
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
            "org.springframework.cloud.gateway.config.GatewayRedisAutoConfiguration",
            "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration",
            "org.springframework.boot.autoconfigure.data.redis.RedisReactiveAutoConfiguration",
            "org.springframework.boot.autoconfigure.data.redis.RedisRepositoriesAutoConfiguration");

    private static final String SECURITY = String.join(
            ",",
            "org.springframework.boot.autoconfigure.security.reactive.ReactiveSecurityAutoConfiguration",
            "org.springframework.boot.autoconfigure.security.reactive.ReactiveUserDetailsServiceAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.security.reactive.ReactiveManagementWebSecurityAutoConfiguration");

    // immutable
    private final Backend backend = new Backend();
    private final ReactiveWebServerApplicationContext context;

    ReactiveApplication(Around around, List<Guest> guests, boolean collapsing) {
        Map<String, Object> properties = new HashMap<>();
        List<Class<?>> sources = new ArrayList<>(List.of(Auto.class));
        for (Guest guest : guests) {
            properties.putAll(guest.properties());
            if (!sources.contains(guest.configuration())) {
                sources.add(guest.configuration());
            }
        }
        properties.put("server.port", "0");
        properties.put("server.compression.enabled", String.valueOf(around.compressed()));
        properties.put("server.forward-headers-strategy", around.forwarded() ? "framework" : "none");
        properties.put("logging.level.root", System.getProperty("foreign.log", "off"));
        properties.put("spring.jmx.enabled", "false");
        properties.put("spring.cloud.bootstrap.enabled", "false");
        properties.put("spring.cloud.gateway.server.webmvc.enabled", "false");
        properties.put("collapse.executor.enabled", String.valueOf(collapsing));
        properties.put("collapse.executor.webflux.join", around.join());
        properties.put("collapse.executor.webflux.cache-status", "true");
        properties.put("collapse.executor.webflux.collapse-groups[0].uris[0]", "/**");
        properties.put("spring.autoconfigure.exclude", around.secured() ? EXCLUDED : EXCLUDED + "," + SECURITY);
        if (around.secured()) {
            sources.add(Secured.class);
        }
        SpringApplication application = new SpringApplication(sources.toArray(Class<?>[]::new));
        application.setWebApplicationType(WebApplicationType.REACTIVE);
        application.setBannerMode(Banner.Mode.OFF);
        application.setLogStartupInfo(false);
        application.setRegisterShutdownHook(false);
        application.setDefaultProperties(properties);
        application.addInitializers(started -> {
            GenericApplicationContext beans = (GenericApplicationContext) started;
            beans.registerBean(Backend.class, () -> backend);
            beans.registerBean(ConfigurableReactiveWebServerFactory.class, () -> factory(around.server()));
            if (around.cors()) {
                beans.registerBean(CorsWebFilter.class, ReactiveApplication::cors);
            }
        });
        context = (ReactiveWebServerApplicationContext) application.run();
    }

    private static ConfigurableReactiveWebServerFactory factory(Server server) {
        return switch (server) {
            case NETTY -> new NettyReactiveWebServerFactory(0);
            case TOMCAT -> new TomcatReactiveWebServerFactory(0);
            case JETTY -> new JettyReactiveWebServerFactory(0);
            case UNDERTOW -> new UndertowReactiveWebServerFactory(0);
        };
    }

    private static CorsWebFilter cors() {
        UrlBasedCorsConfigurationSource source = new UrlBasedCorsConfigurationSource();
        source.registerCorsConfiguration("/**", new CorsConfiguration().applyPermitDefaultValues());
        return new CorsWebFilter(source);
    }

    Backend backend() {
        return backend;
    }

    int port() {
        return context.getWebServer().getPort();
    }

    @Override
    public void close() {
        context.close();
    }
}
