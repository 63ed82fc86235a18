package io.github.collapseexecutor.foreign.server;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.context.WebServerApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;

/** All guests of an application in given surroundings. */
final class Application implements AutoCloseable {

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Auto {}

    private static final String EXCLUDED = String.join(
            ",",
            "org.springdoc.core.configuration.SpringDocDataRestConfiguration",
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
            "org.springframework.cloud.gateway.config.GatewayRedisAutoConfiguration",
            "org.springframework.boot.autoconfigure.websocket.servlet.WebSocketServletAutoConfiguration",
            "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration",
            "org.springframework.boot.autoconfigure.data.redis.RedisReactiveAutoConfiguration",
            "org.springframework.boot.autoconfigure.data.redis.RedisRepositoriesAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.tracing.BraveAutoConfiguration",
            "org.springframework.boot.autoconfigure.freemarker.FreeMarkerAutoConfiguration",
            "org.springframework.boot.autoconfigure.h2.H2ConsoleAutoConfiguration");

    private static final String SECURITY = String.join(
            ",",
            "org.springframework.boot.autoconfigure.security.reactive.ReactiveSecurityAutoConfiguration",
            "org.springframework.boot.autoconfigure.security.reactive.ReactiveUserDetailsServiceAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.security.reactive.ReactiveManagementWebSecurityAutoConfiguration",
            "org.springframework.boot.autoconfigure.security.servlet.SecurityAutoConfiguration",
            "org.springframework.boot.autoconfigure.security.servlet.SecurityFilterAutoConfiguration",
            "org.springframework.boot.autoconfigure.security.servlet.UserDetailsServiceAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.security.servlet.ManagementWebSecurityAutoConfiguration");

    // immutable
    private final Backend backend = new Backend();
    private final WebServerApplicationContext context;
    private final boolean http2;

    Application(Surroundings surroundings, List<Guest> guests, boolean collapsing) {
        http2 = surroundings.http2();
        Map<String, Object> properties = new HashMap<>(surroundings.properties());
        Set<Class<?>> sources = new LinkedHashSet<>(List.of(Auto.class));
        for (Guest guest : guests) {
            properties.putAll(guest.properties());
            sources.add(guest.configuration());
        }
        Class<?> security = surroundings.security();
        if (security != null) {
            sources.add(security);
        }
        properties.put("spring.autoconfigure.exclude", security == null ? EXCLUDED + "," + SECURITY : EXCLUDED);
        properties.put("server.port", "0");
        properties.put("server.http2.enabled", String.valueOf(http2));
        properties.put("server.compression.enabled", String.valueOf(surroundings.compressed()));
        properties.put("logging.level.root", System.getProperty("foreign.log", "off"));
        properties.put("spring.jmx.enabled", "false");
        properties.put("spring.cloud.bootstrap.enabled", "false");
        properties.put("camel.servlet.mapping.servlet-name", "camel" + collapsing);
        properties.put("collapse.executor.enabled", String.valueOf(collapsing));
        SpringApplication application = new SpringApplication(sources.toArray(Class<?>[]::new));
        application.setWebApplicationType(surroundings.type());
        application.setBannerMode(Banner.Mode.OFF);
        application.setLogStartupInfo(false);
        application.setRegisterShutdownHook(false);
        application.setDefaultProperties(properties);
        application.addInitializers(started -> {
            GenericApplicationContext beans = (GenericApplicationContext) started;
            beans.registerBean(Backend.class, () -> backend);
            surroundings.addTo(beans);
        });
        context = (WebServerApplicationContext) application.run();
    }

    Backend backend() {
        return backend;
    }

    boolean http2() {
        return http2;
    }

    int port() {
        return context.getWebServer().getPort();
    }

    @Override
    public void close() {
        ((GenericApplicationContext) context).close();
    }
}
