package io.github.collapseexecutor.foreign.server;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.support.GenericApplicationContext;

/** What is around the guests of an application, drawn from a seed. */
interface Surroundings {

    WebApplicationType type();

    /** Whether the server compresses. */
    boolean compressed();

    /** Whether callers may come by HTTP/2, without TLS. */
    boolean http2();

    /** The configuration of Spring Security, null without. */
    @Nullable Class<?> security();

    /** Properties of Spring Boot. */
    Map<String, Object> properties();

    /** Adds the server, and what stands in front of the guests. */
    void addTo(GenericApplicationContext beans);
}
