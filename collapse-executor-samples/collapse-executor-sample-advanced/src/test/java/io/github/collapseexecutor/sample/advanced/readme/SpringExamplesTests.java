package io.github.collapseexecutor.sample.advanced.readme;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.DryRun;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.client.CollapseHttpRequestInterceptor;
import io.github.collapseexecutor.http.webflux.CollapseWebFilter;
import io.github.collapseexecutor.spring.boot.CollapseControl;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.TomcatHttpHandlerAdapter;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** The examples for Spring: the documented YAML is bound by an application, and its clients collapse by it. */
class SpringExamplesTests {

    private static final int CALLERS = 20;

    /** On a loaded machine, callers may come so slowly that each starts a call of its own. */
    private static final int ROUNDS = 20;

    @TempDir
    Path folder;

    private final AtomicInteger calls = new AtomicInteger();
    private volatile CountDownLatch allAsked = new CountDownLatch(CALLERS);
    private final ExecutorService serverThreads = Executors.newCachedThreadPool();
    private HttpServer backend;

    @BeforeEach
    void startBackend() throws IOException {
        backend = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), CALLERS);
        backend.setExecutor(serverThreads);
        backend.createContext("/", exchange -> {
            calls.incrementAndGet();
            // No call is answered before every caller has asked, so that there is something to share.
            awaitAll();
            byte[] body = exchange.getRequestURI().toString().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        backend.start();
    }

    @AfterEach
    void stopBackend() {
        backend.stop(0);
        serverThreads.shutdownNow();
    }

    @Test
    void restClientNamedInTheYamlCollapses() throws Exception {
        try (ConfigurableApplicationContext application = start()) {
            RestClient client = application.getBean("userClient", RestClient.class);
            assertThat(callsOf(uri -> get(client, uri), "/user/7")).isLessThan(CALLERS);
        }
    }

    @Test
    void restTemplateWithTheInterceptorCollapses() throws Exception {
        try (ConfigurableApplicationContext application = start()) {
            RestTemplate client = application.getBean(RestTemplate.class);
            assertThat(callsOf(uri -> client.getForObject(uri, String.class), "/user/7"))
                    .isLessThan(CALLERS);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"userWebClient", "webClient", "tokenWebClient"})
    void webClientCollapses(String bean) throws Exception {
        try (ConfigurableApplicationContext application = start()) {
            WebClient client = application.getBean(bean, WebClient.class);
            assertThat(callsOf(uri -> get(client, uri), "/user/7")).isLessThan(CALLERS);
        }
    }

    @Test
    void httpInterfaceCollapsesByItsClient() throws Exception {
        try (ConfigurableApplicationContext application = start()) {
            SpringExamples.UserService users =
                    SpringExamples.httpInterface(application.getBean("webClient", WebClient.class));
            assertThat(callsOf(uri -> users.get(URI.create(uri)).block(), "/user/7"))
                    .isLessThan(CALLERS);
        }
    }

    @Test
    void everyQueryHasAnAnswerOfItsOwn() throws Exception {
        try (ConfigurableApplicationContext application = start()) {
            RestClient client = application.getBean("userClient", RestClient.class);
            AtomicInteger page = new AtomicInteger();
            Function<String, String> pages =
                    uri -> get(client, uri + "?page=" + page.incrementAndGet()).replaceFirst("\\?page=[0-9]+$", "");
            assertThat(callsOfOneRound(pages, "/catalogue/books")).isEqualTo(CALLERS);
        }
    }

    @Test
    void pathOutsideTheGroupsDoesNotCollapse() throws Exception {
        try (ConfigurableApplicationContext application = start()) {
            RestClient client = application.getBean("userClient", RestClient.class);
            assertThat(callsOfOneRound(uri -> get(client, uri), "/article/7")).isEqualTo(CALLERS);
        }
    }

    @Test
    void requestFactoryCollapsesWithoutSpringBoot() throws Exception {
        RestClient client = SpringExamples.withoutSpringBoot();
        assertThat(callsOf(uri -> get(client, uri), "/user/7")).isLessThan(CALLERS);
    }

    @Test
    void clientOfTheJdkCollapsesWithoutSpring() throws Exception {
        HttpClient client = JdkClientExamples.client();
        assertThat(callsOf(uri -> get(client, uri), "/user/7")).isLessThan(CALLERS);
    }

    @Test
    void okHttpCollapsesWithoutSpring() throws Exception {
        OkHttpClient client = OkHttpExamples.client();
        assertThat(callsOf(uri -> get(client, uri), "/user/7")).isLessThan(CALLERS);
    }

    @Test
    void okHttpCollapsesInFrontOfWhatIsDeclaredHarmless() throws Exception {
        OkHttpClient client = OkHttpExamples.clientThatIsTimed(HttpCollapseOptions.forPaths("/user/*"));
        assertThat(callsOf(uri -> get(client, uri), "/user/7")).isLessThan(CALLERS);
    }

    @Test
    void aGroupInDryRunSharesNothing() throws Exception {
        try (ConfigurableApplicationContext application = new SpringApplicationBuilder(SpringExamples.class)
                .web(WebApplicationType.NONE)
                .properties("spring.config.location=classpath:/readme/dry-run.yaml")
                .run()) {
            RestClient client = application.getBean("userClient", RestClient.class);
            assertThat(callsOfOneRound(uri -> get(client, uri), "/user/7")).isEqualTo(CALLERS);
        }
    }

    @Test
    void aDryRunWithoutSpringBootCountsWhatWouldBeShared() throws Exception {
        DryRun users = new DryRun("users");
        RestClient client = RestClient.builder()
                .requestInterceptor(
                        new CollapseHttpRequestInterceptor(DryRunExamples.options(users), CollapseOptions.defaults()))
                .build();
        assertThat(callsOfOneRound(uri -> get(client, uri), "/user/7")).isEqualTo(CALLERS);
        assertThat(users.report().requests()).isEqualTo(CALLERS);
        assertThat(users.report().different()).isZero();
    }

    @Test
    void filterIsRegisteredByTheYaml() {
        try (ConfigurableApplicationContext application = new SpringApplicationBuilder(SpringExamples.class)
                .web(WebApplicationType.SERVLET)
                .properties("server.port=0", "spring.config.location=classpath:/readme/servlet.yaml")
                .run()) {
            assertThat(application
                            .getBean("collapseServletFilterRegistration", FilterRegistrationBean.class)
                            .isEnabled())
                    .isTrue();
        }
    }

    /** Spring Boot 3.5 has no builder of a RestClient for a reactive server. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class ReactiveApplication {}

    @Test
    void webFilterIsConfiguredByTheYaml() {
        try (ConfigurableApplicationContext application = new SpringApplicationBuilder(ReactiveApplication.class)
                .web(WebApplicationType.REACTIVE)
                .properties("server.port=0", "spring.config.location=classpath:/readme/webflux.yaml")
                .run()) {
            assertThat(application.getBeanNamesForType(CollapseWebFilter.class)).hasSize(1);
            assertThat(application.getBean(CollapseControl.class).sections()).contains("webflux");
        }
    }

    @Test
    void webFilterCollapsesWithoutSpringBoot() throws Exception {
        HttpHandler handler = WebFluxExamples.collapsing(exchange -> Mono.fromCallable(() -> {
                    calls.incrementAndGet();
                    awaitAll();
                    return true;
                })
                .subscribeOn(Schedulers.boundedElastic())
                .then(Mono.defer(() -> {
                    byte[] path = exchange.getRequest().getURI().getPath().getBytes(StandardCharsets.UTF_8);
                    DataBuffer body = exchange.getResponse().bufferFactory().wrap(path);
                    return exchange.getResponse().writeWith(Mono.just(body));
                })));
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(folder.toString());
        tomcat.setPort(0);
        Context context = tomcat.addContext("", null);
        Tomcat.addServlet(context, "users", new TomcatHttpHandlerAdapter(handler))
                .setAsyncSupported(true);
        context.addServletMappingDecoded("/", "users");
        tomcat.start();
        try {
            RestClient client = RestClient.create(new RestTemplate(new SimpleClientHttpRequestFactory()));
            String server = "http://localhost:" + tomcat.getConnector().getLocalPort();
            assertThat(callsOf(uri -> get(client, server + "/user/7"), "/user/7"))
                    .isLessThan(CALLERS);
        } finally {
            tomcat.stop();
            tomcat.destroy();
        }
    }

    @Test
    void filterCollapsesWithoutSpring() throws Exception {
        HttpCollapseOptions options = HttpCollapseOptions.forPaths("/user/*");
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(folder.toString());
        tomcat.setPort(0);
        Context context = tomcat.addContext("", null);
        context.addServletContainerInitializer(
                (classes, servletContext) -> ServletExamples.register(servletContext, options), Set.of());
        Tomcat.addServlet(context, "users", new HttpServlet() {
                    private static final long serialVersionUID = 1L;

                    @Override
                    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
                        calls.incrementAndGet();
                        awaitAll();
                        response.getWriter().write(request.getRequestURI());
                    }
                })
                .setAsyncSupported(true);
        context.addServletMappingDecoded("/", "users");
        tomcat.start();
        try {
            // Java's own client asks for an upgrade to HTTP/2, and who does that is not collapsed
            RestClient client = RestClient.create(new RestTemplate(new SimpleClientHttpRequestFactory()));
            String server = "http://localhost:" + tomcat.getConnector().getLocalPort();
            assertThat(callsOf(uri -> get(client, server + "/user/7"), "/user/7"))
                    .isLessThan(CALLERS);
        } finally {
            tomcat.stop();
            tomcat.destroy();
        }
    }

    private static String get(OkHttpClient client, String uri) {
        Request request = new Request.Builder().url(uri).build();
        try (Response response = client.newCall(request).execute()) {
            return response.body().string();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String get(HttpClient client, String uri) {
        try {
            return client.send(HttpRequest.newBuilder(URI.create(uri)).build(), BodyHandlers.ofString())
                    .body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError("Nobody interrupts a caller", e);
        }
    }

    private static ConfigurableApplicationContext start() {
        return new SpringApplicationBuilder(SpringExamples.class)
                .web(WebApplicationType.NONE)
                .properties(
                        "spring.config.location=classpath:/readme/application.yaml,classpath:/readme/web-client.yaml")
                .run();
    }

    /**
     * All callers ask for the same, and each must get it; returns how many calls reached the backend in the first round in which callers shared
     * a call, or in the last.
     */
    private int callsOf(Function<String, String> client, String path) throws Exception {
        int made = callsOfOneRound(client, path);
        for (int round = 1; round < ROUNDS && made == CALLERS; round++) {
            made = callsOfOneRound(client, path);
        }
        return made;
    }

    private int callsOfOneRound(Function<String, String> client, String path) throws Exception {
        int before = calls.get();
        allAsked = new CountDownLatch(CALLERS);
        String uri = "http://localhost:" + backend.getAddress().getPort() + path;
        List<FutureTask<String>> callers = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            FutureTask<String> caller = new FutureTask<>(() -> {
                allAsked.countDown();
                return client.apply(uri);
            });
            callers.add(caller);
            new Thread(caller, "caller " + i).start();
        }
        for (FutureTask<String> caller : callers) {
            assertThat(caller.get()).isEqualTo(path);
        }
        return calls.get() - before;
    }

    private static String get(RestClient client, String uri) {
        return String.valueOf(client.get().uri(uri).retrieve().body(String.class));
    }

    private static String get(WebClient client, String uri) {
        return String.valueOf(
                client.get().uri(uri).retrieve().bodyToMono(String.class).block());
    }

    private void awaitAll() throws IOException {
        try {
            allAsked.await();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }
}
