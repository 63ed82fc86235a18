package io.github.collapseexecutor.foreign.server;

import java.io.IOException;
import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.cloud.gateway.route.builder.RouteLocatorBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Spring Cloud Gateway of WebFlux, in front of an origin. */
@Configuration(proxyBeanMethods = false)
class GatewayFluxGuest {

    @Bean
    Origin origin(Backend backend) throws IOException {
        return new Origin(backend, "gateway");
    }

    @Bean
    RouteLocator gate(RouteLocatorBuilder routes, Origin origin) {
        return routes.routes()
                .route(
                        "gate",
                        route -> route.path("/gate/**")
                                .filters(filters -> filters.addRequestHeader("X-Gate", "yes")
                                        .addResponseHeader("X-Gateway", "yes")
                                        .dedupeResponseHeader("X-Gateway", "RETAIN_FIRST"))
                                .uri("http://localhost:" + origin.port()))
                .build();
    }
}
