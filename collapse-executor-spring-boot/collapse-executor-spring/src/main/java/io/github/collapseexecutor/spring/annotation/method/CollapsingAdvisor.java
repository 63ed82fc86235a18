package io.github.collapseexecutor.spring.annotation.method;

import io.github.collapseexecutor.core.ExecutorClosedException;
import java.lang.reflect.Method;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.StaticMethodMatcherPointcutAdvisor;
import org.springframework.core.BridgeMethodResolver;

/** Collapses an annotated method of a bean, by all the ways in which it is called: bridge methods, and generic interfaces, too. */
final class CollapsingAdvisor extends StaticMethodMatcherPointcutAdvisor {

    private static final long serialVersionUID = 1L;

    // immutable
    private final transient CollapsedMethod method;
    private final transient MethodSignature signature;

    CollapsingAdvisor(CollapsedMethod method) {
        super(new Interceptor(method));
        this.method = method;
        this.signature = MethodSignature.of(method.described().method());
    }

    boolean isOf(CollapsedMethod other) {
        return method == other;
    }

    /** Spring asks once for each method that is called. */
    @Override
    public boolean matches(Method method, Class<?> targetClass) {
        return signature.equals(MethodSignature.of(method, targetClass))
                || signature.equals(MethodSignature.of(BridgeMethodResolver.findBridgedMethod(method)));
    }

    private record Interceptor(CollapsedMethod method) implements MethodInterceptor {

        @Override
        public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
            ProxyMethodInvocation call = (ProxyMethodInvocation) invocation;
            try {
                return method.call(call);
            } catch (ExecutorClosedException closed) {
                if (Invocations.hasThrown(call, closed)) {
                    throw closed;
                }
                return call.proceed(); // the context ends, and may still wait for the task that calls
            }
        }
    }
}
