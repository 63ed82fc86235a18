package io.github.collapseexecutor.spring.annotation.method;

import java.lang.reflect.Method;
import java.util.List;

/** A method as callers of a bean see it: an interface's and its implementation's are the same. */
record MethodSignature(String name, List<Class<?>> parameters) {

    static MethodSignature of(Method method) {
        return new MethodSignature(method.getName(), List.of(method.getParameterTypes()));
    }
}
