package io.github.collapseexecutor.foreign.server;

import io.javalin.Javalin;
import io.javalin.http.Context;
import io.javalin.http.Header;
import io.javalin.http.servlet.JavalinServlet;
import jakarta.servlet.Servlet;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Javalin, as a servlet. */
@Configuration(proxyBeanMethods = false)
class JavalinGuest {

    @Bean
    ServletRegistrationBean<Servlet> javalin(Backend backend) {
        Javalin javalin = Javalin.create(config -> {
            config.http.generateEtags = true;
            config.startup.startupWatcherEnabled = false;
            config.routes
                    .get("/javalin/x", context -> context.result(shown(backend, context)))
                    .get("/javalin/json", context -> context.json(Map.of("name", shown(backend, context))))
                    .get("/javalin/later", context -> {
                        String of = context.header(Header.AUTHORIZATION);
                        context.future(() -> CompletableFuture.supplyAsync(() -> backend.read("javalin", "later") + of)
                                .thenAccept(context::result));
                    });
        });
        ServletRegistrationBean<Servlet> registration =
                new ServletRegistrationBean<>(new JavalinServlet(javalin.unsafe), "/javalin/*");
        registration.setName("javalin");
        return registration;
    }

    private static String shown(Backend backend, Context context) {
        return backend.read("javalin", context.queryString()) + " for " + context.header(Header.AUTHORIZATION);
    }
}
