package io.github.collapseexecutor.spring.annotation.method;

import io.github.collapseexecutor.core.ExecutorClosedException;
import java.lang.reflect.Method;
import java.lang.reflect.UndeclaredThrowableException;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.interceptor.ExposeInvocationInterceptor;
import org.springframework.aop.support.AopUtils;

/** Goes on with intercepted calls. */
final class Invocations {

    /** What can be called, whatever it throws. */
    private interface Call {
        @Nullable Object make() throws Throwable;
    }

    private static final String THROWN = Invocations.class.getName();

    private Invocations() {}

    /** Goes on, on the thread that made the call. */
    static @Nullable Object proceed(ProxyMethodInvocation invocation) throws Exception {
        try {
            return call(invocation::proceed);
        } catch (ExecutorClosedException closed) {
            invocation.setUserAttribute(THROWN, closed);
            throw closed;
        }
    }

    /** Whether the method itself has failed with an exception, which may come from an executor that it calls. */
    static boolean hasThrown(ProxyMethodInvocation invocation, ExecutorClosedException closed) {
        return invocation.getUserAttribute(THROWN) == closed;
    }

    /** Goes on, on any thread; aspects further inside find the invocation there. */
    static @Nullable Object proceedAnywhere(ProxyMethodInvocation invocation) throws Exception {
        return call(() -> ExposeInvocationInterceptor.INSTANCE.invoke(invocation.invocableClone()));
    }

    /** Calls a method of a bean; what it throws comes as it is. */
    static @Nullable Object invoke(Object bean, Method method, @Nullable Object[] arguments) throws Exception {
        return call(() -> AopUtils.invokeJoinpointUsingReflection(bean, method, arguments));
    }

    /** The object that is called; for a proxy without one, as that of an HTTP interface, the proxy. */
    static Object target(ProxyMethodInvocation invocation) {
        Object target = invocation.getThis();
        return target == null ? invocation.getProxy() : target;
    }

    private static @Nullable Object call(Call call) throws Exception {
        try {
            return call.make();
        } catch (Exception | Error failure) {
            throw failure;
        } catch (Throwable failure) {
            throw new UndeclaredThrowableException(failure);
        }
    }
}
