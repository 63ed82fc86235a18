package io.github.collapseexecutor.sample.advanced.readme;

import io.github.collapseexecutor.cluster.ClusterCalls;
import io.github.collapseexecutor.http.client.CollapseHttpRequestInterceptor;
import java.util.List;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.client.RestTemplate;

/** What the documentation shows of clients that share responses with other instances. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class ClusterClientExamples {

    @Bean
    RestTemplate users() {
        return new RestTemplate();
    }

    @Bean
    RestTemplate prices() {
        return new RestTemplate();
    }

    // readme:begin cluster-clients-in-code
    @Bean
    RestTemplate orders(CollapseHttpRequestInterceptor collapsing, ClusterCalls cluster) {
        RestTemplate template = new RestTemplate();
        template.setInterceptors(List.of(collapsing.forAnotherClient(cluster.http("orders"))));
        return template;
    }
    // readme:end
}
