package io.github.collapseexecutor.spring.annotation.method;

import io.github.collapseexecutor.spring.annotation.caller.CallerIdentities;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;
import org.springframework.aop.SpringProxy;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.scope.ScopedObject;
import org.springframework.beans.factory.BeanClassLoaderAware;
import org.springframework.beans.factory.config.AutowireCapableBeanFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.util.ClassUtils;

/**
 * Lets the annotated methods of beans collapse. It has no order, so that it runs behind the post-processors that make proxies for
 * transactions, caches, security and retries, and takes its place among their advisors.
 */
public final class CollapsingBeanPostProcessor implements BeanPostProcessor, BeanClassLoaderAware {

    private record BeanType(String beanName, Class<?> type) {}

    // immutable
    private final CallerIdentities identities;
    private final Supplier<AnnotatedMethodReader> reader;

    // mutable, set before the first bean
    private ClassLoader classLoader = ClassUtils.getDefaultClassLoader();

    // mutable, thread-safe
    private final ConcurrentMap<Class<?>, Map<Method, List<Annotation>>> annotated = new ConcurrentHashMap<>();

    /** The objects of a bean that has several, as one with prototype scope, gather in the same executors, each for itself. */
    private final ConcurrentMap<BeanType, Map<MethodSignature, CollapsedMethod>> methods = new ConcurrentHashMap<>();

    public CollapsingBeanPostProcessor(CallerIdentities identities, Supplier<AnnotatedMethodReader> reader) {
        this.identities = identities;
        this.reader = reader;
    }

    @Override
    public void setBeanClassLoader(ClassLoader classLoader) {
        this.classLoader = classLoader;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        identities.look(bean);
        if (bean instanceof AopInfrastructureBean
                || bean instanceof ScopedObject // the object behind it is a bean as well
                || beanName.endsWith(AutowireCapableBeanFactory.ORIGINAL_INSTANCE_SUFFIX)) {
            return bean;
        }
        Map<Class<?>, Map<Method, List<Annotation>>> found = new LinkedHashMap<>();
        for (Class<?> type : AnnotatedMethodReader.typesOf(bean)) {
            Map<Method, List<Annotation>> ofType =
                    annotated.computeIfAbsent(type, AnnotatedMethodReader::annotatedMethods);
            if (!ofType.isEmpty()) {
                found.put(type, ofType);
            }
        }
        return found.isEmpty() ? bean : collapsing(bean, beanName, found);
    }

    private Object collapsing(Object bean, String beanName, Map<Class<?>, Map<Method, List<Annotation>>> found) {
        if (bean instanceof Advised proxy
                && List.of(proxy.getAdvisors()).stream().anyMatch(CollapsingAdvisor.class::isInstance)) {
            return bean;
        }
        BeanType type = new BeanType(beanName, found.keySet().iterator().next());
        Map<MethodSignature, CollapsedMethod> known = methods.get(type);
        boolean isFirst = false;
        if (known == null) {
            Map<MethodSignature, CollapsedMethod> read = reader.get().methodsOf(bean, beanName, found);
            Map<MethodSignature, CollapsedMethod> other = methods.putIfAbsent(type, read);
            isFirst = other == null;
            known = isFirst ? read : other;
        }
        AnnotatedMethod first = known.values().iterator().next().described();
        if (bean instanceof SpringProxy) {
            if (!(bean instanceof Advised proxy) || proxy.isFrozen()) {
                throw first.refused(
                        "the bean's proxy is opaque or frozen, so that nothing shows what each caller has to pass",
                        "Make the proxy without opaque and frozen.");
            }
            known.values().forEach(method -> AdvisorPosition.add(proxy, method));
            if (isFirst) {
                known.values().forEach(method -> AdvisorPosition.warnOfLostAdvice(proxy, method));
            }
            return bean;
        }
        return proxyOf(bean, first, known.values());
    }

    private Object proxyOf(Object bean, AnnotatedMethod first, Collection<CollapsedMethod> methods) {
        Class<?> type = bean.getClass();
        ProxyFactory factory = new ProxyFactory();
        factory.setTarget(bean);
        if (Proxy.isProxyClass(type) || type.isHidden()) {
            factory.setInterfaces(ClassUtils.getAllInterfaces(bean));
        } else {
            if (Modifier.isFinal(type.getModifiers())) {
                throw first.refused(
                        "the class of the bean is final, so that Spring cannot make a proxy of it",
                        "Remove final (a record is final, too); in Kotlin, add open or the kotlin-spring plugin.");
            }
            factory.setProxyTargetClass(true);
        }
        methods.forEach(method -> AdvisorPosition.add(factory, method));
        return factory.getProxy(classLoader);
    }
}
