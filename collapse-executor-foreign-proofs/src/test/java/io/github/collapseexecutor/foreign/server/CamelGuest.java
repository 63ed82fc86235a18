package io.github.collapseexecutor.foreign.server;

import org.apache.camel.builder.RouteBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Camel: a route that begins in its servlet. */
@Configuration(proxyBeanMethods = false)
class CamelGuest {

    @Bean
    RouteBuilder camelRoute(Backend backend) {
        return new RouteBuilder() {
            @Override
            public void configure() {
                from("servlet:x?muteException=false&servletName={{camel.servlet.mapping.servlet-name}}")
                        .process(exchange -> {
                            String of = exchange.getIn().getHeader("of", "x", String.class);
                            String user = exchange.getIn().getHeader("Authorization", String.class);
                            exchange.getMessage()
                                    .removeHeaders("*"); // or they are those of the response, trace and all
                            exchange.getMessage().setBody(backend.read("camel", of) + " for " + user);
                        });
            }
        };
    }
}
