package io.github.collapseexecutor.spring.boot.client;

import io.github.collapseexecutor.spring.boot.config.ClientKind;
import io.github.collapseexecutor.spring.boot.config.CollapseExecutorProperties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;

/**
 * Makes the beans collapse that a section's {@code apply-bean-names} names, each by an adapter of its own. It has priority so as to see them
 * before a proxy is put around them. A client that cannot be changed is replaced before others wrap it: a spy of a test
 * ({@code @MockitoSpyBean}) would be replaced otherwise. Each instance of a scoped bean is a client of its own; the proxy in front of them is
 * left alone.
 *
 * @param <C> makes clients of one family collapse
 */
final class NamedClientPostProcessor<C> implements BeanPostProcessor, PriorityOrdered {

    // immutable
    private final ClientFamily<C, ?, ?> family;
    private final BeanFactory beans;
    private final ObjectProvider<CollapseExecutorProperties> properties;
    private final ObjectProvider<ClientAdapters<C>> adapters;

    // mutable, thread-safe
    private final Set<String> replaced = ConcurrentHashMap.newKeySet();

    NamedClientPostProcessor(
            ClientFamily<C, ?, ?> family,
            BeanFactory beans,
            ObjectProvider<CollapseExecutorProperties> properties,
            ObjectProvider<ClientAdapters<C>> adapters) {
        this.family = family;
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
        if (!family.client().isInstance(bean) || !isNamed(bean, beanName)) {
            return bean;
        }
        replaced.add(beanName);
        return family.collapsing().apply(adapters.getObject().ofBean(beanName), bean);
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        // one that is no product of a factory was replaced before; the others come here only
        if (replaced.contains(beanName) || !family.has(bean) || !isNamed(bean, beanName)) {
            return bean;
        }
        ClientAdapters<C> all = adapters.getObject();
        return family.collapsing()
                .apply(family.builder().isInstance(bean) ? all.ofBuilder(beanName) : all.ofBean(beanName), bean);
    }

    private boolean isNamed(Object bean, String beanName) {
        return family.section().apply(properties.getObject()).has(ClientKind.BEAN, ClientBeans.namesOf(beans, beanName))
                && !ClientBeans.isProxyOfSeveral(bean);
    }
}
