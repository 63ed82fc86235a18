package io.github.collapseexecutor.spring.boot;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * Makes the {@code WebClient} beans collapse that {@code apply-bean-names} names, each by a connector or filter of its own. It has priority
 * so as to see them before a proxy is put around them. A client is replaced before others wrap it, as by {@link NamedBeanPostProcessor}.
 */
final class NamedWebClientPostProcessor implements BeanPostProcessor, PriorityOrdered {

    // immutable
    private final BeanFactory beans;
    private final ObjectProvider<CollapseExecutorProperties> properties;
    private final ObjectProvider<ClientAdapters<CollapsingWebClients>> adapters;

    // mutable, thread-safe
    private final Set<String> replaced = ConcurrentHashMap.newKeySet();

    NamedWebClientPostProcessor(
            BeanFactory beans,
            ObjectProvider<CollapseExecutorProperties> properties,
            ObjectProvider<ClientAdapters<CollapsingWebClients>> adapters) {
        this.beans = beans;
        this.properties = properties;
        this.adapters = adapters;
    }

    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE;
    }

    @Override
    public Object postProcessBeforeInitialization(Object bean, String beanName) {
        if (bean instanceof WebClient client && isNamed(bean, beanName)) {
            replaced.add(beanName);
            return adapters.getObject().ofBean(beanName).addTo(client);
        }
        return bean;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (replaced.contains(beanName)) {
            return bean; // it is no product of a factory, which comes here only
        }
        if (bean instanceof WebClient client && isNamed(bean, beanName)) {
            return adapters.getObject().ofBean(beanName).addTo(client);
        }
        if (bean instanceof WebClient.Builder builder && isNamed(bean, beanName)) {
            return adapters.getObject().ofBuilder(beanName).addTo(builder);
        }
        return bean;
    }

    private boolean isNamed(Object bean, String beanName) {
        CollapseExecutorProperties all = properties.getObject();
        return new SectionClients(OptionsReader.WEB_CLIENT, all.webClient(), all)
                        .has(ClientKind.BEAN, ClientBeans.namesOf(beans, beanName))
                && !ClientBeans.isProxyOfSeveral(bean);
    }
}
