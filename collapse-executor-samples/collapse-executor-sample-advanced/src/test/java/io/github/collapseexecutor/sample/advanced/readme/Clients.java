package io.github.collapseexecutor.sample.advanced.readme;

// readme:begin rest-client
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.client.RestClient;

@Configuration
class Clients {
    @Bean
    RestClient userClient(RestClient.Builder builder) {
        return builder.baseUrl("https://users.example").build();
    }
}
// readme:end
