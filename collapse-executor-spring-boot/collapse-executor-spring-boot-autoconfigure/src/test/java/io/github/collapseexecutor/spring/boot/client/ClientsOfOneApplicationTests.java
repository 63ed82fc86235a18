package io.github.collapseexecutor.spring.boot.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.OriginReply;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin;
import io.github.collapseexecutor.http.okhttp.CollapseOkHttpInterceptor;
import io.github.collapseexecutor.spring.boot.fixture.TestApplication;
import java.io.IOException;
import java.net.CookieManager;
import java.net.HttpCookie;
import java.net.URI;
import java.net.http.HttpClient;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import okhttp3.Cookie;
import okhttp3.CookieJar;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.http.client.reactive.JdkClientHttpConnector;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * One application with two clients of each library, configured as the README says. The two differ only in a cookie store, of which
 * nothing above the client knows.
 */
class ClientsOfOneApplicationTests {

    private static final int ROUNDS = Integer.getInteger("http.rounds", 20);
    private static final int CALLERS_OF_EACH = 4;

    private static final String YAML = """
            collapse:
              executor:
                rest-template:
                  apply-bean-names: annRestClient, bobRestClient
                  collapse-groups:
                    - uris: /user/*
                web-client:
                  apply-bean-names: annWebClient, bobWebClient
                  collapse-groups:
                    - uris: /user/*
            """;

    @Configuration(proxyBeanMethods = false)
    static class Clients {

        @Bean
        RestClient annRestClient() {
            return restClient("ann");
        }

        @Bean
        RestClient bobRestClient() {
            return restClient("bob");
        }

        @Bean
        WebClient annWebClient() {
            return webClient("ann");
        }

        @Bean
        WebClient bobWebClient() {
            return webClient("bob");
        }

        @Bean
        OkHttpClient annOkHttp() {
            return okHttp("ann");
        }

        @Bean
        OkHttpClient bobOkHttp() {
            return okHttp("bob");
        }

        private static RestClient restClient(String user) {
            return RestClient.builder()
                    .requestFactory(new JdkClientHttpRequestFactory(httpClient(user)))
                    .build();
        }

        private static WebClient webClient(String user) {
            return WebClient.builder()
                    .clientConnector(new JdkClientHttpConnector(httpClient(user)))
                    .build();
        }

        private static HttpClient httpClient(String user) {
            CookieManager cookies = new CookieManager();
            HttpCookie cookie = new HttpCookie("user", user);
            cookie.setPath("/");
            cookie.setVersion(0);
            cookies.getCookieStore().add(URI.create("http://127.0.0.1/"), cookie);
            return HttpClient.newBuilder().cookieHandler(cookies).build();
        }

        private static OkHttpClient okHttp(String user) {
            return new OkHttpClient.Builder()
                    .cookieJar(new CookieJar() {
                        @Override
                        public void saveFromResponse(HttpUrl url, List<Cookie> cookies) {
                            // it keeps what it has
                        }

                        @Override
                        public List<Cookie> loadForRequest(HttpUrl url) {
                            return List.of(new Cookie.Builder()
                                    .domain(url.host())
                                    .name("user")
                                    .value(user)
                                    .build());
                        }
                    })
                    .addInterceptor(new CollapseOkHttpInterceptor(HttpCollapseOptions.builder()
                            .rules(List.of(CollapseRule.of(CollapsePolicy.strict(), "/user/*")))
                            .build()))
                    .build();
        }
    }

    @Test
    void H35_everyCallerGetsTheAnswerOfItsOwnClient() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        try (ScriptedOrigin origin = ScriptedOrigin.start();
                ConfigurableApplicationContext context =
                        new TestApplication().with(Clients.class).start(YAML)) {
            origin.forgetRequests();
            origin.answer(request -> {
                calls.incrementAndGet();
                return OriginReply.ok(String.valueOf(request.header("Cookie")));
            });
            URI uri = origin.uri("/user/7");
            List<Callable<String>> callers = new ArrayList<>();
            List<String> expected = new ArrayList<>();
            for (String user : List.of("ann", "bob")) {
                for (Callable<String> client : clientsOf(context, user, uri)) {
                    for (int i = 0; i < CALLERS_OF_EACH; i++) {
                        callers.add(client);
                        expected.add("user=" + user);
                    }
                }
            }
            for (int round = 0; round < ROUNDS; round++) {
                assertThat(answers(callers)).isEqualTo(expected);
            }
            assertThat(calls.get()).as("callers of one client share calls").isLessThan(ROUNDS * callers.size());
        }
    }

    private static List<Callable<String>> clientsOf(ApplicationContext context, String user, URI uri) {
        RestClient restClient = context.getBean(user + "RestClient", RestClient.class);
        WebClient webClient = context.getBean(user + "WebClient", WebClient.class);
        OkHttpClient okHttp = context.getBean(user + "OkHttp", OkHttpClient.class);
        return List.of(
                () -> unquoted(restClient.get().uri(uri).retrieve().body(String.class)),
                () -> unquoted(webClient
                        .get()
                        .uri(uri)
                        .retrieve()
                        .bodyToMono(String.class)
                        .block()),
                () -> call(okHttp, uri));
    }

    private static String call(OkHttpClient client, URI uri) throws IOException {
        Request request = new Request.Builder().url(uri.toString()).build();
        try (Response response = client.newCall(request).execute()) {
            return unquoted(response.body().string());
        }
    }

    private static String unquoted(String cookie) {
        return cookie.replace("\"", "");
    }

    private static List<String> answers(List<Callable<String>> callers) throws Exception {
        CyclicBarrier together = new CyclicBarrier(callers.size());
        ExecutorService threads = Executors.newFixedThreadPool(callers.size());
        try {
            List<Future<String>> answers = new ArrayList<>();
            for (Callable<String> caller : callers) {
                answers.add(threads.submit(() -> {
                    together.await(30, TimeUnit.SECONDS);
                    return caller.call();
                }));
            }
            List<String> all = new ArrayList<>();
            for (Future<String> answer : answers) {
                all.add(answer.get(30, TimeUnit.SECONDS));
            }
            return all;
        } finally {
            threads.shutdownNow();
        }
    }
}
