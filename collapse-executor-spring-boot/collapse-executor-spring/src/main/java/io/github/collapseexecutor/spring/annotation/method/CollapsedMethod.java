package io.github.collapseexecutor.spring.annotation.method;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;

/** A method with an annotation, ready to be called. */
interface CollapsedMethod {

    AnnotatedMethod described();

    /** The method that makes a call for several callers in place of this one; null if there is none. */
    @Nullable AnnotatedMethod batchMethod();

    /** Makes a call, alone or together with others. */
    @Nullable Object call(ProxyMethodInvocation invocation) throws Throwable;
}
