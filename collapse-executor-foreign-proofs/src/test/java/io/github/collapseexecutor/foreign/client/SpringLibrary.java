package io.github.collapseexecutor.foreign.client;

import io.github.collapseexecutor.foreign.client.Question.Reading;
import io.github.collapseexecutor.http.client.CollapseHttpRequestInterceptor;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.apache.hc.client5.http.impl.cache.CachingHttpClients;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.Resource;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.RequestEntity;
import org.springframework.http.ResponseEntity;
import org.springframework.http.client.BufferingClientHttpRequestFactory;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.http.client.HttpComponentsClientHttpRequestFactory;
import org.springframework.http.client.InterceptingClientHttpRequestFactory;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.http.client.JettyClientHttpRequestFactory;
import org.springframework.http.client.ReactorClientHttpRequestFactory;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClient;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.web.client.OAuth2ClientHttpRequestInterceptor;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.OAuth2AccessToken;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.client.ResourceAccessException;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.client.support.RestClientAdapter;
import org.springframework.web.client.support.RestTemplateAdapter;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.invoker.HttpExchangeAdapter;
import org.springframework.web.service.invoker.HttpServiceProxyFactory;
import org.zalando.logbook.spring.LogbookClientHttpRequestInterceptor;

/** RestTemplate and RestClient, over each transport, with interceptors and request factories on both sides of the adapter. */
final class SpringLibrary implements Library {

    private enum Transport {
        URL_CONNECTION,
        JDK,
        APACHE,
        APACHE_CACHE,
        JETTY,
        NETTY
    }

    private enum Place {
        LAST,
        FIRST,
        FACTORY,
        BELOW_A_BUFFER,
        BELOW_AN_INTERCEPTING_FACTORY,
        OVER_A_BUFFER
    }

    private enum Form {
        TEMPLATE,
        CLIENT,
        INTERFACE_OF_TEMPLATE,
        INTERFACE_OF_CLIENT
    }

    /** An HTTP interface. */
    interface Texts {

        @GetExchange
        ResponseEntity<String> text(URI uri, @RequestHeader("Authorization") String user);

        @GetExchange
        ResponseEntity<byte[]> bytes(URI uri, @RequestHeader("Authorization") String user);

        @GetExchange
        ResponseEntity<Void> nothing(URI uri, @RequestHeader("Authorization") String user);
    }

    private static final int CONNECTIONS = 100;

    private static final List<Layer<List<ClientHttpRequestInterceptor>>> LAYERS = List.of(
            new Layer<>(
                    "logbook",
                    interceptors -> interceptors.add(new LogbookClientHttpRequestInterceptor(Logs.withBodies()))),
            new Layer<>(
                    "logbook without bodies",
                    interceptors -> interceptors.add(new LogbookClientHttpRequestInterceptor(Logs.withoutBodies()))),
            new Layer<>(
                    "retry of resilience4j",
                    interceptors -> interceptors.add(
                            (request, body, execution) -> retried(() -> execution.execute(request, body)))),
            new Layer<>(
                    "retry of Spring",
                    interceptors -> interceptors.add((request, body, execution) ->
                            SpringRetries.once().execute(context -> execution.execute(request, body)))),
            new Layer<>("user of the thread", interceptors -> interceptors.add(tokens())));

    private interface Call {
        ClientHttpResponse make() throws IOException;
    }

