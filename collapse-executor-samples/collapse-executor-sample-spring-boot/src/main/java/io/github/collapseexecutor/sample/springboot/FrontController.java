package io.github.collapseexecutor.sample.springboot;

import jakarta.servlet.http.HttpServletRequest;
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
 * collapses at {@code /front/…/collapse} and does not at {@code /front/…/plain}, and which has the query of the request to the
 * front. It must not ask its own server: with as many
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
    @Nullable Long restTemplate(HttpServletRequest request) {
        return restTemplate.getForObject(backend(request), Long.class);
    }

    @GetMapping("/rest-template/plain")
    @Nullable Long plainRestTemplate(HttpServletRequest request) {
        return plainRestTemplate.getForObject(backend(request), Long.class);
    }

    @GetMapping("/web-client/collapse")
    Mono<Long> webClient(HttpServletRequest request) {
        return get(webClient, request);
    }

    @GetMapping("/web-client/plain")
    Mono<Long> plainWebClient(HttpServletRequest request) {
        return get(plainWebClient, request);
    }

    private Mono<Long> get(WebClient client, HttpServletRequest request) {
        return client.get().uri(backend(request)).retrieve().bodyToMono(Long.class);
    }

    private URI backend(HttpServletRequest request) {
        String query = request.getQueryString();
        return query == null ? backend : URI.create(backend + "?" + query);
    }
}
