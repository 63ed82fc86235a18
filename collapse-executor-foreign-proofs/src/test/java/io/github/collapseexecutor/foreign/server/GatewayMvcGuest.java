package io.github.collapseexecutor.foreign.server;

import java.io.IOException;
import java.net.URI;
import org.springframework.cloud.gateway.server.mvc.filter.BeforeFilterFunctions;
import org.springframework.cloud.gateway.server.mvc.handler.GatewayRouterFunctions;
import org.springframework.cloud.gateway.server.mvc.handler.HandlerFunctions;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.function.RequestPredicates;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;

/** Spring Cloud Gateway of servlets, in front of an origin. */
@Configuration(proxyBeanMethods = false)
class GatewayMvcGuest {

    @Bean
    Origin origin(Backend backend) throws IOException {
        return new Origin(backend, "gateway");
    }

    @Bean
    RouterFunction<ServerResponse> gate(Origin origin) {
        return GatewayRouterFunctions.route("gate")
                .route(RequestPredicates.path("/gate/**"), HandlerFunctions.http())
                .before(BeforeFilterFunctions.uri(URI.create("http://localhost:" + origin.port())))
                .before(BeforeFilterFunctions.addRequestHeader("X-Gate", "yes"))
                .after((request, response) -> {
                    response.headers().set("X-Gateway", "yes");
                    return response;
                })
                .build();
    }
}
