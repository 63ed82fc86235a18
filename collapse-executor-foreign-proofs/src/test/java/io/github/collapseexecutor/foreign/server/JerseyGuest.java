package io.github.collapseexecutor.foreign.server;

import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.Suspended;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.EntityTag;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.NewCookie;
import jakarta.ws.rs.core.Request;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import jakarta.ws.rs.core.UriInfo;
import jakarta.ws.rs.sse.Sse;
import jakarta.ws.rs.sse.SseEventSink;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.glassfish.jersey.server.ResourceConfig;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Jersey, as a servlet: what its writers, asynchronous responses and errors do to a response. */
@Configuration(proxyBeanMethods = false)
class JerseyGuest {

    static final Guest GUEST = new Guest(
            "jersey",
            JerseyGuest.class,
            Map.of("spring.jersey.application-path", "/jersey"),
            List.of(
                    "/jersey/text",
                    "/jersey/text?of=b",
                    "/jersey/json",
                    "/jersey/later",
                    "/jersey/stage",
                    "/jersey/failing-stage",
                    "/jersey/stream",
                    "/jersey/broken-stream",
                    "/jersey/events",
                    "/jersey/tagged",
                    "/jersey/old",
                    "/jersey/cookie",
                    "/jersey/nothing",
                    "/jersey/missing",
                    "/jersey/failing",
                    "/jersey/none"));

    @Bean
    ResourceConfig pages(Backend backend) {
        return new ResourceConfig().register(new Pages(backend));
    }

    /** Resources of all kinds. */
    @Path("/")
    public static final class Pages {

        // immutable
        private final Backend backend;

        Pages(Backend backend) {
            this.backend = backend;
        }

        private String shown(String what, String user) {
            return backend.read("jersey", what) + " for " + user;
        }

        @GET
        @Path("text")
        @Produces("text/plain")
        public String text(
                @QueryParam("of") String of,
                @HeaderParam("Authorization") String user,
                @HeaderParam("Accept-Language") String language) {
            return shown(of, user) + " in " + language;
        }

        @GET
        @Path("json")
        @Produces({MediaType.APPLICATION_JSON, "text/html"})
        public Map<String, String> json(@HeaderParam("Authorization") @DefaultValue("nobody") String user) {
            return Map.of("name", shown("json", user));
        }

        @GET
        @Path("later")
        public void later(@Suspended AsyncResponse response, @HeaderParam("Authorization") String user) {
            CompletableFuture<Void> unused = CompletableFuture.runAsync(() -> response.resume(shown("later", user)));
        }

        @GET
        @Path("stage")
        public CompletionStage<Response> stage(@HeaderParam("Authorization") String user) {
            return CompletableFuture.supplyAsync(() -> Response.ok(shown("stage", user), "text/plain")
                    .header("X-Stage", "yes")
                    .build());
        }

        @GET
        @Path("failing-stage")
        public CompletionStage<String> failingStage() {
            return CompletableFuture.supplyAsync(() -> {
                throw new NotFoundException(backend.read("jersey", "failing stage"));
            });
        }

        @GET
        @Path("stream")
        @Produces("text/plain")
        public StreamingOutput stream(@HeaderParam("Authorization") String user) {
            byte[] text = shown("stream", user).getBytes(StandardCharsets.UTF_8);
            return output -> {
                for (int i = 0; i < 1_000; i++) {
                    output.write(text);
                }
            };
        }

        @GET
        @Path("broken-stream")
        @Produces("text/plain")
        public StreamingOutput brokenStream() {
            byte[] text = backend.read("jersey", "broken stream").getBytes(StandardCharsets.UTF_8);
            return output -> {
                output.write(text);
                throw new IllegalStateException("on purpose");
            };
        }

        @GET
        @Path("events")
        @Produces(MediaType.SERVER_SENT_EVENTS)
        public void events(@Context SseEventSink sink, @Context Sse sse) {
            String text = backend.read("jersey", "events");
            try (sink) {
                CompletionStage<?> unused = sink.send(sse.newEvent(text));
            }
        }

        @GET
        @Path("tagged")
        public Response tagged(@Context Request request, @HeaderParam("Authorization") String user) {
            String text = shown("tagged", user);
            Response.ResponseBuilder matched = request.evaluatePreconditions(new EntityTag("none"));
            return matched == null ? Response.ok(text, "text/plain").tag("none").build() : matched.build();
        }

        @GET
        @Path("old")
        public Response old(@Context UriInfo uri) {
            String unused = backend.read("jersey", "old");
            return Response.status(301)
                    .location(uri.getBaseUriBuilder().path("text").build())
                    .build();
        }

        @GET
        @Path("cookie")
        public Response cookie() {
            return Response.ok(backend.read("jersey", "cookie"), "text/plain")
                    .cookie(new NewCookie.Builder("seen").value("yes").build())
                    .build();
        }

        @GET
        @Path("nothing")
        public void nothing() {
            String unused = backend.read("jersey", "nothing");
        }

        @GET
        @Path("missing")
        public String missing() {
            String said = backend.read("jersey", "missing");
            if (said.isEmpty()) {
                return "nothing is missing";
            }
            throw new NotFoundException(said);
        }

        @GET
        @Path("failing")
        public String failing() {
            throw new IllegalStateException(backend.read("jersey", "failing"));
        }
    }
}
