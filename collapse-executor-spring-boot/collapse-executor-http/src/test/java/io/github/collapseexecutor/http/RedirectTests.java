package io.github.collapseexecutor.http;

import static org.assertj.core.api.Assertions.assertThat;

import feign.DefaultClient;
import feign.Request;
import feign.Response;
import io.github.collapseexecutor.http.client.CollapseClientHttpRequestFactory;
import io.github.collapseexecutor.http.client.CollapseHttpRequestInterceptor;
import io.github.collapseexecutor.http.feign.CollapseFeignClient;
import io.github.collapseexecutor.http.fixture.Callers.Caller;
import io.github.collapseexecutor.http.fixture.OriginFixture;
import io.github.collapseexecutor.http.fixture.OriginReply;
import io.github.collapseexecutor.http.fixture.OriginRequest;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin.Hold;
import io.github.collapseexecutor.http.fixture.Warnings;
import io.github.collapseexecutor.http.hc5.CollapseExecChainHandler;
import io.github.collapseexecutor.http.jdk.CollapseHttpClient;
import io.github.collapseexecutor.http.okhttp.CollapseOkHttpInterceptor;
import io.github.collapseexecutor.http.reactive.CollapseClientHttpConnector;
import io.github.collapseexecutor.http.reactive.CollapseExchangeFilterFunction;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.impl.ChainElement;
import org.apache.hc.client5.http.impl.async.HttpAsyncClients;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpHeaders;
import org.springframework.http.client.BufferingClientHttpRequestFactory;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.HttpComponentsClientHttpRequestFactory;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.http.client.JettyClientHttpRequestFactory;
import org.springframework.http.client.ReactorClientHttpRequestFactory;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.http.client.reactive.ClientHttpConnector;
import org.springframework.http.client.reactive.HttpComponentsClientHttpConnector;
import org.springframework.http.client.reactive.JdkClientHttpConnector;
import org.springframework.http.client.reactive.JettyClientHttpConnector;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * H42: every adapter over every transport, which follows redirects or not, and every kind of redirect. An origin gives each caller a ticket by a
 * redirect, and answers the ticket by what anybody may have. Two callers get the same ticket where the redirect may be shared and the
 * transport shows it; where it may not, each gets its own, as without collapsing.
 */
class RedirectTests extends OriginFixture {

    private static final boolean EVERY_SETTING = Boolean.getBoolean("http.every.setting");

    /** What a transport shows of the redirects that it follows. */
    private enum Shows {
        HEADS,
        THAT_THERE_WAS_ONE,
        NOTHING
    }

    /** Asks for an address, on behalf of a caller; blocking or not. */
    @FunctionalInterface
    private interface Asking {
        CompletableFuture<String> ask(URI uri, Map<String, String> headers);
    }

    @FunctionalInterface
    private interface Blocking {
        String ask(URI uri, Map<String, String> headers) throws Exception;
    }

    private record Client(String name, Shows shows, boolean isBlocking, Asking plain, Asking collapsing) {}

    private record Redirect(int status, Map<String, String> headers, boolean elsewhere, boolean credentials) {

        /** Whether a redirect may be shared, said once more without the rules. */
        boolean isForEverybody() {
            boolean isFresh = headers.getOrDefault("Cache-Control", "").contains("max-age=60");
            String control = headers.getOrDefault("Cache-Control", "");
            return (status == 301 || status == 308 || isFresh)
                    && !headers.containsKey("Set-Cookie")
                    && !control.contains("no-store")
                    && !control.contains("no-cache")
                    && (credentials || !control.contains("private"));
        }
    }

    // mutable, confined to the test
    private final List<Client> clients = new ArrayList<>();
    private final List<AutoCloseable> open = new ArrayList<>();
    private int cases;

    private static List<Map<String, String>> headersOfRedirects() {
        return List.of(
                Map.of(),
                Map.of("Cache-Control", "private"),
                Map.of("Cache-Control", "no-store"),
                Map.of("Cache-Control", "no-cache, max-age=60"),
                Map.of("Cache-Control", "max-age=60"),
                Map.of("Cache-Control", "max-age=60, private"),
                Map.of("Cache-Control", "max-age=60", "Set-Cookie", "ticket=1"));
    }

    private Asking blocking(Blocking blocking) {
        return (uri, headers) -> {
            int before = origin.requests().size();
            Caller<String> caller = callers.start(() -> blocking.ask(uri, headers));
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            while (!caller.result().isDone()
                    && !caller.waitsInCore()
                    && origin.requests().size() == before) {
                assertThat(System.nanoTime()).as("the caller asks").isLessThan(deadline);
                LockSupport.parkNanos(20_000);
            }
            return caller.result();
        };
    }

