package io.github.collapseexecutor.spring.boot;

import io.github.collapseexecutor.http.reactive.CollapseExchangeFilterFunction;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * Makes the {@code WebClient} beans collapse that {@code apply-bean-names} names, each by a connector or filter of its own. It has priority
 * so as to see them before a proxy is put around them.
 */
final class NamedWebClientPostProcessor implements BeanPostProcessor, PriorityOrdered {

    // immutable
    private final ObjectProvider<CollapseExecutorProperties> properties;
    private final ObjectProvider<CollapseExchangeFilterFunction> filter;
    private final ObjectProvider<WebClientSharing> sharing;

    NamedWebClientPostProcessor(
            ObjectProvider<CollapseExecutorProperties> properties,
            ObjectProvider<CollapseExchangeFilterFunction> filter,
            ObjectProvider<WebClientSharing> sharing) {
        this.properties = properties;
        this.filter = filter;
        this.sharing = sharing;
    }

    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof WebClient client && isNamed(beanName)) {
            return new CollapsingWebClients(filter.getObject(), clients().ofClient(beanName)).addTo(client);
        }
        if (bean instanceof WebClient.Builder builder && isNamed(beanName)) {
            return new CollapsingWebClients(filter.getObject(), clients().ofBuilder(beanName)).addTo(builder);
        }
        return bean;
    }

    private ClientSharing clients() {
        return sharing.getObject().clients();
    }

    private boolean isNamed(String beanName) {
        return properties.getObject().webClientNames().contains(beanName);
    }
}
