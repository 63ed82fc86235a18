package io.github.collapseexecutor.foreign.server;

import java.util.List;
import java.util.Map;

/** All guests of a reactive application. */
final class ReactiveGuests {

    static final List<Guest> ALL = List.of(
            new Guest(
                    "flux",
                    FluxGuest.class,
                    Map.of(),
                    List.of(
                            "/flux/text",
                            "/flux/text?of=b",
                            "/flux/json",
                            "/flux/list",
                            "/flux/events",
                            "/flux/tagged",
                            "/flux/error",
                            "/flux/missing",
                            "/flux/session",
                            "/flux/route")),
            new Guest("page", FluxPageGuest.class, Map.of(), List.of("/page/x", "/page/form", "/page/driven")),
            new Guest(
                    "files",
                    FilesGuest.class,
                    Map.of("spring.web.resources.chain.compressed", "true"),
                    List.of("/files/a.txt", "/files/large.txt", "/files/none.txt", "/files/zipped.js")),
            new Guest(
                    "gateway",
                    GatewayFluxGuest.class,
                    Map.of(),
                    List.of("/gate/x", "/gate/x?y=z", "/gate/old", "/gate/large", "/gate/slow")),
            new Guest("docs", DocsGuest.class, Map.of(), List.of("/v3/api-docs")),
            new Guest("actuator", DocsGuest.class, Map.of(), List.of("/actuator", "/actuator/health")),
            GraphQlGuest.GUEST);

    private ReactiveGuests() {}
}
