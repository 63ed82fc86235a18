package io.github.collapseexecutor.spring.boot.client;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.scope.ScopedObject;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.SimpleAliasRegistry;

/**
 * Which bean a name in the properties means: the one that is called so, or has it as an alias. A name of a scoped proxy means each of
 * the instances that the proxy leads to, which are beans of another name. The proxy itself stays as it is: everything
 * that is read from it belongs to the instance of the present caller.
 */
final class ClientBeans {

    private ClientBeans() {}

    /** All names that mean the same bean as one that the factory calls so. */
    static Set<String> namesOf(BeanFactory beans, String beanName) {
        String shown = shownName(beanName);
        Set<String> names = new LinkedHashSet<>(List.of(beanName, shown));
        names.addAll(List.of(beans.getAliases(shown)));
        return names;
    }

    /** The name that an application knows a bean by: that of the proxy, for an instance of a scope. */
    static String shownName(String beanName) {
        return ScopedProxyUtils.isScopedTarget(beanName) ? ScopedProxyUtils.getOriginalBeanName(beanName) : beanName;
    }

    /** The name that the factory calls a bean by which has this one as an alias, if it is one. */
    static String canonicalName(BeanFactory beans, String name) {
        return beans instanceof SimpleAliasRegistry registry ? registry.canonicalName(name) : name;
    }

    /** Whether a bean is no client, but leads to one now and to another later. */
    static boolean isProxyOfSeveral(Object bean) {
        return bean instanceof ScopedObject
                || (bean instanceof Advised proxy && !proxy.getTargetSource().isStatic());
    }
}
