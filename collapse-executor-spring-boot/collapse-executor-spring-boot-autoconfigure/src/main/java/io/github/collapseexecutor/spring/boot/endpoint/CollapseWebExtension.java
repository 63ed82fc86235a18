package io.github.collapseexecutor.spring.boot.endpoint;

import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;

/**
 * The endpoint over HTTP, where not every name can be part of a path: Tomcat and Spring Security refuse those with {@code / ; %}, so that a name may
 * be a parameter. A request that is refused is answered with the reason and what is known: Spring Boot's own answer to it has a body that leaves both
 * out.
 */
@ConditionalOnWebApplication
@EndpointWebExtension(endpoint = CollapseEndpoint.class)
record CollapseWebExtension(CollapseEndpoint endpoint) {

    /** Shows all, or one by a parameter. Spring Boot 3.5 knows an optional parameter by the annotation of its own. */
    @ReadOperation
    @Nullable Map<String, Object> sections(@org.springframework.lang.Nullable String name) {
        return name == null ? endpoint.sections() : endpoint.section(name);
    }

    @WriteOperation
    WebEndpointResponse<Map<String, Object>> change(String name, String action) {
        return changeSection(name, action);
    }

    @WriteOperation
    WebEndpointResponse<Map<String, Object>> changeSection(@Selector String section, String action) {
        return answered(() -> endpoint.changeSection(section, action));
    }

    @WriteOperation
    WebEndpointResponse<Map<String, Object>> changeGroup(@Selector String section, @Selector int group, String action) {
        return answered(() -> endpoint.changeGroup(section, group, action));
    }

    private static WebEndpointResponse<Map<String, Object>> answered(Supplier<Map<String, Object>> change) {
        try {
            return new WebEndpointResponse<>(change.get());
        } catch (InvalidEndpointRequestException e) {
            return new WebEndpointResponse<>(
                    Map.of("message", String.valueOf(e.getReason())), WebEndpointResponse.STATUS_BAD_REQUEST);
        }
    }
}
