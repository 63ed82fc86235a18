package io.github.collapseexecutor.foreign.server;

import java.security.Principal;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Configuration;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.thymeleaf.spring6.context.webflux.ReactiveDataDriverContextVariable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Thymeleaf in a reactive application: whole pages, and one that it writes as the data comes. */
@Configuration(proxyBeanMethods = false)
class FluxPageGuest {

    @Controller
    static class Pages {

        // immutable
        private final Backend backend;

        Pages(Backend backend) {
            this.backend = backend;
        }

        private Mono<String> filled(String view, Model model, String what, @Nullable Principal user, Locale locale) {
            model.addAttribute("user", user == null ? "nobody" : user.getName());
            return Mono.fromCallable(() -> backend.read("page", what))
                    .subscribeOn(Schedulers.boundedElastic())
                    .doOnNext(text -> model.addAttribute("what", text + " in " + locale))
                    .thenReturn(view);
        }

        @GetMapping("/page/x")
        Mono<String> page(Model model, @Nullable Principal user, Locale locale) {
            return filled("page", model, "x", user, locale);
        }

        @GetMapping("/page/form")
        Mono<String> form(Model model, @Nullable Principal user, Locale locale) {
            return filled("form", model, "form", user, locale);
        }

        @GetMapping("/page/driven")
        Mono<String> driven(Model model, @Nullable Principal user, Locale locale) {
            model.addAttribute("numbers", new ReactiveDataDriverContextVariable(Flux.range(1, 50), 10));
            return filled("driven", model, "driven", user, locale);
        }
    }
}
