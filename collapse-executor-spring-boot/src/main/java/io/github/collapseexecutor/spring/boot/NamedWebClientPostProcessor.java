package io.github.collapseexecutor.spring.boot;

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
    private final ObjectProvider<WebClientAdapters> adapters;

    NamedWebClientPostProcessor(
            ObjectProvider<CollapseExecutorProperties> properties, ObjectProvider<WebClientAdapters> adapters) {
        this.properties = properties;
        this.adapters = adapters;
    }

    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof WebClient client && isNamed(beanName)) {
            return adapters.getObject().ofBean(beanName).addTo(client);
        }
        if (bean instanceof WebClient.Builder builder && isNamed(beanName)) {
            return adapters.getObject().ofBuilder(beanName).addTo(builder);
        }
        return bean;
    }

    private boolean isNamed(String beanName) {
        CollapseExecutorProperties all = properties.getObject();
        return new SectionClients(OptionsReader.WEB_CLIENT, all.webClient(), all).has(ClientKind.BEAN, beanName);
    }
}
