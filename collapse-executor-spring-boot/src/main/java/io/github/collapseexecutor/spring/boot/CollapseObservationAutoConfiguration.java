package io.github.collapseexecutor.spring.boot;

import io.micrometer.observation.ObservationFilter;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.http.client.observation.ClientRequestObservationContext;

/** Marks the observations of HTTP clients where these are observed. */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration", // Boot 3
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration" // Boot 4
        })
@ConditionalOnClass({ObservationFilter.class, ClientRequestObservationContext.class})
@ConditionalOnBean(ObservationRegistry.class)
@ConditionalOnProperty(prefix = CollapseExecutorProperties.PREFIX, name = "enabled", matchIfMissing = true)
public final class CollapseObservationAutoConfiguration {

    /** Created by Spring. */
    public CollapseObservationAutoConfiguration() {}

    @Bean
    CollapsedKeyValue collapseCollapsedKeyValue(ObjectProvider<ObservationRegistry> registry) {
        return new CollapsedKeyValue(registry);
    }
}
