package io.github.collapseexecutor.spring.boot.endpoint;

import io.github.collapseexecutor.spring.boot.CollapseExecutorAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * Adds the endpoint {@code collapse} where Spring Boot's actuator is on the class path and the endpoint is exposed. Statistics are kept
 * only then. The endpoint {@code collapsepage}, a page that draws them, exists where it is allowed and exposed too.
 */
@AutoConfiguration(after = CollapseExecutorAutoConfiguration.class)
@ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
public final class CollapseEndpointAutoConfiguration {

    /** Created by Spring. */
    public CollapseEndpointAutoConfiguration() {}

    /** Apart, because its condition is a class of the actuator's. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnAvailableEndpoint(endpoint = CollapseEndpoint.class)
    @Import({StatisticsObserver.class, CollapseEndpoint.class, CollapseWebExtension.class})
    static final class EndpointConfiguration {}

    /** Apart, because it exists in a web application only, and where it is allowed. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication
    @ConditionalOnAvailableEndpoint(endpoint = CollapsePageEndpoint.class)
    @Import(CollapsePageEndpoint.class)
    static final class PageConfiguration {}
}