    private static ClientHttpResponse retried(Call call) throws IOException {
        try {
            return Resilience.retry().executeCheckedSupplier(call::make);
        } catch (IOException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** Spring Security's interceptor, with a token of the user of the thread. */
    private static ClientHttpRequestInterceptor tokens() {
        ClientRegistration registration = ClientRegistration.withRegistrationId("users")
                .clientId("id")
                .tokenUri("http://localhost/token")
                .authorizationGrantType(AuthorizationGrantType.CLIENT_CREDENTIALS)
                .build();
        OAuth2ClientHttpRequestInterceptor interceptor = new OAuth2ClientHttpRequestInterceptor(request -> {
            Instant now = Instant.now();
            String user = request.getPrincipal().getName();
            return new OAuth2AuthorizedClient(
                    registration,
                    user,
                    new OAuth2AccessToken(
                            OAuth2AccessToken.TokenType.BEARER, user, now, now.plus(Duration.ofHours(1))));
        });
        interceptor.setClientRegistrationIdResolver(request -> "users");
        return interceptor;
    }

    @Override
    public Asker make(Draw draw) throws Exception {
        Closing closing = new Closing();
        ClientHttpRequestFactory factory = transport(draw.pick(List.of(Transport.values())), closing);
        Place place = draw.pick(List.of(Place.values()));
        Form form = draw.pick(List.of(Form.values()));
        Traces traces = draw.oneOf(3, "traced") ? new Traces(draw.pick(List.of(Traces.Bridge.values()))) : null;
        List<ClientHttpRequestInterceptor> interceptors = new java.util.ArrayList<>();
        List<Layer<List<ClientHttpRequestInterceptor>>> layers = draw.layers("interceptors", LAYERS);
        List<ClientHttpRequestInterceptor> inFactory = new java.util.ArrayList<>();
        draw.layers("in a factory", LAYERS).forEach(layer -> layer.add().accept(inFactory));
        CollapseHttpRequestInterceptor ours = new CollapseHttpRequestInterceptor(draw.http(), draw.core());
        boolean on = draw.collapses();
        if (on && place == Place.FIRST) {
            interceptors.add(ours);
        }
        layers.forEach(layer -> layer.add().accept(interceptors));
        if (place == Place.LAST || place == Place.FIRST) {
            // any interceptor holds a request's body
            interceptors.add(
                    on && place == Place.LAST ? ours : (request, body, execution) -> execution.execute(request, body));
        }
        if (place == Place.OVER_A_BUFFER) {
            factory = new BufferingClientHttpRequestFactory(factory);
        }
        if (on && place.compareTo(Place.FACTORY) >= 0) {
            factory = ours.requestFactory(factory);
        }
        if (place == Place.BELOW_A_BUFFER) {
            factory = new BufferingClientHttpRequestFactory(factory);
        }
        if (place == Place.BELOW_AN_INTERCEPTING_FACTORY) {
            factory = new InterceptingClientHttpRequestFactory(factory, inFactory);
        }
        RestTemplate template = new RestTemplate(factory);
        template.setInterceptors(interceptors);
        template.setErrorHandler(response -> false);
        if (traces != null) {
            template.setObservationRegistry(traces.registry());
        }
        RestClient client = RestClient.builder(template)
                .defaultStatusHandler(HttpStatusCode::isError, (a, b) -> {})
                .build();
        return new OfSpring(
                switch (form) {
                    case TEMPLATE -> new ByTemplate(template);
                    case CLIENT -> new ByClient(client);
                    case INTERFACE_OF_TEMPLATE -> new ByInterface(texts(RestTemplateAdapter.create(template)));
                    case INTERFACE_OF_CLIENT -> new ByInterface(texts(RestClientAdapter.create(client)));
                },
                traces,
                closing);
    }

    private static Texts texts(HttpExchangeAdapter adapter) {
        return HttpServiceProxyFactory.builderFor(adapter).build().createClient(Texts.class);
    }

    private static ClientHttpRequestFactory transport(Transport transport, Closing closing) throws Exception {
        return switch (transport) {
            case URL_CONNECTION -> new SimpleClientHttpRequestFactory();
            case JDK -> new JdkClientHttpRequestFactory(JdkLibrary.http1());
            case APACHE -> apache(HttpClients.custom(), closing);
            case APACHE_CACHE -> apache(CachingHttpClients.custom(), closing);
            case JETTY -> {
                org.eclipse.jetty.client.HttpClient jetty = new org.eclipse.jetty.client.HttpClient();
                jetty.setMaxConnectionsPerDestination(CONNECTIONS);
                jetty.start();
                closing.add(jetty::stop);
                yield new JettyClientHttpRequestFactory(jetty);
            }
            case NETTY -> {
                var connections = reactor.netty.resources.ConnectionProvider.create("foreign", CONNECTIONS);
                closing.add(connections::dispose);
                yield new ReactorClientHttpRequestFactory(reactor.netty.http.client.HttpClient.create(connections));
            }
        };
    }

    private static ClientHttpRequestFactory apache(HttpClientBuilder builder, Closing closing) {
        PoolingHttpClientConnectionManager pool = PoolingHttpClientConnectionManagerBuilder.create()
                .setMaxConnPerRoute(CONNECTIONS)
                .setMaxConnTotal(CONNECTIONS)
                .build();
        closing.add(pool);
        closing.counting(() -> pool.getTotalStats().getLeased());
        return new HttpComponentsClientHttpRequestFactory(
                builder.setConnectionManager(pool).disableAutomaticRetries().build());
    }

    /** One of the forms in which Spring's clients are called. */
    private interface Calling {
        void ask(URI uri, String user, Reply reply);
    }

    private record ByTemplate(RestTemplate template) implements Calling {

        @Override
        public void ask(URI uri, String user, Reply reply) {
            if (reply.question().reading() == Reading.TEXT) {
                entity(
                        template.exchange(
                                RequestEntity.get(uri)
                                        .header("Authorization", user)
                                        .build(),
                                String.class),
                        reply);
            } else {
                Object unused = template.execute(
                        uri,
                        HttpMethod.GET,
                        request -> request.getHeaders().set("Authorization", user),
                        response -> read(response, reply));
            }
        }
    }

    private record ByClient(RestClient client) implements Calling {

        @Override
        public void ask(URI uri, String user, Reply reply) {
            RestClient.RequestHeadersSpec<?> request = client.get().uri(uri).header("Authorization", user);
            switch (reply.question().reading()) {
                case TEXT -> entity(request.retrieve().toEntity(String.class), reply);
                case WHOLE -> {
                    ResponseEntity<Resource> entity = request.retrieve().toEntity(Resource.class);
                    head(entity, reply);
                    readResource(entity.getBody(), reply);
                }
                default -> {
                    Object unused = request.exchange((sent, response) -> read(response, reply));
                }
            }
        }
    }

    private record ByInterface(Texts texts) implements Calling {

        @Override
        public void ask(URI uri, String user, Reply reply) {
            switch (reply.question().reading()) {
                case TEXT -> entity(texts.text(uri, user), reply);
                case HEAD -> head(texts.nothing(uri, user), reply);
                default -> {
                    ResponseEntity<byte[]> entity = texts.bytes(uri, user);
                    head(entity, reply);
                    reply.bytes(entity.getBody() == null ? new byte[0] : entity.getBody());
                    boolean unused = reply.hasEnough();
                }
            }
        }
    }

    private static void readResource(@Nullable Resource body, Reply reply) {
        try {
            if (body != null) {
                reply.bytes(body.getContentAsByteArray());
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static void head(ResponseEntity<?> response, Reply reply) {
        reply.status(response.getStatusCode().value());
        response.getHeaders().forEach((name, values) -> reply.header(name, values.toString()));
    }

    private static void entity(ResponseEntity<String> response, Reply reply) {
        head(response, reply);
        reply.text(response.getBody());
    }

    private static boolean read(ClientHttpResponse response, Reply reply) throws IOException {
        reply.status(response.getStatusCode().value());
        response.getHeaders().forEach((name, values) -> reply.header(name, values.toString()));
        if (!reply.hasEnough()) {
            reply.read(response.getBody());
        }
        return true;
    }

    private record OfSpring(Calling calling, @Nullable Traces traces, Closing closing) implements Asker {

        @Override
        public void ask(URI uri, Reply reply) throws Exception {
            String user = reply.question().user();
            SecurityContextHolder.getContext().setAuthentication(new TestingAuthenticationToken(user, "", "USER"));
            try {
                if (traces == null) {
                    calling.ask(uri, "Bearer " + user, reply);
                } else {
                    traces.ask(reply, caller -> calling.ask(uri, "Bearer " + user, reply));
                }
            } catch (ResourceAccessException e) {
                throw e.getCause() instanceof Exception cause ? cause : e;
            } finally {
                SecurityContextHolder.clearContext();
            }
        }

        @Override
        public int connectionsInUse() {
            return closing.inUse();
        }

        @Override
        public void close() {
            closing.close();
        }
    }
}
