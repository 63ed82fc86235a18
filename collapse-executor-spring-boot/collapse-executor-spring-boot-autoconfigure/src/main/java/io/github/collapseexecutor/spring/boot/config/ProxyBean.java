package io.github.collapseexecutor.spring.boot.config;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Makes a bean of an interface that not every supported version of Spring has: a proxy implements it, because the library is compiled
 * without it.
 *
 * @param <T> the interface, which no code names
 */
public final class ProxyBean<T> implements FactoryBean<T> {

    // immutable
    private final Class<T> type;
    private final T bean;

    private ProxyBean(Class<T> type, T bean) {
        this.type = type;
        this.bean = bean;
    }

    /**
     * Makes a factory of a bean.
     *
     * @param type the name of the interface
     * @param description what the bean is called as a text
     * @param calls answers the calls of the interface's methods
     */
    public static ProxyBean<?> of(String type, String description, InvocationHandler calls) {
        return of(named(type), description, calls);
    }

    private static <T> ProxyBean<T> of(Class<T> type, String description, InvocationHandler calls) {
        return new ProxyBean<>(type, implementing(type, description, calls));
    }

    /**
     * Tells the container what the factory of a bean makes. It does not see that in {@code ProxyBean<?>} as long as it makes the factory
     * itself, and post-processors of other libraries ask for the type of a bean that is being made.
     *
     * @param beanName the name of the bean
     * @param type the name of its interface
     */
    public static BeanFactoryPostProcessor typed(String beanName, String type) {
        return beans -> {
            if (beans.containsBeanDefinition(beanName)) {
                beans.getBeanDefinition(beanName).setAttribute(FactoryBean.OBJECT_TYPE_ATTRIBUTE, named(type));
            }
        };
    }

    @Override
    public Class<T> getObjectType() {
        return type;
    }

    @Override
    public T getObject() {
        return bean;
    }

    /** Returns a proxy that implements an interface. */
    public static <T> T implementing(Class<T> type, String description, InvocationHandler calls) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> switch (method.getName()) {
                    case "equals" -> proxy == arguments[0];
                    case "hashCode" -> System.identityHashCode(proxy);
                    case "toString" -> description;
                    default -> calls.invoke(proxy, method, arguments);
                }));
    }

    /** Returns a class that is there. */
    public static Class<?> named(String type) {
        return ClassUtils.resolveClassName(type, ProxyBean.class.getClassLoader());
    }

    /** Returns a method that every version has which has the class. */
    public static Method method(Class<?> type, String name, Class<?>... parameters) {
        return Objects.requireNonNull(
                ReflectionUtils.findMethod(type, name, parameters),
                () -> "this version of Spring has no method " + name + " in " + type.getName());
    }

    /** Calls a method that returns something. */
    public static Object called(Method method, @Nullable Object target, Object... arguments) {
        return Objects.requireNonNull(ReflectionUtils.invokeMethod(method, target, arguments));
    }
}
