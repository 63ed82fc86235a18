package io.github.collapseexecutor.spring.annotation.method;

import io.github.collapseexecutor.spring.annotation.key.CallKey;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * A caller's own call. Its batch makes that of one caller, whose arguments other instances have to know it by: those of the caller that has
 * opened the group are equal at the most, and may have changed since.
 *
 * @param key of this caller
 * @param made makes the call
 * @param <R> what it returns
 */
record KeyedCall<R extends @Nullable Object>(CallKey key, Callable<R> made) implements Callable<R> {

    @Override
    public R call() throws Exception {
        return made.call();
    }
}
