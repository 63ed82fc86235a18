package io.github.collapseexecutor.benchmark;

import java.util.concurrent.Callable;

/** How a caller calls: by itself, or through something that may share the call with others. */
@FunctionalInterface
interface Calls {

    /** Returns what the callable, or that of another caller of an equal key, returned. */
    Object call(Object key, Callable<?> callable) throws Exception;
}
