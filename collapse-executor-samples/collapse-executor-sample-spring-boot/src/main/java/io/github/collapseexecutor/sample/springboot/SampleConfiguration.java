package io.github.collapseexecutor.sample.springboot;

import io.github.collapseexecutor.http.client.CollapseHttpRequestInterceptor;
import io.github.collapseexecutor.http.reactive.CollapseExchangeFilterFunction;
import org.springframework.boot.web.client.RestTemplateBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.reactive.function.client.WebClient;

/** The HTTP clients: the same ones with and without collapsing. */
@Configuration
public class SampleConfiguration {

    /** Collapses because the interceptor was added by hand. */
    @Bean
    public RestTemplate restTemplate(CollapseHttpRequestInterceptor collapseHttpRequestInterceptor) {
        return new RestTemplateBuilder()
                .interceptors(collapseHttpRequestInterceptor)
                .build();
    }

    /** Collapses because the filter was added by hand. */
    @Bean
    public WebClient webClient(CollapseExchangeFilterFunction exchangeFilterFunction) {
        return WebClient.builder().filter(exchangeFilterFunction).build();
    }

    /** Collapses because {@code apply-bean-names} in {@code application.yaml} says so. */
    @Bean
    public RestClient restClient() {
        return RestClient.create();
    }

    /** Collapses likewise, below all interceptors. */
    @Bean
    public RestTemplate namedRestTemplate(RestTemplateBuilder builder) {
        return builder.build();
    }

    /** Collapses likewise, below all filters, because Spring Boot's builder brings its connector along. */
    @Bean
    public WebClient namedWebClient(WebClient.Builder builder) {
        return builder.build();
    }

    /** Does not collapse. */
    @Bean
    public RestTemplate plainRestTemplate() {
        return new RestTemplateBuilder().build();
    }

    /** Does not collapse. */
    @Bean
    public RestClient plainRestClient() {
        return RestClient.create();
    }

    /** Does not collapse. */
    @Bean
    public WebClient plainWebClient() {
        return WebClient.create();
    }
}
