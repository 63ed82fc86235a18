package io.github.collapseexecutor.spring.boot.client;

import io.github.collapseexecutor.spring.boot.config.ClientKind;
import io.github.collapseexecutor.spring.boot.config.CollapseExecutorProperties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
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
        Function<C, Object> replacement = family.replacementOf(bean);
        if (replacement == null || !isNamed(bean, beanName)) {
            return bean;
        }
        replaced.add(beanName);
        return replacement.apply(adapters.getObject().ofBean(beanName));
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (replaced.contains(beanName)) {
            return bean; // it is no product of a factory, which comes here only
        }
        Function<C, Object> builder = family.builderInPlaceOf(bean);
        if (builder != null) {
            return isNamed(bean, beanName) ? builder.apply(adapters.getObject().ofBuilder(beanName)) : bean;
        }
        Function<C, Object> replacement = family.replacementOf(bean);
        Function<C, Object> client = replacement == null ? family.changeOf(bean) : replacement;
        return client != null && isNamed(bean, beanName)
                ? client.apply(adapters.getObject().ofBean(beanName))
                : bean;
    }

    private boolean isNamed(Object bean, String beanName) {
        return family.section().apply(properties.getObject()).has(ClientKind.BEAN, ClientBeans.namesOf(beans, beanName))
                && !ClientBeans.isProxyOfSeveral(bean);
    }
}
