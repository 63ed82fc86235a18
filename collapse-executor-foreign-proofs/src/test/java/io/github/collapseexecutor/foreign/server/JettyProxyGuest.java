package io.github.collapseexecutor.foreign.server;

import jakarta.servlet.Servlet;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.eclipse.jetty.ee10.proxy.AsyncProxyServlet;
import org.eclipse.jetty.ee10.proxy.ProxyServlet;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Jetty's proxies, which answer from the threads of their client: one writes and waits, the other by a write listener. */
@Configuration(proxyBeanMethods = false)
class JettyProxyGuest {

    static final Guest GUEST = new Guest(
            "proxy",
            JettyProxyGuest.class,
            Map.of(),
            List.of(
                    "/proxy/x",
                    "/proxy/x?y=z",
                    "/proxy/old",
                    "/proxy/large",
                    "/proxy/slow",
                    "/listening/x",
                    "/listening/x?y=z",
                    "/listening/old",
                    "/listening/large",
                    "/listening/slow"));

    @Bean
    Origin proxied(Backend backend) throws IOException {
        return new Origin(backend, "proxy");
    }

    @Bean
    ServletRegistrationBean<Servlet> waitingProxy(Origin proxied) {
        return registration("proxy", new ProxyServlet.Transparent(), proxied);
    }

    @Bean
    ServletRegistrationBean<Servlet> listeningProxy(Origin proxied) {
        return registration("listening", new AsyncProxyServlet.Transparent(), proxied);
    }

    private static ServletRegistrationBean<Servlet> registration(String name, Servlet servlet, Origin proxied) {
        ServletRegistrationBean<Servlet> registration = new ServletRegistrationBean<>(servlet, "/" + name + "/*");
        registration.setName(name);
        registration.addInitParameter("proxyTo", "http://localhost:" + proxied.port());
        registration.addInitParameter("prefix", "/" + name);
        registration.addInitParameter("maxThreads", "16");
        return registration;
    }
}
