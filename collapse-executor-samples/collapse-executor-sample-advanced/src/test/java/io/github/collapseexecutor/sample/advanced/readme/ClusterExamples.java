package io.github.collapseexecutor.sample.advanced.readme;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.collapseexecutor.cluster.ResultCodec;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What the documentation shows of executors that share calls with other instances. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class ClusterExamples {

    private static final ObjectMapper json = new ObjectMapper();

    // readme:begin cluster-codec-bean
    @Bean
    @Qualifier("users") ResultCodec<User> userCodec() {
        return ResultCodec.of(json::writeValueAsBytes, bytes -> json.readValue(bytes, User.class));
    }
    // readme:end
}
