package io.github.collapseexecutor.http;

import static org.assertj.core.api.Assertions.assertThat;

import feign.DefaultClient;
import feign.Request;
import feign.Response;
import io.github.collapseexecutor.http.client.CollapseClientHttpRequestFactory;
import io.github.collapseexecutor.http.client.CollapseHttpRequestInterceptor;
import io.github.collapseexecutor.http.feign.CollapseFeignClient;
import io.github.collapseexecutor.http.fixture.Callers.Caller;
import io.github.collapseexecutor.http.fixture.FailureChain;
import io.github.collapseexecutor.http.fixture.OriginFixture;
import io.github.collapseexecutor.http.fixture.OriginReply;
import io.github.collapseexecutor.http.fixture.RefusedAddress;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin.Hold;
import io.github.collapseexecutor.http.hc5.CollapseExecChainHandler;
import io.github.collapseexecutor.http.jdk.CollapseHttpClient;
import io.github.collapseexecutor.http.okhttp.CollapseOkHttpInterceptor;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.ChainElement;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.io.SocketConfig;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.util.Timeout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.HttpComponentsClientHttpRequestFactory;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.http.client.JettyClientHttpRequestFactory;
import org.springframework.http.client.ReactorClientHttpRequestFactory;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;

/**
 * H43: each way in which a transport can fail, each client beside WebClient, and each policy: every caller that collapses, a leader and followers,
 * gets the exception classes that the client without the adapter gives, from the outermost to the root. Retry rules look at these classes.
 */
class ClientFailureTests extends OriginFixture {

    private static final int FOLLOWERS = 2;
    /** A transport may fail in more than one way. */
    private static final int PLAIN_TRIES = 20;

    private static final Duration TIMEOUT = Duration.ofMillis(100);

    private static final String IN_TIME = "in time";

    @FunctionalInterface
    private interface Asking {
        Object ask(URI uri) throws Exception;
    }

    /** What sends, and what sends with collapsing. */
    private record Client(String name, Asking plain, List<Asking> collapsing) {}

    // mutable, confined to the test
    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void closeClients() throws Exception {
        for (AutoCloseable client : open) {
            client.close();
        }
    }

    private <C extends AutoCloseable> C opened(C client) {
        open.add(client);
        return client;
    }

    private static Asking asking(RestClient client) {
        return uri -> client.get().uri(uri).retrieve().body(String.class);
    }

    private static Asking posting(ClientHttpRequestFactory transport, ClientHttpRequestInterceptor... interceptors) {
        RestTemplate client = new RestTemplate(transport);
        client.setInterceptors(List.of(interceptors));
        return uri -> client.postForObject(uri, "posted", String.class);
    }

    private static Asking posting(RestClient client) {
        return uri -> client.post().uri(uri).body("posted").retrieve().body(String.class);
    }

    private static List<Client> restClients(
            String name, ClientHttpRequestFactory transport, HttpCollapseOptions http, boolean posts) {
        RestClient.Builder builder = RestClient.builder().requestFactory(transport);
        RestClient plain = builder.build();
        RestClient byInterceptor = builder.clone()
                .requestInterceptor(new CollapseHttpRequestInterceptor(http, IN_FLIGHT))
                .build();
        RestClient byFactory = builder.clone()
                .requestFactory(new CollapseClientHttpRequestFactory(transport, http, IN_FLIGHT))
                .build();
        Client asking =
                new Client("RestClient over " + name, asking(plain), List.of(asking(byInterceptor), asking(byFactory)));
        Client posting = new Client(
                "RestTemplate that posts over " + name,
                posting(transport),
                List.of(
                        posting(transport, new CollapseHttpRequestInterceptor(http, IN_FLIGHT)),
                        posting(new CollapseClientHttpRequestFactory(transport, http, IN_FLIGHT))));
        Client posted = new Client(
                "RestClient that posts over " + name,
                posting(plain),
                List.of(posting(byInterceptor), posting(byFactory)));
        return posts ? List.of(asking, posting, posted) : List.of(asking);
    }

