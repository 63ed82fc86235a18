package io.github.collapseexecutor.foreign.server;

import java.util.List;
import java.util.Map;

/** All guests of an application of servlets. */
final class Guests {

    static final List<Guest> OF_SERVLETS = List.of(
            new Guest(
                    "mvc",
                    MvcGuest.class,
                    Map.of("spring.mvc.contentnegotiation.favor-parameter", "true"),
                    List.of(
                            "/mvc/text",
                            "/mvc/text?of=b",
                            "/mvc/agent",
                            "/mvc/json",
                            "/mvc/json?format=json",
                            "/mvc/later",
                            "/mvc/callable",
                            "/mvc/mono",
                            "/mvc/tagged",
                            "/mvc/links",
                            "/mvc/events",
                            "/mvc/error",
                            "/mvc/missing",
                            "/mvc/session",
                            "/mvc/stream",
                            "/mvc/redirect")),
            new Guest("page", PageGuest.class, Map.of(), List.of("/page/x", "/page/form", "/page/fragment")),
            new Guest(
                    "files",
                    FilesGuest.class,
                    Map.of(
                            "spring.web.resources.chain.compressed",
                            "true",
                            "spring.web.resources.cache.cachecontrol.max-age",
                            "60"),
                    List.of("/files/a.txt", "/files/large.txt", "/files/none.txt", "/files/zipped.js")),
            new Guest(
                    "data",
                    DataRestGuest.class,
                    Map.of("spring.data.rest.base-path", "/data"),
                    List.of(
                            "/data/books",
                            "/data/books/1",
                            "/data/books?page=0&size=1",
                            "/data/books/search",
                            "/data",
                            "/data/profile/books",
                            "/data/books/9")),
            new Guest(
                    "gateway",
                    GatewayMvcGuest.class,
                    Map.of(),
                    List.of("/gate/x", "/gate/x?y=z", "/gate/old", "/gate/large", "/gate/slow")),
            new Guest("docs", DocsGuest.class, Map.of(), List.of("/v3/api-docs", "/v3/api-docs.yaml")),
            new Guest(
                    "actuator",
                    DocsGuest.class,
                    Map.of(
                            "management.endpoints.web.exposure.include",
                            "*",
                            "management.endpoint.health.show-details",
                            "when-authorized"),
                    List.of(
                            "/actuator",
                            "/actuator/health",
                            "/actuator/health/ping",
                            "/actuator/caches",
                            "/actuator/beans/none")),
            new Guest("integration", IntegrationGuest.class, Map.of(), List.of("/integration/x", "/integration/x?y=z")),
            new Guest(
                    "camel",
                    CamelGuest.class,
                    Map.of(
                            "camel.servlet.mapping.context-path",
                            "/camel/*",
                            "camel.main.jmx-enabled",
                            "false",
                            "camel.main.name",
                            "camel"),
                    List.of("/camel/x", "/camel/x?of=y")),
            new Guest(
                    "javalin",
                    JavalinGuest.class,
                    Map.of(),
                    List.of("/javalin/x", "/javalin/x?of=y", "/javalin/json", "/javalin/later", "/javalin/none")),
            new Guest(
                    "struts",
                    StrutsGuest.class,
                    Map.of(),
                    List.of("/struts/page", "/struts/page?of=b", "/struts/text", "/struts/old", "/struts/none")),
            new Guest(
                    "wicket",
                    WicketGuest.class,
                    Map.of(),
                    List.of(
                            "/wicket/page",
                            "/wicket/page?of=b",
                            "/wicket/unstored",
                            "/wicket/failing",
                            "/wicket/none")),
            JerseyGuest.GUEST,
            CxfGuest.GUEST,
            JettyProxyGuest.GUEST,
            GraphQlGuest.GUEST);

    private Guests() {}
}
