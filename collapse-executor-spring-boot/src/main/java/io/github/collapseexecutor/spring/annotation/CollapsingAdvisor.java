package io.github.collapseexecutor.spring.annotation;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.StaticMethodMatcherPointcutAdvisor;
import org.springframework.core.BridgeMethodResolver;

/** Collapses the annotated methods of a bean. */
final class CollapsingAdvisor extends StaticMethodMatcherPointcutAdvisor {

    private static final long serialVersionUID = 1L;

    // immutable
    private final transient BeanMethods methods;

    CollapsingAdvisor(Map<MethodSignature, CollapsedMethod> methods) {
        this(new BeanMethods(methods));
    }

    private CollapsingAdvisor(BeanMethods methods) {
        super(new Interceptor(methods));
        this.methods = methods;
    }

    @Override
    public boolean matches(Method method, Class<?> targetClass) {
        return methods.find(method, targetClass) != null;
    }

    /** The methods by all the ways in which they are called: bridge methods, and methods of generic interfaces, too. */
    private static final class BeanMethods {

        // immutable
        private final Map<MethodSignature, CollapsedMethod> methods;

        // mutable, thread-safe
        private final ConcurrentMap<Method, Optional<CollapsedMethod>> called = new ConcurrentHashMap<>();

        BeanMethods(Map<MethodSignature, CollapsedMethod> methods) {
            this.methods = methods;
        }

        @Nullable CollapsedMethod find(Method method, @Nullable Class<?> targetClass) {
            Optional<CollapsedMethod> known = called.get(method);
            return (known == null ? called.computeIfAbsent(method, absent -> look(absent, targetClass)) : known)
                    .orElse(null);
        }

        private Optional<CollapsedMethod> look(Method method, @Nullable Class<?> targetClass) {
            CollapsedMethod found =
                    methods.get(MethodSignature.of(AopUtils.getMostSpecificMethod(method, targetClass)));
            return Optional.ofNullable(
                    found != null
                            ? found
                            : methods.get(MethodSignature.of(BridgeMethodResolver.findBridgedMethod(method))));
        }
    }

    private record Interceptor(BeanMethods methods) implements MethodInterceptor {

        @Override
        public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
            Object target = invocation.getThis();
            CollapsedMethod method =
                    methods.find(invocation.getMethod(), target == null ? null : AopUtils.getTargetClass(target));
            return method == null ? invocation.proceed() : method.call((ProxyMethodInvocation) invocation);
        }
    }
}
