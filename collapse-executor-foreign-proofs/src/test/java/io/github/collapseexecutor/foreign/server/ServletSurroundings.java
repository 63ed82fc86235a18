package io.github.collapseexecutor.foreign.server;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
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

/**
 * What is around the guests of an application of servlets.
 *
 * @param container its server
 * @param filters names of the filters in front, in their order
 * @param place whether Spring Security is there, and where
 * @param waiting where followers wait
 * @param join whether a request may join a run that has begun
 * @param compressed whether the server compresses
 * @param http2 whether callers come by HTTP/2
 */
record ServletSurroundings(
        Container container,
        List<String> filters,
        Place place,
        String waiting,
        String join,
        boolean compressed,
        boolean http2)
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

    /** Seeds that follow one another have different servers. */
    static ServletSurroundings drawn(long seed, Random random) {
        List<String> filters = new ArrayList<>(FiltersOfOthers.names());
        Collections.shuffle(filters, random);
        List<String> few = List.copyOf(filters.subList(0, random.nextInt(5)));
        return new ServletSurroundings(
                Container.values()[(int) Long.remainderUnsigned(seed, Container.values().length)],
                few,
                drawn(random, Place.values()),
                drawn(random, "auto", "block", FiltersOfOthers.support(few) ? "async" : "auto"),
                drawn(random, "fresh", "in-flight"),
                random.nextInt(3) == 0,
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
        FilterRegistrationBean<Filter> registration = FiltersOfOthers.registration(name);
        registration.setOrder(order);
        registration.setDispatcherTypes(EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC));
        return registration;
    }
}
