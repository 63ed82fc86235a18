package io.github.collapseexecutor.foreign.server;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.embedded.jetty.JettyServletWebServerFactory;
import org.springframework.boot.web.embedded.tomcat.TomcatServletWebServerFactory;
import org.springframework.boot.web.embedded.undertow.UndertowServletWebServerFactory;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.context.ServletWebServerApplicationContext;
import org.springframework.boot.web.servlet.server.ConfigurableServletWebServerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

/** All guests of an application of servlets in given surroundings. */
final class ServletApplication implements AutoCloseable {

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Auto {}

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
            return new InMemoryUserDetailsManager(
                    User.withUsername("alice")
                            .password("{noop}alice")
                            .roles("USER")
                            .build(),
                    User.withUsername("bob").password("{noop}bob").roles("USER").build());
        }
    }

    // immutable
    private final Backend backend = new Backend();
    private final ServletWebServerApplicationContext context;

    ServletApplication(Surroundings surroundings, List<Guest> guests, boolean collapsing) {
        Map<String, Object> properties = new HashMap<>();
        List<Class<?>> sources = new ArrayList<>(List.of(Auto.class));
        for (Guest guest : guests) {
            properties.putAll(guest.properties());
            if (!sources.contains(guest.configuration())) {
                sources.add(guest.configuration());
            }
        }
        properties.put("server.port", "0");
        properties.put("server.servlet.register-default-servlet", "false");
        properties.put("server.compression.enabled", String.valueOf(surroundings.compressed()));
        properties.put("logging.level.root", System.getProperty("foreign.log", "off"));
        properties.put("spring.jmx.enabled", "false");
        properties.put("spring.cloud.bootstrap.enabled", "false");
        properties.put("spring.cloud.gateway.server.webflux.enabled", "false");
        properties.put("camel.servlet.mapping.servlet-name", "camel" + collapsing);
        properties.put("collapse.executor.enabled", String.valueOf(collapsing));
        properties.put("collapse.executor.servlet.waiting", surroundings.waiting());
        properties.put("collapse.executor.servlet.join", surroundings.join());
        properties.put("collapse.executor.servlet.cache-status", "true");
        properties.put("collapse.executor.servlet.collapse-groups[0].uris[0]", "/**");
        properties.put(
                "spring.autoconfigure.exclude",
                EXCLUDED + (surroundings.security() == Surroundings.Security.NONE ? "," + SECURITY : ""));
        if (surroundings.security() != Surroundings.Security.NONE) {
            sources.add(Secured.class);
            properties.put(
                    "spring.security.filter.order",
                    surroundings.security() == Surroundings.Security.FIRST ? "-1000" : "1000");
        }
        SpringApplication application = new SpringApplication(sources.toArray(Class<?>[]::new));
        application.setWebApplicationType(WebApplicationType.SERVLET);
        application.setBannerMode(Banner.Mode.OFF);
        application.setLogStartupInfo(false);
        application.setRegisterShutdownHook(false);
        application.setDefaultProperties(properties);
        application.addInitializers(started -> {
            GenericApplicationContext beans = (GenericApplicationContext) started;
            beans.registerBean(Backend.class, () -> backend);
            beans.registerBean(ConfigurableServletWebServerFactory.class, () -> factory(surroundings.container()));
            int order = 0;
            for (String name : surroundings.filters()) {
                int place = order++;
                beans.registerBean("front" + place, FilterRegistrationBean.class, () -> registration(name, place));
            }
        });
        context = (ServletWebServerApplicationContext) application.run();
    }

    private static final String EXCLUDED = String.join(
            ",",
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
            "org.springframework.cloud.gateway.config.GatewayRedisAutoConfiguration",
            "org.springframework.boot.autoconfigure.websocket.servlet.WebSocketServletAutoConfiguration",
            "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration",
            "org.springframework.boot.autoconfigure.data.redis.RedisReactiveAutoConfiguration",
            "org.springframework.boot.autoconfigure.data.redis.RedisRepositoriesAutoConfiguration",
            "org.springframework.boot.autoconfigure.h2.H2ConsoleAutoConfiguration");

    private static final String SECURITY = String.join(
            ",",
            "org.springframework.boot.autoconfigure.security.servlet.SecurityAutoConfiguration",
            "org.springframework.boot.autoconfigure.security.servlet.SecurityFilterAutoConfiguration",
            "org.springframework.boot.autoconfigure.security.servlet.UserDetailsServiceAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.security.servlet.ManagementWebSecurityAutoConfiguration");

    private static ConfigurableServletWebServerFactory factory(Surroundings.Container container) {
        return switch (container) {
            case TOMCAT -> new TomcatServletWebServerFactory(0);
            case JETTY -> new JettyServletWebServerFactory(0);
            case UNDERTOW -> new UndertowServletWebServerFactory(0);
        };
    }

    private static FilterRegistrationBean<Filter> registration(String name, int order) {
        FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>(Surroundings.filter(name));
        registration.setName(name);
        registration.setOrder(order);
        registration.setDispatcherTypes(EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC));
        if (name.equals("rewrite")) {
            registration.addInitParameter("confPath", "/rewrite.xml");
            registration.addInitParameter("logLevel", "ERROR");
        }
        return registration;
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
