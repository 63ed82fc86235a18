package io.github.collapseexecutor.spring.annotation;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import org.aopalliance.aop.Advice;
import org.springframework.util.ClassUtils;

/** The retry that this line of Spring has: that of Spring Retry, or that of Spring Framework 7. */
public final class RetryOfThisLine {

    private static final String OF_SPRING_7 = "org.springframework.resilience.retry.SimpleRetryInterceptor";

    private RetryOfThisLine() {}

    /** Returns an interceptor that makes three attempts or more. */
    public static Advice interceptor() throws Exception {
        ClassLoader loader = RetryOfThisLine.class.getClassLoader();
        if (!ClassUtils.isPresent(OF_SPRING_7, loader)) {
            return Class.forName("org.springframework.retry.interceptor.RetryOperationsInterceptor")
                    .asSubclass(Advice.class)
                    .getConstructor()
                    .newInstance();
        }
        Class<?> spec = Class.forName("org.springframework.resilience.retry.MethodRetrySpec");
        Class<?> predicate = Class.forName("org.springframework.resilience.retry.MethodRetryPredicate");
        Object always = Proxy.newProxyInstance(
                loader,
                new Class<?>[] {predicate},
                (proxy, method, arguments) ->
                        method.isDefault() ? InvocationHandler.invokeDefault(proxy, method, arguments) : true);
        Object three = spec.getConstructor(predicate, long.class, Duration.class)
                .newInstance(always, 3L, Duration.ofMillis(1));
        return Class.forName(OF_SPRING_7)
                .asSubclass(Advice.class)
                .getConstructor(spec)
                .newInstance(three);
    }
}
