package sample;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.web.client.support.RestClientHttpServiceGroupConfigurer;

/** Replaces the request factories after everything else. */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration(LateConfigurer.class)
public class Late {}

/** Comes after collapsing. */
@AutoConfiguration(afterName = "io.github.collapseexecutor.spring.boot.CollapseExecutorAutoConfiguration")
class LateConfigurer {

    @Bean
    RestClientHttpServiceGroupConfigurer replacing() {
        return groups ->
                groups.forEachClient((group, builder) -> builder.requestFactory(new JdkClientHttpRequestFactory()));
    }
}
