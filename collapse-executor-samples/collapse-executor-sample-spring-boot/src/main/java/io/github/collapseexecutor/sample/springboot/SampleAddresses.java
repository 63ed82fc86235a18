package io.github.collapseexecutor.sample.springboot;

import java.net.URI;
import java.util.Collection;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;
import org.springframework.web.util.UriComponentsBuilder;

/** Where this application's own endpoints are; the port is known once the server is up. */
@Component
class SampleAddresses {

    // immutable
    private final Environment environment;

    SampleAddresses(Environment environment) {
        this.environment = environment;
    }

    URI user(long id) {
        return builder().path("/user/{id}").build(id);
    }

    URI users(Collection<Long> ids) {
        return builder().path("/users").queryParam("ids", ids).build().toUri();
    }

    URI test(String endpoint) {
        return builder().path("/test/{endpoint}").build(endpoint);
    }

    URI root() {
        return builder().build().toUri();
    }

    private UriComponentsBuilder builder() {
        String port = environment.getRequiredProperty("local.server.port");
        return UriComponentsBuilder.newInstance()
                .scheme("http")
                .host("localhost")
                .port(port);
    }
}
