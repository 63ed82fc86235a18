package io.github.collapseexecutor.sample.advanced.readme;

import io.github.collapseexecutor.core.BlockingCollapseExecutor;
import io.github.collapseexecutor.core.CollapseExecutors;
import io.github.collapseexecutor.core.MissingKeyPolicy;
import io.github.collapseexecutor.spring.boot.NamedExecutors;
import java.util.Collection;
import java.util.Map;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The application that the YAML of the named executors is for. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class NamedExecutorExamples {

    /** Where users are stored. */
    interface Users {

        Map<Long, User> byIds(Collection<Long> ids);
    }

    // readme:begin named-executor
    @Bean
    BlockingCollapseExecutor<Long, User> userLoader(NamedExecutors executors, Users users) {
        return executors.make(
                "users", options -> CollapseExecutors.blockingByKey(users::byIds, MissingKeyPolicy.NULL, options));
    }
    // readme:end
}
