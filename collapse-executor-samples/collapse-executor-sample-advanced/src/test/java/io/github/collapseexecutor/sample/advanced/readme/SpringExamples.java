package io.github.collapseexecutor.sample.advanced.readme;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.client.CollapseClientHttpRequestFactory;
import io.github.collapseexecutor.http.client.CollapseHttpRequestInterceptor;
import io.github.collapseexecutor.http.reactive.CollapseExchangeFilterFunction;
import java.net.URI;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.client.RestTemplateBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.http.client.reactive.JdkClientHttpConnector;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.support.WebClientAdapter;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.invoker.HttpServiceProxyFactory;
import reactor.core.publisher.Mono;

/** The application that the documentation's YAML is for. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(Clients.class)
class SpringExamples {

    // readme:begin rest-template
    @Bean
    RestTemplate restTemplate(RestTemplateBuilder builder, CollapseHttpRequestInterceptor collapsing) {
        return builder.additionalInterceptors(collapsing).build();
    }
    // readme:end

    // readme:begin web-client-named
    @Bean
    WebClient userWebClient(WebClient.Builder builder) {
        return builder.build();
    }
    // readme:end

    // readme:begin web-client
    @Bean
    WebClient webClient(WebClient.Builder builder, CollapseExchangeFilterFunction collapsing) {
        return builder.filter(collapsing).build();
    }
    // readme:end

    static WebClient webClientWithoutSpringBoot() {
        // readme:begin web-client-without-boot
        HttpCollapseOptions http = HttpCollapseOptions.forPaths("/user/*");
        CollapseExchangeFilterFunction collapsing =
                new CollapseExchangeFilterFunction(http, CollapseOptions.defaults());
        WebClient client = WebClient.builder().filter(collapsing).build();
        // readme:end
        return client;
    }

    // readme:begin web-client-connector
    @Bean
    WebClient tokenWebClient(CollapseExchangeFilterFunction collapsing, ExchangeFilterFunction addsToken) {
        return WebClient.builder()
                .clientConnector(collapsing.around(new JdkClientHttpConnector()))
                .filter(addsToken)
                .build();
    }
    // readme:end

    @Bean
    static ExchangeFilterFunction addsToken() {
        return (request, next) -> next.exchange(ClientRequest.from(request)
                .headers(headers -> headers.setBearerAuth("token"))
                .build());
    }

    static RestClient withoutSpringBoot() {
        // readme:begin without-spring-boot
        HttpCollapseOptions http = HttpCollapseOptions.forPaths("/user/*");
        RestClient client = RestClient.builder()
                .requestFactory(new CollapseClientHttpRequestFactory(
                        new JdkClientHttpRequestFactory(), http, CollapseOptions.defaults()))
                .build();
        // readme:end
        return client;
    }

    static UserService httpInterface(WebClient client) {
        // readme:begin http-interface
        UserService users = HttpServiceProxyFactory.builderFor(WebClientAdapter.create(client))
                .build()
                .createClient(UserService.class);
        // readme:end
        return users;
    }

    /** An HTTP interface. */
    interface UserService {

        @GetExchange
        Mono<String> get(URI address);
    }
}
