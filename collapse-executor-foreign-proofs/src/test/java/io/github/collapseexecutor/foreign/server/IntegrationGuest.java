package io.github.collapseexecutor.foreign.server;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.integration.dsl.IntegrationFlow;
import org.springframework.integration.http.dsl.Http;

/** Spring Integration: a flow that begins with a request. */
@Configuration(proxyBeanMethods = false)
class IntegrationGuest {

    @Bean
    IntegrationFlow integrationFlow(Backend backend) {
        return IntegrationFlow.from(Http.inboundGateway("/integration/{what}")
                        .requestMapping(mapping -> mapping.methods(HttpMethod.GET, HttpMethod.HEAD))
                        .payloadExpression("#pathVariables.what + #requestParams"))
                .handle((payload, headers) ->
                        backend.read("integration", payload) + " for " + headers.get("http_userPrincipal"))
                .get();
    }
}
