package io.github.collapseexecutor.foreign.server;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.web.embedded.jetty.JettyServletWebServerFactory;
import org.springframework.boot.web.embedded.tomcat.TomcatServletWebServerFactory;
import org.springframework.boot.web.embedded.undertow.UndertowServletWebServerFactory;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.server.ConfigurableServletWebServerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.session.MapSessionRepository;
import org.springframework.session.web.http.SessionRepositoryFilter;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.UrlBasedCorsConfigurationSource;
import org.springframework.web.filter.CharacterEncodingFilter;
import org.springframework.web.filter.CommonsRequestLoggingFilter;
import org.springframework.web.filter.CorsFilter;
import org.springframework.web.filter.ForwardedHeaderFilter;
import org.springframework.web.filter.ShallowEtagHeaderFilter;
import org.tuckey.web.filters.urlrewrite.UrlRewriteFilter;
import org.zalando.logbook.Correlation;
import org.zalando.logbook.HttpLogWriter;
import org.zalando.logbook.Logbook;
import org.zalando.logbook.Precorrelation;
import org.zalando.logbook.core.DefaultHttpLogFormatter;
import org.zalando.logbook.core.DefaultSink;
import org.zalando.logbook.servlet.LogbookFilter;

/**
 * What is around the guests of an application of servlets.
 *
 * @param container its server
 * @param filters names of the filters in front, in their order
 * @param place whether Spring Security is there, and where
 * @param waiting where followers wait
 * @param join whether a request may join a run that has begun
 * @param compressed whether the server compresses
 */
record ServletSurroundings(
        Container container, List<String> filters, Place place, String waiting, String join, boolean compressed)
        implements Surroundings {

    /** A server. */
    enum Container {
        TOMCAT,
        JETTY,
        UNDERTOW
    }

    /** Spring Security, before the other filters or behind them. */
    enum Place {
        NONE,
        FIRST,
        LAST
    }

    /** Users, and headers that do not forbid to share. */
    @Configuration(proxyBeanMethods = false)
    static class Secured {

        @Bean
        SecurityFilterChain chain(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                    .httpBasic(Customizer.withDefaults())
                    .headers(headers -> headers.cacheControl(cache -> cache.disable()))
                    .build();
        }

        @Bean
        UserDetailsService users() {
            return new InMemoryUserDetailsManager(Users.all());
        }
    }

    private static final Map<String, Supplier<Filter>> FILTERS = new LinkedHashMap<>();

    static {
        FILTERS.put("etag", ShallowEtagHeaderFilter::new);
        FILTERS.put("logbook", ServletSurroundings::logbook);
        FILTERS.put("cors", ServletSurroundings::cors);
        FILTERS.put(
                "session", () -> new SessionRepositoryFilter<>(new MapSessionRepository(new ConcurrentHashMap<>())));
        FILTERS.put("encoding", () -> new CharacterEncodingFilter("UTF-8", true));
        FILTERS.put("forwarded", ForwardedHeaderFilter::new);
        FILTERS.put("log", CommonsRequestLoggingFilter::new);
        FILTERS.put("rewrite", UrlRewriteFilter::new);
    }

    /** Those that support that a follower leaves them without a response; the guide says that others see an empty one. */
    private static final Set<String> SUPPORTING = Set.of("cors", "session", "encoding", "forwarded");

    static ServletSurroundings drawn(Random random) {
        List<String> filters = new ArrayList<>(FILTERS.keySet());
        Collections.shuffle(filters, random);
        List<String> few = List.copyOf(filters.subList(0, random.nextInt(5)));
        return new ServletSurroundings(
                drawn(random, Container.values()),
                few,
                drawn(random, Place.values()),
                drawn(random, "auto", "block", SUPPORTING.containsAll(few) ? "async" : "auto"),
                drawn(random, "fresh", "in-flight"),
                random.nextInt(3) == 0);
    }

    @SafeVarargs
    private static <T> T drawn(Random random, T... values) {
        return values[random.nextInt(values.length)];
    }

    @Override
    public WebApplicationType type() {
        return WebApplicationType.SERVLET;
    }

    @Override
    public @Nullable Class<?> security() {
        return place == Place.NONE ? null : Secured.class;
    }

    @Override
    public Map<String, Object> properties() {
        return Map.of(
                "server.servlet.register-default-servlet", "false",
                "spring.security.filter.order", place == Place.FIRST ? "-1000" : "1000",
                "spring.cloud.gateway.server.webflux.enabled", "false",
                "collapse.executor.servlet.waiting", waiting,
                "collapse.executor.servlet.join", join,
                "collapse.executor.servlet.cache-status", "true",
                "collapse.executor.servlet.collapse-groups[0].uris[0]", "/**");
    }

    @Override
    public void addTo(GenericApplicationContext beans) {
        beans.registerBean(ConfigurableServletWebServerFactory.class, this::factory);
        for (int i = 0; i < filters.size(); i++) {
            int order = i;
            beans.registerBean(
                    "front" + i, FilterRegistrationBean.class, () -> registration(filters.get(order), order));
        }
    }

    private ConfigurableServletWebServerFactory factory() {
        return switch (container) {
            case TOMCAT -> new TomcatServletWebServerFactory(0);
            case JETTY -> new JettyServletWebServerFactory(0);
            case UNDERTOW -> new UndertowServletWebServerFactory(0);
        };
    }

    private static FilterRegistrationBean<Filter> registration(String name, int order) {
        FilterRegistrationBean<Filter> registration =
                new FilterRegistrationBean<>(FILTERS.get(name).get());
        registration.setName(name);
        registration.setOrder(order);
        registration.setDispatcherTypes(EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC));
        if (name.equals("rewrite")) {
            registration.addInitParameter("confPath", "/rewrite.xml");
            registration.addInitParameter("logLevel", "ERROR");
        }
        return registration;
    }

    private static Filter logbook() {
        return new LogbookFilter(Logbook.builder()
                .sink(new DefaultSink(new DefaultHttpLogFormatter(), new HttpLogWriter() {
                    @Override
                    public void write(Precorrelation precorrelation, String request) {}

                    @Override
                    public void write(Correlation correlation, String response) {}
                }))
                .build());
    }

    private static Filter cors() {
        CorsConfiguration configuration = new CorsConfiguration().applyPermitDefaultValues();
        UrlBasedCorsConfigurationSource source = new UrlBasedCorsConfigurationSource();
        source.registerCorsConfiguration("/**", configuration);
        return new CorsFilter(source);
    }
}
