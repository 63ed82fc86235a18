package io.github.collapseexecutor.spring.boot.client;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.core.Ordered;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Makes a configurer of HTTP service groups, of the kind that Spring Framework 7 calls for one kind of clients. The library is compiled
 * against a Spring Framework that has no such interfaces, so that proxies implement them. The configurer comes last: the request factory
 * and the connector of a group are there when it is called.
 *
 * @param <T> the interface, which no code names
 */
public final class ServiceGroupConfigurer<T> implements FactoryBean<T> {

    public static final String OF_REST_CLIENT =
            "org.springframework.web.client.support.RestClientHttpServiceGroupConfigurer";
    public static final String OF_WEB_CLIENT =
            "org.springframework.web.reactive.function.client.support.WebClientHttpServiceGroupConfigurer";
    public static final String GROUP = "org.springframework.web.service.registry.HttpServiceGroup";
    public static final String GROUPS = "org.springframework.web.service.registry.HttpServiceGroupConfigurer$Groups";
    public static final String CALLBACK =
            "org.springframework.web.service.registry.HttpServiceGroupConfigurer$ClientCallback";

    // immutable
    private final Class<T> type;
    private final Supplier<ServiceGroups<?>> groups;

    /**
     * @param type the interface that the configurer implements
     * @param groups is told of each group, when Spring makes the clients
     */
    private ServiceGroupConfigurer(Class<T> type, Supplier<ServiceGroups<?>> groups) {
        this.type = type;
        this.groups = groups;
    }

    /**
     * Makes a factory of the configurer.
     *
     * @param type the name of the interface that the configurer implements
     * @param groups is told of each group, when Spring makes the clients
     */
    static ServiceGroupConfigurer<?> of(String type, Supplier<ServiceGroups<?>> groups) {
        return new ServiceGroupConfigurer<>(named(type), groups);
    }

    @Override
    public Class<T> getObjectType() {
        return type;
    }

    @Override
    public T getObject() {
        return implementing(type, (configurer, method, arguments) -> switch (method.getName()) {
            case "configureGroups" -> {
                configure(first(arguments));
                yield null;
            }
            case "getOrder" -> Ordered.LOWEST_PRECEDENCE;
            default -> throw new UnsupportedOperationException(method.toString());
        });
    }

    private void configure(Object all) {
        Class<?> callbackType = named(CALLBACK);
        Object callback = implementing(callbackType, (proxy, method, arguments) -> {
            groups.get().configure(nameOf(first(arguments)), arguments[1]);
            return null;
        });
        ReflectionUtils.invokeMethod(method(GROUPS, "forEachClient", callbackType), all, callback);
    }

    private static String nameOf(Object group) {
        return String.valueOf(ReflectionUtils.invokeMethod(method(GROUP, "name"), group));
    }

    private static Object first(@Nullable Object[] arguments) {
        return Objects.requireNonNull(arguments[0], "a configurer is called with groups, and a callback with a group");
    }

    private static <I> I implementing(Class<I> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> switch (method.getName()) {
                    case "equals" -> arguments != null && proxy == arguments[0];
                    case "hashCode" -> System.identityHashCode(proxy);
                    case "toString" -> "collapsing of HTTP service groups";
                    default -> handler.invoke(proxy, method, arguments);
                }));
    }

    private static Method method(String type, String name, Class<?>... parameters) {
        return Objects.requireNonNull(
                ReflectionUtils.findMethod(named(type), name, parameters),
                () -> "this version of Spring Framework has no method " + name + " in " + type);
    }

    private static Class<?> named(String type) {
        return ClassUtils.resolveClassName(type, ServiceGroupConfigurer.class.getClassLoader());
    }
}
