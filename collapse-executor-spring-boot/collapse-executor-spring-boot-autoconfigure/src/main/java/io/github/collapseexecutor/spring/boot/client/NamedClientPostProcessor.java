package io.github.collapseexecutor.spring.boot.client;

import io.github.collapseexecutor.spring.boot.config.ClientKind;
import io.github.collapseexecutor.spring.boot.config.CollapseExecutorProperties;
import io.github.collapseexecutor.spring.boot.config.SectionClients;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
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
 * @param <C> makes clients of one kind collapse
 */
abstract class NamedClientPostProcessor<C> implements BeanPostProcessor, PriorityOrdered {

    // immutable
    private final BeanFactory beans;
    private final ObjectProvider<CollapseExecutorProperties> properties;
    private final ObjectProvider<ClientAdapters<C>> adapters;

    // mutable, thread-safe
    private final Set<String> replaced = ConcurrentHashMap.newKeySet();

    NamedClientPostProcessor(
            BeanFactory beans,
            ObjectProvider<CollapseExecutorProperties> properties,
            ObjectProvider<ClientAdapters<C>> adapters) {
        this.beans = beans;
        this.properties = properties;
        this.adapters = adapters;
    }

    /** The clients that the section names. */
    abstract SectionClients section(CollapseExecutorProperties properties);

    /** How a client that cannot be changed is replaced; null if the bean is none. */
    abstract @Nullable Function<C, Object> replacement(Object bean);

    /** How a client is changed in place; null if the bean is none. */
    @Nullable Function<C, Object> change(Object bean) {
        return null;
    }

    /** How a builder is replaced by one of collapsing clients; null if the bean is none. */
    abstract @Nullable Function<C, Object> builder(Object bean);

    @Override
    public final int getOrder() {
        return Ordered.LOWEST_PRECEDENCE;
    }

    @Override
    public final Object postProcessBeforeInitialization(Object bean, String beanName) {
        Function<C, Object> replacement = replacement(bean);
        if (replacement == null || !isNamed(bean, beanName)) {
            return bean;
        }
        replaced.add(beanName);
        return replacement.apply(adapters.getObject().ofBean(beanName));
    }

    @Override
    public final Object postProcessAfterInitialization(Object bean, String beanName) {
        if (replaced.contains(beanName)) {
            return bean; // it is no product of a factory, which comes here only
        }
        Function<C, Object> builder = builder(bean);
        if (builder != null) {
            return isNamed(bean, beanName) ? builder.apply(adapters.getObject().ofBuilder(beanName)) : bean;
        }
        Function<C, Object> replacement = replacement(bean);
        Function<C, Object> client = replacement == null ? change(bean) : replacement;
        return client != null && isNamed(bean, beanName)
                ? client.apply(adapters.getObject().ofBean(beanName))
                : bean;
    }

    private boolean isNamed(Object bean, String beanName) {
        return section(properties.getObject()).has(ClientKind.BEAN, ClientBeans.namesOf(beans, beanName))
                && !ClientBeans.isProxyOfSeveral(bean);
    }
}