    private void add(String name, boolean follows, Shows shows, Blocking plain, Blocking collapsing) {
        clients.add(
                new Client(name + (follows ? ", following" : ""), shows, true, blocking(plain), blocking(collapsing)));
    }

    private static String answer(int status, String location, String body) {
        return status + " " + location + " " + body;
    }

    // Spring's blocking clients

    private static Blocking asking(RestClient client) {
        return (uri, headers) -> Objects.requireNonNull(client.get()
                .uri(uri)
                .headers(all -> headers.forEach(all::add))
                .exchange((request, response) -> answer(
                        response.getStatusCode().value(),
                        String.valueOf(response.getHeaders().getFirst(HttpHeaders.LOCATION)),
                        new String(response.getBody().readAllBytes(), StandardCharsets.UTF_8))));
    }

    private void addRestClients(String name, boolean follows, Shows shows, ClientHttpRequestFactory transport) {
        HttpCollapseOptions http = everything().build();
        RestClient.Builder plain = RestClient.builder().requestFactory(transport);
        add(
                "RestClient by its interceptor over " + name,
                follows,
                shows == Shows.THAT_THERE_WAS_ONE && name.startsWith("Apache") ? Shows.NOTHING : shows,
                asking(plain.build()),
                asking(plain.clone()
                        .requestInterceptor(new CollapseHttpRequestInterceptor(http, IN_FLIGHT))
                        .build()));
        add(
                "RestClient by its request factory over " + name,
                follows,
                shows,
                asking(plain.build()),
                asking(plain.clone()
                        .requestFactory(new CollapseClientHttpRequestFactory(transport, http, IN_FLIGHT))
                        .build()));
    }

    private static SimpleClientHttpRequestFactory urlConnection(boolean follows) {
        return new SimpleClientHttpRequestFactory() {
            @Override
            protected void prepareConnection(HttpURLConnection connection, String method) throws IOException {
                super.prepareConnection(connection, method);
                connection.setInstanceFollowRedirects(follows);
            }
        };
    }

    private static HttpClient jdk(boolean follows) {
        return HttpClient.newBuilder()
                .followRedirects(follows ? HttpClient.Redirect.ALWAYS : HttpClient.Redirect.NEVER)
                .build();
    }

    private <C extends AutoCloseable> C opened(C client) {
        open.add(client);
        return client;
    }

    private static HttpClientBuilder apache(boolean follows) {
        HttpClientBuilder builder = HttpClients.custom().disableCookieManagement();
        return follows ? builder : builder.disableRedirectHandling();
    }

    private org.eclipse.jetty.client.HttpClient jetty(boolean follows) throws Exception {
        org.eclipse.jetty.client.HttpClient jetty = new org.eclipse.jetty.client.HttpClient();
        jetty.setFollowRedirects(follows);
        jetty.setHttpCookieStore(new org.eclipse.jetty.http.HttpCookieStore.Empty());
        jetty.start();
        opened(jetty::stop);
        return jetty;
    }

    private static reactor.netty.http.client.HttpClient netty(boolean follows) {
        return reactor.netty.http.client.HttpClient.create().followRedirect(follows);
    }

    private void addRestClients(boolean follows) throws Exception {
        addRestClients("HttpURLConnection", follows, Shows.THAT_THERE_WAS_ONE, urlConnection(follows));
        addRestClients(
                "a buffered HttpURLConnection",
                follows,
                Shows.THAT_THERE_WAS_ONE,
                new BufferingClientHttpRequestFactory(urlConnection(follows)));
        addRestClients("the JDK's client", follows, Shows.HEADS, new JdkClientHttpRequestFactory(jdk(follows)));
        addRestClients(
                "Apache's client",
                follows,
                Shows.THAT_THERE_WAS_ONE,
                new HttpComponentsClientHttpRequestFactory(
                        opened(apache(follows).build())));
        addRestClients("Jetty's client", follows, Shows.HEADS, new JettyClientHttpRequestFactory(jetty(follows)));
        addRestClients(
                "Reactor Netty",
                follows,
                Shows.THAT_THERE_WAS_ONE,
                new ReactorClientHttpRequestFactory(netty(follows)));
    }

    // Spring's reactive client

    private static Asking asking(WebClient client) {
        return (uri, headers) -> client.get()
                .uri(uri)
                .headers(all -> headers.forEach(all::add))
                .exchangeToMono(response -> response.bodyToMono(String.class)
                        .defaultIfEmpty("")
                        .map(body -> answer(
                                response.statusCode().value(),
                                String.valueOf(
                                        response.headers().asHttpHeaders().getFirst(HttpHeaders.LOCATION)),
                                body)))
                .toFuture();
    }

