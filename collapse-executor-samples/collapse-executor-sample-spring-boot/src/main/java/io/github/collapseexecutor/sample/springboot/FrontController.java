package io.github.collapseexecutor.sample.springboot;

import java.net.URI;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;

/**
 * A front for a load generator: each request to it is one request of a client to {@code /test/noop0} of another server, which
 * collapses at {@code /front/…/collapse} and does not at {@code /front/…/plain}. It must not ask its own server: with as many
 * callers as that has threads, all of them would wait for one.
 */
@RestController
@ConditionalOnProperty("sample.backend")
@RequestMapping("/front")
class FrontController {

    // immutable
    private final RestTemplate restTemplate;
    private final RestTemplate plainRestTemplate;
    private final WebClient webClient;
    private final WebClient plainWebClient;
    private final URI backend;

    FrontController(
            RestTemplate restTemplate,
            RestTemplate plainRestTemplate,
            WebClient webClient,
            WebClient plainWebClient,
            @Value("${sample.backend}") URI backend) {
        this.restTemplate = restTemplate;
        this.plainRestTemplate = plainRestTemplate;
        this.webClient = webClient;
        this.plainWebClient = plainWebClient;
        this.backend = backend.resolve("/test/noop0");
    }

    @GetMapping("/rest-template/collapse")
    @Nullable Long restTemplate() {
        return restTemplate.getForObject(backend, Long.class);
    }

    @GetMapping("/rest-template/plain")
    @Nullable Long plainRestTemplate() {
        return plainRestTemplate.getForObject(backend, Long.class);
    }

    @GetMapping("/web-client/collapse")
    Mono<Long> webClient() {
        return get(webClient);
    }

    @GetMapping("/web-client/plain")
    Mono<Long> plainWebClient() {
        return get(plainWebClient);
    }

    private Mono<Long> get(WebClient client) {
        return client.get().uri(backend).retrieve().bodyToMono(Long.class);
    }
}
