package io.github.collapseexecutor.foreign.server;

import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.security.Principal;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Configuration;
import org.springframework.hateoas.EntityModel;
import org.springframework.hateoas.server.mvc.WebMvcLinkBuilder;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;
import org.springframework.web.servlet.view.RedirectView;
import reactor.core.publisher.Mono;

/** Spring MVC, with links of HATEOAS. */
@Configuration(proxyBeanMethods = false)
class MvcGuest {

    /** What a handler gives as an object. */
    record Thing(String name, String user) {}

    @RestController
    static class Controller {

        // immutable
        private final Backend backend;

        Controller(Backend backend) {
            this.backend = backend;
        }

        private static String nameOf(@Nullable Principal user) {
            return user == null ? "nobody" : user.getName();
        }

        @GetMapping("/mvc/text")
        String text(@RequestParam(defaultValue = "a") String of, @Nullable Principal user, Locale locale) {
            return backend.read("mvc", of) + " for " + nameOf(user) + " in " + locale;
        }

        @GetMapping("/mvc/agent")
        String agent(@RequestHeader("User-Agent") String agent) {
            return backend.read("mvc", "agent") + " for " + agent;
        }

        @GetMapping("/mvc/json")
        Thing json(@Nullable Principal user) {
            return new Thing(backend.read("mvc", "json"), nameOf(user));
        }

        @GetMapping("/mvc/later")
        CompletableFuture<Thing> later(@Nullable Principal user) {
            String name = nameOf(user);
            return CompletableFuture.supplyAsync(() -> new Thing(backend.read("mvc", "later"), name));
        }

        @GetMapping("/mvc/callable")
        Callable<String> callable(@Nullable Principal user) {
            String name = nameOf(user);
            return () -> backend.read("mvc", "callable") + name;
        }

        @GetMapping("/mvc/mono")
        Mono<Thing> mono(@Nullable Principal user) {
            String name = nameOf(user);
            return Mono.fromCallable(() -> new Thing(backend.read("mvc", "mono"), name));
        }

        @GetMapping("/mvc/tagged")
        ResponseEntity<Thing> tagged(@Nullable Principal user) {
            return ResponseEntity.ok()
                    .eTag("one")
                    .cacheControl(CacheControl.maxAge(java.time.Duration.ofMinutes(1)))
                    .body(new Thing(backend.read("mvc", "tagged"), nameOf(user)));
        }

        @GetMapping("/mvc/links")
        EntityModel<Thing> links(@Nullable Principal user) {
            return EntityModel.of(
                    new Thing(backend.read("mvc", "links"), nameOf(user)),
                    WebMvcLinkBuilder.linkTo(
                                    WebMvcLinkBuilder.methodOn(Controller.class).links(null))
                            .withSelfRel());
        }

        @GetMapping("/mvc/events")
        SseEmitter events() {
            SseEmitter emitter = new SseEmitter(10_000L);
            CompletableFuture<Void> unused = CompletableFuture.runAsync(() -> {
                try {
                    emitter.send(backend.read("mvc", "events"));
                    emitter.send("more");
                    emitter.complete();
                } catch (IOException e) {
                    emitter.completeWithError(e);
                }
            });
            return emitter;
        }

        @GetMapping("/mvc/error")
        String error(@Nullable Principal user) {
            throw new IllegalStateException(backend.read("mvc", "error") + nameOf(user));
        }

        @GetMapping("/mvc/missing")
        String missing() {
            throw new ResponseStatusException(HttpStatus.NOT_FOUND, backend.read("mvc", "missing"));
        }

        @GetMapping("/mvc/session")
        String session(HttpSession session) {
            session.setAttribute("seen", "yes");
            return backend.read("mvc", "session");
        }

        @GetMapping("/mvc/stream")
        StreamingResponseBody stream() {
            return output -> {
                output.write(backend.read("mvc", "stream").getBytes(java.nio.charset.StandardCharsets.UTF_8));
                output.flush();
                output.write(new byte[30_000]);
            };
        }

        @GetMapping("/mvc/redirect")
        RedirectView redirect(HttpServletResponse response) {
            response.setHeader("X-Backend", backend.read("mvc", "redirect"));
            return new RedirectView("/mvc/text", true);
        }
    }
}
