package io.github.collapseexecutor.http.feign;

import feign.Capability;
import feign.Client;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import java.util.Objects;

/**
 * Gives each Feign client that it is added to a {@link CollapseFeignClient} of its own, around whatever {@code Client} it has.
 *
 * <pre>{@code
 * Users users = Feign.builder()
 *         .addCapability(new CollapseFeignCapability(HttpCollapseOptions.forPaths("/user/*")))
 *         .target(Users.class, "http://users.example");
 * }</pre>
 *
 * <p>As a bean, Spring Cloud OpenFeign adds it to all its clients. They share no call with each other, even where the same
 * {@code Client} bean sends for all of them. A capability that is added later stands around this one, and one that is added
 * earlier behind it; the contract of {@link CollapseFeignClient} holds for what is behind.
 *
 * <p>Immutable, and safe for use by any number of threads.
 */
public final class CollapseFeignCapability implements Capability {

    // immutable
    private final HttpCollapseOptions http;
    private final CollapseOptions core;

    /**
     * Creates a capability with {@link CollapseOptions#defaults()}.
     *
     * @param http what is collapsed; without a rule, nothing
     */
    public CollapseFeignCapability(HttpCollapseOptions http) {
        this(http, CollapseOptions.defaults());
    }

    /**
     * Creates a capability.
     *
     * @param http what is collapsed; without a rule, nothing
     * @param core how requests are gathered
     */
    public CollapseFeignCapability(HttpCollapseOptions http, CollapseOptions core) {
        this.http = Objects.requireNonNull(http, "http");
        this.core = Objects.requireNonNull(core, "core");
    }

    /**
     * Wraps the client of one Feign client.
     *
     * @param client sends the requests
     * @return a client around it, with no request in flight
     */
    @Override
    public Client enrich(Client client) {
        return new CollapseFeignClient(client, http, core);
    }
}