    private void addWebClients(String name, boolean follows, Shows shows, ClientHttpConnector transport) {
        HttpCollapseOptions http = everything().build();
        WebClient.Builder plain = WebClient.builder().clientConnector(transport);
        String over = " over " + name + (follows ? ", following" : "");
        clients.add(new Client(
                "WebClient by its filter" + over,
                shows,
                false,
                asking(plain.build()),
                asking(plain.clone()
                        .filter(new CollapseExchangeFilterFunction(http, IN_FLIGHT))
                        .build())));
        clients.add(new Client(
                "WebClient by its connector" + over,
                shows,
                false,
                asking(plain.build()),
                asking(plain.clone()
                        .clientConnector(new CollapseClientHttpConnector(transport, http, IN_FLIGHT))
                        .build())));
    }

    private void addWebClients(boolean follows) throws Exception {
        addWebClients(
                "Reactor Netty", follows, Shows.THAT_THERE_WAS_ONE, new ReactorClientHttpConnector(netty(follows)));
        addWebClients("the JDK's client", follows, Shows.NOTHING, new JdkClientHttpConnector(jdk(follows)));
        addWebClients("Jetty's client", follows, Shows.HEADS, new JettyClientHttpConnector(jetty(follows)));
        var apache = HttpAsyncClients.custom().disableCookieManagement();
        addWebClients(
                "Apache's client",
                follows,
                Shows.THAT_THERE_WAS_ONE,
                opened(new HttpComponentsClientHttpConnector(
                        follows
                                ? apache.build()
                                : apache.disableRedirectHandling().build())));
    }

    // clients without Spring

    private static Asking asking(HttpClient client) {
        return (uri, headers) -> {
            HttpRequest.Builder request = HttpRequest.newBuilder(uri);
            headers.forEach(request::header);
            return client.sendAsync(request.build(), BodyHandlers.ofString())
                    .thenApply(response -> answer(
                            response.statusCode(),
                            response.headers().firstValue("Location").orElse("null"),
                            response.body()));
        };
    }

    private static Blocking asking(CloseableHttpClient client) {
        return (uri, headers) -> {
            HttpGet request = new HttpGet(uri);
            headers.forEach(request::addHeader);
            return client.execute(request, response -> {
                var location = response.getFirstHeader("Location");
                return answer(
                        response.getCode(),
                        location == null ? "null" : location.getValue(),
                        EntityUtils.toString(response.getEntity()));
            });
        };
    }

    private static Blocking asking(okhttp3.OkHttpClient client) {
        return (uri, headers) -> {
            okhttp3.Request.Builder request = new okhttp3.Request.Builder().url(uri.toString());
            headers.forEach(request::header);
            try (okhttp3.Response response = client.newCall(request.build()).execute()) {
                return answer(
                        response.code(),
                        String.valueOf(response.header("Location")),
                        response.body().string());
            }
        };
    }

    private static Blocking asking(feign.Client client, boolean follows) {
        Request.Options options = new Request.Options(10, TimeUnit.SECONDS, 60, TimeUnit.SECONDS, follows);
        return (uri, headers) -> {
            Map<String, Collection<String>> sent = new LinkedHashMap<>();
            headers.forEach((name, value) -> sent.put(name, List.of(value)));
            Request request =
                    Request.create(Request.HttpMethod.GET, uri.toString(), sent, null, StandardCharsets.UTF_8, null);
            try (Response response = client.execute(request, options)) {
                Collection<String> location = response.headers().getOrDefault("Location", List.of());
                String body = response.body() == null
                        ? ""
                        : new String(response.body().asInputStream().readAllBytes(), StandardCharsets.UTF_8);
                return answer(
                        response.status(),
                        location.isEmpty() ? "null" : location.iterator().next(),
                        body);
            }
        };
    }

    private void addOthers(boolean follows) {
        HttpCollapseOptions http = everything().build();
        HttpClient jdk = jdk(follows);
        clients.add(new Client(
                "the JDK's client" + (follows ? ", following" : ""),
                Shows.HEADS,
                false,
                asking(jdk),
                asking(new CollapseHttpClient(jdk, http, IN_FLIGHT))));
        add(
                "Apache's client",
                follows,
                Shows.HEADS,
                asking(opened(apache(follows).build())),
                asking(opened(apache(follows)
                        .addExecInterceptorBefore(
                                ChainElement.CONNECT.name(), "collapse", new CollapseExecChainHandler(http, IN_FLIGHT))
                        .build())));
        okhttp3.OkHttpClient okHttp =
                new okhttp3.OkHttpClient.Builder().followRedirects(follows).build();
        add(
                "OkHttp",
                follows,
                Shows.HEADS,
                asking(okHttp),
                asking(okHttp.newBuilder()
                        .addInterceptor(new CollapseOkHttpInterceptor(http, IN_FLIGHT))
                        .build()));
        feign.Client feign = new DefaultClient(null, null);
        add(
                "Feign",
                follows,
                Shows.NOTHING,
                asking(feign, follows),
                asking(new CollapseFeignClient(feign, http, IN_FLIGHT), follows));
    }

