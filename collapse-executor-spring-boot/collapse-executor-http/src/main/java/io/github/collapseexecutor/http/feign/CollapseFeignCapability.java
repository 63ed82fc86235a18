package io.github.collapseexecutor.http.feign;

import feign.Capability;
import feign.Client;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

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
 * <p>So an application that builds a Feign client for each request shares nothing, of which a warning tells. Give each builder the same
 * {@link CollapseFeignClient} there.
 *
 * <p>Safe for use by any number of threads.
 */
public final class CollapseFeignCapability implements Capability {

    /** No application writes down so many Feign clients. */
    private static final int MANY = 1000;

    private static final System.Logger LOGGER = System.getLogger(CollapseFeignCapability.class.getName());

    // immutable
    private final HttpCollapseOptions http;
    private final CollapseOptions core;

    // mutable, thread-safe
    private final AtomicInteger wrapped = new AtomicInteger();

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
        if (wrapped.incrementAndGet() == MANY) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "A CollapseFeignCapability has been added to {0} Feign clients, of which no two share a call. If the"
                            + " application builds a Feign client for each request, nothing collapses: build one for all"
                            + " requests, or give each builder the same CollapseFeignClient. This is said once.",
                    Integer.toString(MANY));
        }
        return new CollapseFeignClient(client, http, core);
    }
}
