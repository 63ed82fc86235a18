package io.github.collapseexecutor.sample.springboot;

import static java.util.Objects.requireNonNull;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.JoinMode;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.okhttp.CollapseOkHttpInterceptor;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.Map;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.ResponseBody;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.web.client.RestTemplateBuilder;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;
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
    private final Map<String, Clients<Blocking>> blocking;
    private final Clients<Reactive> reactive;
    private final URI backend;
    private final Map<String, FutureMap<URI, @Nullable Long>> blockingMaps;
    private final FutureMap<URI, Long> reactiveMap = new FutureMap<>();

    /** A client that waits. */
    private interface Blocking {

        @Nullable Long get(URI uri);
    }

    /** A client that does not. */
    private interface Reactive {

        Mono<Long> get(URI uri);
    }

    /** The same client three times. */
    private record Clients<C>(C collapsing, C plain, C constant) {}

    FrontController(
            RestTemplate namedRestTemplate,
            RestTemplate plainRestTemplate,
            RestClient restClient,
            RestClient plainRestClient,
            WebClient namedWebClient,
            WebClient plainWebClient,
            @Value("${sample.backend}") URI backend,
            @Value("${collapse.executor.join:fresh}") JoinMode join) {
        this.blocking = Map.of(
                "rest-template",
                        new Clients<>(
                                by(namedRestTemplate),
                                by(plainRestTemplate),
                                by(new RestTemplateBuilder()
                                        .interceptors((request, body, execution) -> new ConstantResponse())
                                        .build())),
                "rest-client",
                        new Clients<>(
                                by(restClient),
                                by(plainRestClient),
                                by(RestClient.builder()
                                        .requestInterceptor((request, body, execution) -> new ConstantResponse())
                                        .build())),
                "ok-http",
                        new Clients<>(
                                by(new OkHttpClient.Builder()
                                        .addInterceptor(new CollapseOkHttpInterceptor(
                                                HttpCollapseOptions.forPaths("/test/noop*"),
                                                CollapseOptions.builder()
                                                        .joinMode(join)
                                                        .build()))
                                        .build()),
                                by(new OkHttpClient()),
                                by(new OkHttpClient.Builder()
                                        .addInterceptor(chain -> constant(chain.request()))
                                        .build())));
        this.reactive = new Clients<>(
                by(namedWebClient),
                by(plainWebClient),
                by(WebClient.builder()
                        .filter((request, next) -> Mono.just(ClientResponse.create(HttpStatus.OK)
                                .header(HttpHeaders.CONTENT_TYPE, "application/json")
                                .body(ConstantResponse.BODY)
                                .build()))
                        .build()));
        this.blockingMaps = Map.of(
                "rest-template", new FutureMap<>(), "rest-client", new FutureMap<>(), "ok-http", new FutureMap<>());
        this.backend = backend;
    }

    private static Blocking by(RestTemplate client) {
        return uri -> client.getForObject(uri, Long.class);
    }

    private static Blocking by(RestClient client) {
        return uri -> client.get().uri(uri).retrieve().body(Long.class);
    }

    private static Blocking by(OkHttpClient client) {
        return uri -> {
            Request request = new Request.Builder().url(uri.toString()).build();
            try (Response response = client.newCall(request).execute()) {
                return Long.valueOf(response.body().string());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };
    }

    private static Reactive by(WebClient client) {
        return uri -> client.get().uri(uri).retrieve().bodyToMono(Long.class);
    }

    private static Response constant(Request request) {
        return new Response.Builder()
                .request(request)
                .protocol(Protocol.HTTP_1_1)
                .code(HttpStatus.OK.value())
                .message(HttpStatus.OK.getReasonPhrase())
                .body(ResponseBody.create(ConstantResponse.BODY, MediaType.get("application/json")))
                .build();
    }

    @GetMapping("/{client:rest-template|rest-client|ok-http}/collapse{millis:0|20|100}")
    @Nullable Long collapse(@PathVariable String client, @PathVariable int millis, HttpServletRequest request) {
        return clients(client).collapsing().get(backend(millis, request));
    }

    @GetMapping("/{client:rest-template|rest-client|ok-http}/plain{millis:0|20|100}")
    @Nullable Long plain(@PathVariable String client, @PathVariable int millis, HttpServletRequest request) {
        return clients(client).plain().get(backend(millis, request));
    }

    @GetMapping("/{client:rest-template|rest-client|ok-http}/map{millis:0|20|100}")
    @Nullable Long map(@PathVariable String client, @PathVariable int millis, HttpServletRequest request) {
        URI uri = backend(millis, request);
        return requireNonNull(blockingMaps.get(client))
                .get(uri, () -> clients(client).plain().get(uri));
    }

    @GetMapping("/{client:rest-template|rest-client|ok-http}/constant{millis:0|20|100}")
    @Nullable Long constant(@PathVariable String client, @PathVariable int millis, HttpServletRequest request) {
        return clients(client).constant().get(backend(millis, request));
    }

    @GetMapping("/web-client/collapse{millis:0|20|100}")
    Mono<Long> collapse(@PathVariable int millis, HttpServletRequest request) {
        return reactive.collapsing().get(backend(millis, request));
    }

    @GetMapping("/web-client/plain{millis:0|20|100}")
    Mono<Long> plain(@PathVariable int millis, HttpServletRequest request) {
        return reactive.plain().get(backend(millis, request));
    }

    @GetMapping("/web-client/map{millis:0|20|100}")
    Mono<Long> map(@PathVariable int millis, HttpServletRequest request) {
        URI uri = backend(millis, request);
        return Mono.fromFuture(
                reactiveMap.getAsync(uri, () -> reactive.plain().get(uri).toFuture()));
    }

    @GetMapping("/web-client/constant{millis:0|20|100}")
    Mono<Long> constant(@PathVariable int millis, HttpServletRequest request) {
        return reactive.constant().get(backend(millis, request));
    }

    private Clients<Blocking> clients(String name) {
        return requireNonNull(blocking.get(name));
    }

    private URI backend(int millis, HttpServletRequest request) {
        String query = request.getQueryString();
        return backend.resolve("/test/noop" + millis + (query == null ? "" : "?" + query));
    }
}