    // what is asked, and how it is answered

    private OriginReply reply(OriginRequest request, Redirect redirect) {
        if (request.target().contains("ticket")) {
            return OriginReply.ok(request.query());
        }
        String to = "/ticket?" + request.target().substring(1) + "." + request.header("X-Request-Id");
        OriginReply reply = OriginReply.status(redirect.status(), "Elsewhere", "")
                .with(
                        "Location",
                        origin.uri(redirect.elsewhere() ? "localhost" : "127.0.0.1", to)
                                .toString());
        for (Map.Entry<String, String> header : redirect.headers().entrySet()) {
            reply = reply.with(header.getKey(), header.getValue());
        }
        return reply;
    }

    private static Map<String, String> headersOf(String caller, Redirect redirect) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("X-Request-Id", caller);
        if (redirect.credentials()) {
            headers.put("Authorization", "Bearer 1");
        }
        return headers;
    }

    private static String got(CompletableFuture<String> answer) throws Exception {
        return answer.get(30, TimeUnit.SECONDS);
    }

    /** Returns what is wrong, or an empty text. */
    private String tried(Client client, Redirect redirect) throws Exception {
        URI uri = origin.uri("/" + cases++);
        origin.answer(request -> reply(request, redirect));
        String own = got(client.plain().ask(uri, headersOf("two", redirect)));
        Hold hold = origin.hold();
        CompletableFuture<String> leader = client.collapsing().ask(uri, headersOf("one", redirect));
        hold.await(1);
        CompletableFuture<String> follower = client.collapsing().ask(uri, headersOf("two", redirect));
        origin.holdNoMore();
        hold.release();
        String leaders = got(leader);
        String followers = got(follower);
        boolean isFollowed = own.startsWith("200");
        boolean isShared = switch (isFollowed ? client.shows() : Shows.HEADS) {
            case HEADS -> redirect.isForEverybody();
            case THAT_THERE_WAS_ONE -> false;
            case NOTHING -> !redirect.credentials();
        };
        // a transport that shows nothing is not known to follow none, unless a setting says so
        boolean mayBeAlone = !isFollowed && client.shows() == Shows.NOTHING && redirect.credentials();
        String leadersOwn = own.replace(".two", ".one");
        boolean isRight = leaders.equals(leadersOwn)
                && (followers.equals(isShared ? leadersOwn : own) || (mayBeAlone && followers.equals(own)));
        return isRight
                ? ""
                : "\n" + client.name() + ": " + redirect + (isShared ? " is shared" : " is not shared") + "\n  leader "
                        + leaders + "\n  follower " + followers + "\n  without " + own;
    }

    @Test
    void H42_aResponseIsSharedOnlyIfEachRedirectThatLedToItMayBe() throws Exception {
        List<Boolean> either = List.of(true, false);
        for (boolean follows : either) {
            addRestClients(follows);
            addWebClients(follows);
            addOthers(follows);
        }
        List<String> wrong = new ArrayList<>();
        try (Warnings warnings = new Warnings()) {
            int index = 0;
            for (Client client : clients) {
                for (int status : EVERY_SETTING ? List.of(301, 302, 303, 307, 308) : List.of(302, 308)) {
                    for (Map<String, String> headers : headersOfRedirects()) {
                        index++;
                        for (boolean elsewhere : either) {
                            for (boolean credentials : either) {
                                int combination = (elsewhere ? 1 : 0) + (credentials ? 2 : 0);
                                boolean isDue = index % 8 == combination;
                                if (EVERY_SETTING || isDue) {
                                    String told = tried(client, new Redirect(status, headers, elsewhere, credentials));
                                    if (!told.isEmpty()) {
                                        wrong.add(told);
                                    }
                                }
                            }
                        }
                    }
                }
            }
            assertThat(wrong).isEmpty();
            assertThat(warnings.messages())
                    .anyMatch(message -> message.contains("followRedirects of Feign"))
                    .anyMatch(message -> message.contains("followRedirects(NEVER)"))
                    .anyMatch(message -> message.contains("CollapseClientHttpRequestFactory"));
        } finally {
            for (AutoCloseable client : open) {
                client.close();
            }
        }
    }
}
