package io.github.collapseexecutor.spring.boot;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;

/**
 * Makes the beans collapse that {@code apply-bean-names} names, each by a request factory of its own. It has priority so as to see them before a
 * proxy is put around them, and needs neither the builder nor the customizer classes of Boot, which moved between its generations. A
 * {@code RestClient} is replaced before others wrap it: a spy of a test ({@code @MockitoSpyBean}) would be replaced otherwise. Each instance
 * of a scoped bean is a client of its own; the proxy in front of them is left alone.
 */
final class NamedBeanPostProcessor implements BeanPostProcessor, PriorityOrdered {

    // immutable
    private final BeanFactory beans;
    private final ObjectProvider<CollapseExecutorProperties> properties;
    private final ObjectProvider<ClientAdapters<CollapsingRestClients>> adapters;

    // mutable, thread-safe
    private final Set<String> replaced = ConcurrentHashMap.newKeySet();

    NamedBeanPostProcessor(
            BeanFactory beans,
            ObjectProvider<CollapseExecutorProperties> properties,
            ObjectProvider<ClientAdapters<CollapsingRestClients>> adapters) {
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
        if (bean instanceof RestClient restClient && isNamed(bean, beanName)) {
            replaced.add(beanName);
            return adapters.getObject().ofBean(beanName).addTo(restClient);
        }
        return bean;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (replaced.contains(beanName)) {
            return bean; // it is no product of a factory, which comes here only
        }
        if (bean instanceof RestTemplate restTemplate && isNamed(bean, beanName)) {
            adapters.getObject().ofBean(beanName).addTo(restTemplate);
        } else if (bean instanceof RestClient restClient && isNamed(bean, beanName)) {
            return adapters.getObject().ofBean(beanName).addTo(restClient);
        } else if (bean instanceof RestClient.Builder builder && isNamed(bean, beanName)) {
            return adapters.getObject().ofBuilder(beanName).addTo(builder);
        }
        return bean;
    }

    private boolean isNamed(Object bean, String beanName) {
        CollapseExecutorProperties all = properties.getObject();
        return new SectionClients(OptionsReader.REST_TEMPLATE, all.restTemplate(), all)
                        .has(ClientKind.BEAN, ClientBeans.namesOf(beans, beanName))
                && !ClientBeans.isProxyOfSeveral(bean);
    }
}