    private HttpClientBuilder apache(boolean hurried, int connections) {
        Timeout timeout = hurried ? Timeout.of(TIMEOUT) : Timeout.ofMinutes(1);
        return HttpClients.custom()
                .disableAutomaticRetries()
                .setDefaultRequestConfig(RequestConfig.custom()
                        .setResponseTimeout(timeout)
                        .setConnectionRequestTimeout(timeout)
                        .build())
                .setConnectionManager(opened(PoolingHttpClientConnectionManagerBuilder.create()
                        .setMaxConnPerRoute(connections)
                        .setMaxConnTotal(connections)
                        .setDefaultConnectionConfig(ConnectionConfig.custom()
                                .setSocketTimeout(timeout)
                                .build())
                        .setDefaultSocketConfig(
                                SocketConfig.custom().setSoTimeout(timeout).build())
                        .build()));
    }

    private static Asking asking(CloseableHttpClient client) {
        return uri -> client.execute(new HttpGet(uri), response -> EntityUtils.toString(response.getEntity()));
    }

    private Client apacheClient(boolean hurried, int connections, HttpCollapseOptions http) {
        HttpClientBuilder builder = apache(hurried, connections);
        CloseableHttpClient plain = builder.build();
        CloseableHttpClient collapsing = builder.addExecInterceptorBefore(
                        ChainElement.CONNECT.name(), "collapse", new CollapseExecChainHandler(http, IN_FLIGHT))
                .build();
        return new Client("Apache's client", asking(plain), List.of(asking(collapsing)));
    }

    private static Asking asking(okhttp3.OkHttpClient client) {
        return uri -> {
            okhttp3.Request request =
                    new okhttp3.Request.Builder().url(uri.toString()).build();
            try (okhttp3.Response response = client.newCall(request).execute()) {
                return response.body().string();
            }
        };
    }

    private static Client okHttp(boolean hurried, HttpCollapseOptions http) {
        okhttp3.OkHttpClient plain = new okhttp3.OkHttpClient.Builder()
                .retryOnConnectionFailure(false)
                .readTimeout(hurried ? TIMEOUT : Duration.ofMinutes(1))
                .build();
        return new Client(
                "OkHttp",
                asking(plain),
                List.of(asking(plain.newBuilder()
                        .addInterceptor(new CollapseOkHttpInterceptor(http, IN_FLIGHT))
                        .build())));
    }

