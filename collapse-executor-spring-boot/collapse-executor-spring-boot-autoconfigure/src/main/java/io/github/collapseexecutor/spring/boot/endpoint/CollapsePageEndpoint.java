package io.github.collapseexecutor.spring.boot.endpoint;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;

/**
 * The actuator endpoint {@code collapsepage}: a page that draws what the endpoint {@code collapse} beside it shows, as it happens. It
 * switches nothing.
 *
 * <p>It is off unless {@code management.endpoint.collapsepage.access} is {@code read-only}, and exposed like every endpoint.
 */
@WebEndpoint(id = "collapsepage", defaultAccess = Access.NONE)
final class CollapsePageEndpoint {

    /** The page; the sample adds switches to the same file. */
    static final String PAGE = "io/github/collapseexecutor/spring/boot/endpoint/collapse-page.html";

    @ReadOperation(produces = "text/html;charset=UTF-8")
    Resource page() {
        return new ClassPathResource(PAGE, CollapsePageEndpoint.class.getClassLoader());
    }
}
