package io.github.collapseexecutor.spring.boot.observe;

import io.github.collapseexecutor.spring.boot.config.ConditionalOnSwitches;
import io.micrometer.observation.ObservationFilter;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.client.observation.ClientRequestObservationContext;

/** Observes batches, and marks the observations of HTTP clients, where there is an {@link ObservationRegistry}. */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration", // Boot 3
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration" // Boot 4
        })
@ConditionalOnClass(ObservationFilter.class)
@ConditionalOnBean(ObservationRegistry.class)
@ConditionalOnSwitches("enabled")
public final class CollapseObservationAutoConfiguration {

    /** Created by Spring. */
    public CollapseObservationAutoConfiguration() {}

    /** {@code management.observations.enable.collapse: false} switches these observations off. */
    @Bean
    @ConditionalOnMissingBean(ObservedBatches.class)
    SectionObservations collapseSectionObservations(ObjectProvider<ObservationRegistry> registry) {
        return new SectionObservations(registry);
    }

    /** Applies where Spring's HTTP clients are observed. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ClientRequestObservationContext.class)
    @Import(CollapsedKeyValue.class)
    static final class Clients {}
}
