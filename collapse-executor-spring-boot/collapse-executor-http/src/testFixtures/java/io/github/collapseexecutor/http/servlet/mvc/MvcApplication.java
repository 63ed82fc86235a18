package io.github.collapseexecutor.http.servlet.mvc;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.web.filter.ShallowEtagHeaderFilter;
import org.springframework.web.servlet.DispatcherServlet;

/** The application of the table, as a user of Spring Boot writes one, with a gate in front and one before the handlers. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class MvcApplication {

    /** How an application collapses. */
    enum Mode {
        OFF,
        FRESH,
        IN_FLIGHT_BLOCKING,
        IN_FLIGHT_ASYNC;

        boolean collapses() {
            return this != OFF;
        }

        private Map<String, String> properties() {
            Map<String, String> properties = new TreeMap<>();
            properties.put("enabled", Boolean.toString(collapses()));
            properties.put("join", this == FRESH ? "fresh" : "in-flight");
            properties.put("max-wait", "10m");
            properties.put("servlet.pass-ttl", "0");
            properties.put("servlet.collapse-policies.shared.strict", "true");
            properties.put("servlet.collapse-policies.shared.share-across-users", "true");
            properties.put("servlet.collapse-groups[0].collapse-policy-name", "shared");
            properties.put("servlet.collapse-groups[0].uris", "/shared/**");
            properties.put("servlet.collapse-groups[1].uris", "/**");
            if (this == IN_FLIGHT_BLOCKING || this == IN_FLIGHT_ASYNC) {
                properties.put("servlet.waiting", this == IN_FLIGHT_ASYNC ? "async" : "block");
            }
            return properties;
        }

        /** The application's properties, as arguments of its start. */
        List<String> arguments() {
            List<String> common = List.of(
                    "--logging.level.root=off",
                    "--server.port=0",
                    "--server.compression.enabled=true",
                    "--spring.mvc.servlet.load-on-startup=1",
                    "--spring.mvc.contentnegotiation.favor-parameter=true",
                    "--spring.mvc.static-path-pattern=/static/**",
                    "--spring.web.resources.static-locations=" + MvcFiles.location());
            return Stream.concat(
                            common.stream(),
                            properties().entrySet().stream()
                                    .map(entry -> "--collapse.executor." + entry.getKey() + "=" + entry.getValue()))
                    .toList();
        }
    }

    @Bean
    Gate gate() {
        return new Gate();
    }

    @Bean
    DispatcherServlet dispatcherServlet() {
        return new HoldingServlet();
    }

    @Bean
    FilterRegistrationBean<ShallowEtagHeaderFilter> shallowEtags() {
        FilterRegistrationBean<ShallowEtagHeaderFilter> registration =
                new FilterRegistrationBean<>(new ShallowEtagHeaderFilter());
        registration.addUrlPatterns("/shallow/*");
        return registration;
    }

    /** Stands in front of all other filters. */
    @Order(Ordered.HIGHEST_PRECEDENCE)
    static final class Gate implements Filter {

        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            Burst.Place place = request.getDispatcherType() == DispatcherType.REQUEST
                    ? Burst.Place.of((HttpServletRequest) request)
                    : null;
            if (place == null) {
                chain.doFilter(request, response);
                return;
            }
            place.arrive();
            try {
                chain.doFilter(request, response);
            } finally {
                place.leaveFilters();
            }
        }
    }

    /** Holds the requests of a burst before their handlers. */
    static final class HoldingServlet extends DispatcherServlet {

        private static final long serialVersionUID = 1L;

        @Override
        protected void doService(HttpServletRequest request, HttpServletResponse response) throws Exception {
            Burst.Place place = request.getDispatcherType() == DispatcherType.ERROR ? null : Burst.Place.of(request);
            if (place != null) {
                place.enterHandler();
            }
            super.doService(request, response);
        }
    }
}
