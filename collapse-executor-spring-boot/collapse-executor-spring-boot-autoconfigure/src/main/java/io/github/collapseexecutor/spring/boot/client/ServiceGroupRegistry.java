package io.github.collapseexecutor.spring.boot.client;

import io.github.collapseexecutor.spring.boot.config.ProxyBean;
import java.lang.reflect.Method;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.util.ClassUtils;

/** Spring's registry of HTTP service groups, by name: the library is compiled against a Spring Framework that has none. */
public final class ServiceGroupRegistry {

    public static final String CLASS = "org.springframework.web.service.registry.HttpServiceProxyRegistry";

    private ServiceGroupRegistry() {}

    static boolean isThere(@Nullable ClassLoader loader) {
        return ClassUtils.isPresent(CLASS, loader);
    }

    /** The names of the groups of a context and of its parents; it has Spring make the clients if they are not there yet. */
    static Set<String> groups(ListableBeanFactory beans) {
        return groups(
                BeanFactoryUtils.beansOfTypeIncludingAncestors(beans, type()).values());
    }

    /** The names of the groups of a context itself. */
    static Set<String> localGroups(ListableBeanFactory beans) {
        return groups(beans.getBeansOfType(type()).values());
    }

    private static Class<?> type() {
        return ProxyBean.named(CLASS);
    }

    private static Set<String> groups(Iterable<?> registries) {
        Method getGroupNames = ProxyBean.method(type(), "getGroupNames");
        Set<String> names = new LinkedHashSet<>();
        for (Object registry : registries) {
            for (Object name : (Set<?>) ProxyBean.called(getGroupNames, registry)) {
                names.add(name.toString());
            }
        }
        return names;
    }
}
