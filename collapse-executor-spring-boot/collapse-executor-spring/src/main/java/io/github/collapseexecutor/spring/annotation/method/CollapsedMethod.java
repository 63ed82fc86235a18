package io.github.collapseexecutor.spring.annotation.method;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;

/** A method with an annotation, ready to be called. */
interface CollapsedMethod {

    AnnotatedMethod described();

    /** Makes a call, alone or together with others. */
    @Nullable Object call(ProxyMethodInvocation invocation) throws Throwable;
}
