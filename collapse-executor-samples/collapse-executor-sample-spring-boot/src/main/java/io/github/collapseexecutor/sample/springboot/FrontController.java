package io.github.collapseexecutor.sample.springboot;

import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.web.client.RestTemplateBuilder;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;

/**
 * A front for a load generator: each request to it is one request of a client to {@code /test/noop…} of another server, with the
 * query that the front was asked with. {@code /front/…/collapse…} collapses these requests, {@code plain} does not, {@code map}
 * joins those in flight by a {@link FutureMap}, and {@code constant} sends none. The number behind the way is the time
 * that the other server takes, in milliseconds. The front must not ask its own server: with as many callers as that has threads, all of
 * them would wait for one.
 */
@RestController
@ConditionalOnProperty("sample.backend")
@RequestMapping("/front")
class FrontController {

    // immutable
    private final RestTemplate restTemplate;
    private final RestTemplate plainRestTemplate;
    private final RestTemplate constantRestTemplate;
    private final WebClient webClient;
    private final WebClient plainWebClient;
    private final WebClient constantWebClient;
    private final URI backend;
    private final FutureMap<URI, @Nullable Long> restTemplateMap = new FutureMap<>();
    private final FutureMap<URI, Long> webClientMap = new FutureMap<>();

    FrontController(
            RestTemplate namedRestTemplate,
            RestTemplate plainRestTemplate,
            WebClient namedWebClient,
            WebClient plainWebClient,
            @Value("${sample.backend}") URI backend) {
        this.restTemplate = namedRestTemplate;
        this.plainRestTemplate = plainRestTemplate;
        this.constantRestTemplate = new RestTemplateBuilder()
                .interceptors((request, body, execution) -> new ConstantResponse())
                .build();
        this.webClient = namedWebClient;
        this.plainWebClient = plainWebClient;
        this.constantWebClient = WebClient.builder()
                .filter((request, next) -> Mono.just(ClientResponse.create(HttpStatus.OK)
                        .header(HttpHeaders.CONTENT_TYPE, MediaType.APPLICATION_JSON_VALUE)
                        .body(ConstantResponse.BODY)
                        .build()))
                .build();
        this.backend = backend;
    }

    @GetMapping("/rest-template/collapse{millis:0|20}")
    @Nullable Long restTemplate(@PathVariable int millis, HttpServletRequest request) {
        return get(restTemplate, backend(millis, request));
    }

    @GetMapping("/rest-template/plain{millis:0|20}")
    @Nullable Long plainRestTemplate(@PathVariable int millis, HttpServletRequest request) {
        return get(plainRestTemplate, backend(millis, request));
    }

    @GetMapping("/rest-template/map{millis:0|20}")
    @Nullable Long restTemplateMap(@PathVariable int millis, HttpServletRequest request) {
        URI uri = backend(millis, request);
        return restTemplateMap.get(uri, () -> get(plainRestTemplate, uri));
    }

    @GetMapping("/rest-template/constant{millis:0|20}")
    @Nullable Long constantRestTemplate(@PathVariable int millis, HttpServletRequest request) {
        return get(constantRestTemplate, backend(millis, request));
    }

    @GetMapping("/web-client/collapse{millis:0|20}")
    Mono<Long> webClient(@PathVariable int millis, HttpServletRequest request) {
        return get(webClient, backend(millis, request));
    }

    @GetMapping("/web-client/plain{millis:0|20}")
    Mono<Long> plainWebClient(@PathVariable int millis, HttpServletRequest request) {
        return get(plainWebClient, backend(millis, request));
    }

    @GetMapping("/web-client/map{millis:0|20}")
    Mono<Long> webClientMap(@PathVariable int millis, HttpServletRequest request) {
        URI uri = backend(millis, request);
        return Mono.fromFuture(
                webClientMap.getAsync(uri, () -> get(plainWebClient, uri).toFuture()));
    }

    @GetMapping("/web-client/constant{millis:0|20}")
    Mono<Long> constantWebClient(@PathVariable int millis, HttpServletRequest request) {
        return get(constantWebClient, backend(millis, request));
    }

    private static @Nullable Long get(RestTemplate client, URI uri) {
        return client.getForObject(uri, Long.class);
    }

    private static Mono<Long> get(WebClient client, URI uri) {
        return client.get().uri(uri).retrieve().bodyToMono(Long.class);
    }

    private URI backend(int millis, HttpServletRequest request) {
        String query = request.getQueryString();
        return backend.resolve("/test/noop" + millis + (query == null ? "" : "?" + query));
    }
}