    private static HttpRequest request(URI uri, boolean hurried) {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri);
        return (hurried ? request.timeout(TIMEOUT) : request).build();
    }

    private static List<Client> jdk(boolean hurried, HttpCollapseOptions http) {
        HttpClient plain = HttpClient.newHttpClient();
        HttpClient collapsing = new CollapseHttpClient(plain, http, IN_FLIGHT);
        return List.of(
                new Client(
                        "the JDK's client by send",
                        uri -> plain.send(request(uri, hurried), BodyHandlers.ofString())
                                .body(),
                        List.of(uri -> collapsing
                                .send(request(uri, hurried), BodyHandlers.ofString())
                                .body())),
                new Client(
                        "the JDK's client by sendAsync",
                        uri -> plain.sendAsync(request(uri, hurried), BodyHandlers.ofString())
                                .get(),
                        List.of(uri -> collapsing
                                .sendAsync(request(uri, hurried), BodyHandlers.ofString())
                                .get())),
                new Client(
                        "the JDK's client by a stage behind sendAsync",
                        uri -> seenByAStage(plain, request(uri, hurried)),
                        List.of(uri -> seenByAStage(collapsing, request(uri, hurried)))));
    }

    /** What a stage is told that depends on the future, which is not what {@code get} throws. */
    private static String seenByAStage(HttpClient client, HttpRequest request) throws Exception {
        CompletableFuture<Throwable> seen = new CompletableFuture<>();
        try {
            return client.sendAsync(request, BodyHandlers.ofString())
                    .whenComplete((response, failure) -> seen.complete(failure))
                    .get()
                    .body();
        } catch (ExecutionException e) {
            throw (Exception) seen.get();
        }
    }

    private static Asking asking(feign.Client client, boolean hurried) {
        Request.Options options = new Request.Options(
                10, TimeUnit.SECONDS, hurried ? TIMEOUT.toMillis() : 60_000, TimeUnit.MILLISECONDS, false);
        return uri -> {
            Request request = Request.create(
                    Request.HttpMethod.GET, uri.toString(), Map.of(), null, StandardCharsets.UTF_8, null);
            try (Response response = client.execute(request, options)) {
                return new String(response.body().asInputStream().readAllBytes(), StandardCharsets.UTF_8);
            }
        };
    }

    private List<Client> clients(String failure, HttpCollapseOptions http) throws Exception {
        boolean hurried = failure.endsWith(IN_TIME);
        boolean posts = failure.startsWith("reset"); // HttpURLConnection posts again and again while no head comes
        List<Client> clients = new ArrayList<>();
        SimpleClientHttpRequestFactory simple = new SimpleClientHttpRequestFactory();
        JdkClientHttpRequestFactory jdk = new JdkClientHttpRequestFactory();
        org.eclipse.jetty.client.HttpClient jettyClient = new org.eclipse.jetty.client.HttpClient();
        jettyClient.start();
        opened(jettyClient::stop);
        JettyClientHttpRequestFactory jetty = new JettyClientHttpRequestFactory(jettyClient);
        ReactorClientHttpRequestFactory netty = new ReactorClientHttpRequestFactory();
        if (hurried) {
            simple.setReadTimeout((int) TIMEOUT.toMillis());
            jdk.setReadTimeout(TIMEOUT);
            jetty.setReadTimeout(TIMEOUT.toMillis());
            netty.setReadTimeout(TIMEOUT);
        }
        clients.addAll(restClients(
                "Apache's client",
                new HttpComponentsClientHttpRequestFactory(apache(hurried, 10).build()),
                http,
                posts));
        clients.add(apacheClient(hurried, 10, http));
        if (!failure.startsWith(
                "a head that cannot be read")) { // they read, and would wait for the end of the connection
            clients.addAll(restClients("HttpURLConnection", simple, http, posts));
            clients.add(okHttp(hurried, http));
            feign.Client feign = new DefaultClient(null, null);
            clients.add(new Client(
                    "Feign",
                    asking(feign, hurried),
                    List.of(asking(new CollapseFeignClient(feign, http, IN_FLIGHT), hurried))));
        }
        if (!failure.startsWith("no end of the body")) { // their time-out is over when the head is there
            clients.addAll(restClients("the JDK's client", jdk, http, posts));
            clients.addAll(restClients("Jetty's client", jetty, http, posts));
            clients.addAll(restClients("Reactor Netty", netty, http, posts));
            clients.addAll(jdk(hurried, http));
        }
        return clients;
    }

    /** What the origin does, and where it is asked. */
    private Map<String, URI> failures(RefusedAddress refused) {
        Map<String, URI> failures = new LinkedHashMap<>();
        failures.put("connecting is refused", URI.create(refused.url("/a")));
        failures.put("no TLS", URI.create(origin.uri("/tls").toString().replace("http:", "https:")));
        failures.put("reset before the head", origin.uri("/reset"));
        failures.put("no head " + IN_TIME, origin.uri("/silent"));
        failures.put("a head that cannot be read", origin.uri("/unreadable"));
        failures.put("broken off between chunks", origin.uri("/chunks"));
        failures.put("shorter than announced", origin.uri("/short"));
        failures.put("no end of the body " + IN_TIME, origin.uri("/stalled"));
        return failures;
    }

    private static OriginReply reply(String target) {
        OriginReply reply = OriginReply.ok("0123456789");
        return switch (target) {
            case "/reset" -> OriginReply.reset();
            case "/unreadable" ->
                OriginReply.ok("x").with("Content-Length", "many").framedAsGiven();
            case "/chunks" -> reply.truncated();
            case "/short" -> reply.shorterThanAnnounced();
            case "/stalled" -> reply.stalled();
            default -> reply;
        };
    }

    private static List<String> outcome(Asking asking, URI uri) {
        try {
            return List.of("answered " + Objects.toString(asking.ask(uri)));
        } catch (Exception failure) {
            return FailureChain.of(failure);
        }
    }

    /** Where a client does not block inside the adapter, its caller waits for a future, whether it has joined or sent. */
    private static boolean waits(Caller<?> caller, Client client) {
        return client.name().startsWith("the JDK")
                ? caller.thread().getState() == Thread.State.WAITING
                : caller.waitsInCore();
    }

    /** A leader, and others that come while it is at the origin, if it gets there. */
    private List<List<String>> outcomes(Client client, Asking asking, URI uri, boolean held) throws Exception {
        Hold hold = held ? origin.hold() : null;
        int before = origin.requests().size();
        List<Caller<List<String>>> all = new ArrayList<>();
        for (int i = 0; i <= FOLLOWERS; i++) {
            Caller<List<String>> caller = callers.start(() -> outcome(asking, uri));
            all.add(caller);
            int sent = before + i;
            while (held
                    && !caller.result().isDone()
                    && !waits(caller, client)
                    && origin.requests().size() <= sent) {
                LockSupport.parkNanos(20_000);
            }
        }
        if (hold != null) {
            origin.holdNoMore();
            hold.release();
        }
        return resultsOf(all);
    }

    @Test
    void H43_aFailureKeepsItsClassAndItsCauses() throws Exception {
        origin.answer(request -> {
            if (request.target().equals("/silent")) {
                try {
                    TimeUnit.DAYS.sleep(1); // until the origin is closed
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
            return reply(request.target());
        });
        List<String> differences = new ArrayList<>();
        try (RefusedAddress refused = new RefusedAddress()) {
            for (Map.Entry<String, URI> failure : failures(refused).entrySet()) {
                for (LeaderFailurePolicy policy : List.of(LeaderFailurePolicy.RE_ELECT, LeaderFailurePolicy.SHARE)) {
                    HttpCollapseOptions http =
                            everything().onLeaderFailure(policy).build();
                    for (Client client : clients(failure.getKey(), http)) {
                        compare(client, failure, policy.name(), differences);
                    }
                }
            }
        }
        assertThat(differences).isEmpty();
    }

    private void compare(Client client, Map.Entry<String, URI> failure, String policy, List<String> differences)
            throws Exception {
        String what = failure.getKey();
        boolean held = !what.endsWith(IN_TIME) && !what.contains("refused") && !what.contains("TLS");
        Set<List<String>> expected = new LinkedHashSet<>();
        expected.add(outcome(client.plain(), failure.getValue()));
        for (Asking collapsing : client.collapsing()) {
            String name = client.name() + " (" + client.collapsing().indexOf(collapsing) + "), " + what + ", " + policy;
            List<String> found = differences(name, client, collapsing, failure.getValue(), held, expected);
            for (int again = 0;
                    again < PLAIN_TRIES && !found.isEmpty();
                    again++) { // on a slow machine, a time may pass earlier
                found = differences(name, client, collapsing, failure.getValue(), held, expected);
            }
            differences.addAll(found);
        }
    }

    private List<String> differences(
            String name, Client client, Asking collapsing, URI uri, boolean held, Set<List<String>> expected)
            throws Exception {
        List<String> differences = new ArrayList<>();
        for (List<String> got : outcomes(client, collapsing, uri, held)) {
            for (int again = 0; again < PLAIN_TRIES && !expected.contains(got); again++) {
                expected.add(outcome(client.plain(), uri));
            }
            if (!expected.contains(got)) {
                differences.add(name + ":\n    " + got + "\n  and not\n    " + expected);
            }
        }
        return differences;
    }
}
