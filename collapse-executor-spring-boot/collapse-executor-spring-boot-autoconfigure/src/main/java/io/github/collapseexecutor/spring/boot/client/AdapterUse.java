package io.github.collapseexecutor.spring.boot.client;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.beans.factory.config.BeanPostProcessor;

/** Knows which adapters of the auto-configuration somebody has asked for: each injection point makes one. */
public final class AdapterUse implements BeanPostProcessor {

    public static final String INTERCEPTOR = "collapseHttpRequestInterceptor";
    public static final String FILTER_FUNCTION = "collapseExchangeFilterFunction";

    // mutable, thread-safe
    private final Set<String> used = ConcurrentHashMap.newKeySet();

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (beanName.equals(INTERCEPTOR) || beanName.equals(FILTER_FUNCTION)) {
            used.add(beanName);
        }
        return bean;
    }

    /** Whether a bean of this name has been made. */
    public boolean of(String beanName) {
        return used.contains(beanName);
    }
}
