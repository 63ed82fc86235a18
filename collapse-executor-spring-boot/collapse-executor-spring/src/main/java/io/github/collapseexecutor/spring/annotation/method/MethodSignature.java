package io.github.collapseexecutor.spring.annotation.method;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.aop.support.AopUtils;
import org.springframework.util.ClassUtils;

/** A method as callers of a bean see it: an interface's and its implementation's are the same. */
record MethodSignature(String name, List<Class<?>> parameters) {

    static MethodSignature of(Method method) {
        return new MethodSignature(method.getName(), List.of(method.getParameterTypes()));
    }

    /** Returns that of the method which a class has for one of its interfaces; the parameters of a generic interface are others. */
    static MethodSignature of(Method method, Class<?> type) {
        return of(AopUtils.getMostSpecificMethod(method, type));
    }

    /**
     * Finds the method by which callers of a bean call a method of its class.
     *
     * @throws IllegalStateException if the bean is a JDK proxy, and no interface of it has the method
     */
    static Method through(Class<?> bean, Method method, Class<?> owner) {
        if (!Proxy.isProxyClass(bean) || method.getDeclaringClass().isInterface()) {
            return AopUtils.selectInvocableMethod(method, bean);
        }
        MethodSignature signature = of(method);
        return Stream.of(ClassUtils.getAllInterfacesForClass(bean))
                .flatMap(type -> Stream.of(type.getMethods()))
                .filter(found -> found.getName().equals(method.getName())
                        && found.getParameterCount() == method.getParameterCount()
                        && of(found, owner).equals(signature))
                .findFirst()
                .orElseGet(() -> AopUtils.selectInvocableMethod(method, bean));
    }
}
