package io.github.collapseexecutor.spring.boot;

import feign.Capability;
import feign.Feign;
import feign.Param;
import feign.RequestLine;
import feign.Target;
import io.github.collapseexecutor.core.BlockingCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.client.CollapseClientHttpRequestFactory;
import io.github.collapseexecutor.http.client.CollapseHttpRequestInterceptor;
import io.github.collapseexecutor.http.feign.CollapseFeignCapability;
import io.github.collapseexecutor.http.hc5.CollapseExecChainHandler;
import io.github.collapseexecutor.http.jdk.CollapseHttpClient;
import io.github.collapseexecutor.http.okhttp.CollapseOkHttpInterceptor;
import io.github.collapseexecutor.http.reactive.CollapseExchangeFilterFunction;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Objects;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.impl.ChainElement;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.client.support.RestClientAdapter;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.invoker.HttpServiceProxyFactory;

/** The clients of {@link AheadOfTimeApplication}, a bean for each entry point of the library. */
@Configuration(proxyBeanMethods = false)
class AheadOfTimeClients {

    private static final HttpCollapseOptions HTTP = HttpCollapseOptions.forPaths("/user/*");

    /** As the properties say it for the clients of Spring: three callers are one batch, which starts when the last has come. */
    private static final CollapseOptions THREE = CollapseOptions.builder()
            .waitThreshold(3)
            .collectingWaitTime(Duration.ofMinutes(10))
            .build();

    /** Asks a server for its first user. */
    interface Client {
        String get(String server) throws Exception;
    }

    /** An interface of Spring's. */
    interface UserService {
        @GetExchange
        String find(URI address);
    }

    /** An interface of Feign's. */
    interface Users {
        @RequestLine("GET /user/{id}")
        String find(URI server, @Param("id") long id);
    }

    private static String text(@Nullable String body) {
        return Objects.requireNonNull(body);
    }

    private static String ask(RestClient client, String server) {
        return text(client.get().uri(server + "/user/1").retrieve().body(String.class));
    }

    private static String ask(WebClient client, String server) {
        return text(client.get()
                .uri(server + "/user/1")
                .retrieve()
                .bodyToMono(String.class)
                .block(Duration.ofSeconds(30)));
    }

    @Bean
    Client ofRestTemplate(RestTemplate client) {
        return server -> text(client.getForObject(server + "/user/1", String.class));
    }

    @Bean
    RestClient restClient() {
        return RestClient.create();
    }

    @Bean
    Client ofRestClient(RestClient client) {
        return server -> ask(client, server);
    }

    @Bean
    Client ofBuilder(@Qualifier("builder") RestClient.Builder builder) {
        RestClient client = builder.build();
        return server -> ask(client, server);
    }

    @Bean
    Client ofInterceptor(CollapseHttpRequestInterceptor collapsing) {
        RestClient client = RestClient.builder().requestInterceptor(collapsing).build();
        return server -> ask(client, server);
    }

    @Bean
    Client ofRequestFactory() {
        RestClient client = RestClient.builder()
                .requestFactory(new CollapseClientHttpRequestFactory(new JdkClientHttpRequestFactory(), HTTP, THREE))
                .build();
        return server -> ask(client, server);
    }

    @Bean
    WebClient webClient() {
        return WebClient.create();
    }

    @Bean
    Client ofWebClient(@Qualifier("webClient") WebClient client) {
        return server -> ask(client, server);
    }

    @Bean
    Client ofFilter(CollapseExchangeFilterFunction collapsing) {
        WebClient client = WebClient.builder().filter(collapsing).build();
        return server -> ask(client, server);
    }

    @Bean
    Client ofHttpInterface(CollapseHttpRequestInterceptor collapsing) {
        RestClient client = RestClient.builder().requestInterceptor(collapsing).build();
        UserService users = HttpServiceProxyFactory.builderFor(RestClientAdapter.create(client))
                .build()
                .createClient(UserService.class);
        return server -> users.find(URI.create(server + "/user/1"));
    }

    @Bean
    HttpClient jdkClient() {
        return new CollapseHttpClient(HttpClient.newHttpClient(), HTTP, THREE);
    }

    @Bean
    Client ofJdkClient(HttpClient client) {
        return server -> client.send(
                        HttpRequest.newBuilder(URI.create(server + "/user/1")).build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
    }

    @Bean
    OkHttpClient okHttp() {
        return new OkHttpClient.Builder()
                .addInterceptor(new CollapseOkHttpInterceptor(HTTP, THREE))
                .build();
    }

    @Bean
    Client ofOkHttp(OkHttpClient client) {
        return server -> client.newCall(
                        new Request.Builder().url(server + "/user/1").build())
                .execute()
                .body()
                .string();
    }

    @Bean
    CloseableHttpClient apache() {
        return HttpClients.custom()
                .addExecInterceptorBefore(
                        ChainElement.CONNECT.name(), "collapse", new CollapseExecChainHandler(HTTP, THREE))
                .build();
    }

    @Bean
    Client ofApache(CloseableHttpClient client) {
        return server ->
                client.execute(new HttpGet(server + "/user/1"), response -> EntityUtils.toString(response.getEntity()));
    }

    @Bean
    Capability capability() {
        return new CollapseFeignCapability(HTTP, THREE);
    }

    @Bean
    Client ofFeign(Capability capability) {
        Users users = Feign.builder().addCapability(capability).target(Target.EmptyTarget.create(Users.class));
        return server -> users.find(URI.create(server), 1);
    }

    @Bean
    Client ofNamedExecutor(@Qualifier("prices") BlockingCallableGroupCollapseExecutor executor) {
        RestClient client = RestClient.create();
        return server -> executor.execute("user 1", () -> ask(client, server));
    }
}
