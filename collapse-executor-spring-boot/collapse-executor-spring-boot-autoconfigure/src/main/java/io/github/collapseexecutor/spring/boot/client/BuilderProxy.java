package io.github.collapseexecutor.spring.boot.client;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A builder in front of another one that builds in another way. A proxy, because the interfaces of Spring's builders have
 * other methods in each of its generations.
 */
record BuilderProxy<BUILDER>(
        Class<BUILDER> type, BUILDER builder, UnaryOperator<BUILDER> copy, Function<BUILDER, ?> build)
        implements InvocationHandler {

    /**
     * Returns a builder whose settings are those of another one.
     *
     * @param type the interface of both
     * @param copy what {@code clone()} does
     * @param build what {@code build()} does with a copy
     */
    static <BUILDER> BUILDER of(
            Class<BUILDER> type, BUILDER builder, UnaryOperator<BUILDER> copy, Function<BUILDER, ?> build) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, new BuilderProxy<>(type, builder, copy, build)));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        return switch (method.getName()) {
            case "build" -> build.apply(copy.apply(builder));
            case "clone" -> of(type, copy.apply(builder), copy, build);
            case "equals" -> arguments != null && proxy == arguments[0];
            default -> invokeBuilder(proxy, method, arguments);
        };
    }

    private @Nullable Object invokeBuilder(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        try {
            Object result = method.invoke(builder, arguments);
            return result == builder ? proxy : result;
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }
}
