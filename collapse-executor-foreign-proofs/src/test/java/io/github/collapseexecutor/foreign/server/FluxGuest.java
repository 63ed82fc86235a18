package io.github.collapseexecutor.foreign.server;

import java.security.Principal;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.WebSession;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Spring WebFlux. */
@Configuration(proxyBeanMethods = false)
class FluxGuest {

    /** What a handler gives as an object. */
    record Thing(String name, String user) {}

    @Bean
    RouterFunction<ServerResponse> fluxRoute(Backend backend) {
        return RouterFunctions.route()
                .GET(
                        "/flux/route",
                        request -> asked(backend, "route")
                                .flatMap(text -> ServerResponse.ok()
                                        .header("X-Route", "yes")
                                        .bodyValue(text)))
                .build();
    }

    private static Mono<String> asked(Backend backend, String what) {
        return Mono.fromCallable(() -> backend.read("flux", what)).subscribeOn(Schedulers.boundedElastic());
    }

    private static String nameOf(@Nullable Principal user) {
        return user == null ? "nobody" : user.getName();
    }

    @RestController
    static class Things {

        // immutable
        private final Backend backend;

        Things(Backend backend) {
            this.backend = backend;
        }

        @GetMapping("/flux/text")
        Mono<String> text(@RequestParam(defaultValue = "a") String of, @Nullable Principal user, Locale locale) {
            return asked(backend, of).map(text -> text + " for " + nameOf(user) + " in " + locale);
        }

        @GetMapping("/flux/json")
        Mono<Thing> json(@Nullable Principal user) {
            return asked(backend, "json").map(text -> new Thing(text, nameOf(user)));
        }

        @GetMapping("/flux/list")
        Flux<Thing> list(@Nullable Principal user) {
            return asked(backend, "list")
                    .flatMapMany(text -> Flux.range(0, 200).map(number -> new Thing(text + number, nameOf(user))));
        }

        @GetMapping(path = "/flux/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
        Flux<String> events() {
            return asked(backend, "events").flatMapMany(text -> Flux.just(text, "more"));
        }

        @GetMapping("/flux/tagged")
        Mono<ResponseEntity<Thing>> tagged(@Nullable Principal user) {
            return asked(backend, "tagged")
                    .map(text -> ResponseEntity.ok().eTag("one").body(new Thing(text, nameOf(user))));
        }

        @GetMapping("/flux/error")
        Mono<String> error() {
            return asked(backend, "error").flatMap(text -> Mono.error(new IllegalStateException(text)));
        }

        @GetMapping("/flux/missing")
        Mono<String> missing() {
            return asked(backend, "missing")
                    .flatMap(text -> Mono.error(new ResponseStatusException(HttpStatus.NOT_FOUND, text)));
        }

        @GetMapping("/flux/session")
        Mono<String> session(WebSession session) {
            session.getAttributes().put("seen", "yes");
            return asked(backend, "session");
        }
    }
}
