package io.github.collapseexecutor.spring.annotation;

import io.github.collapseexecutor.core.BatchFunction;
import io.github.collapseexecutor.core.LocalResult;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Shares what functions by key return with other instances of the application: a key for which another instance calls its function is not
 * called for again, and the other keys make one call.
 *
 * <p>Keys are lists of plain values. A value that is a {@link LocalResult} is meant for this instance alone.
 */
public interface BatchSharing {

    /**
     * Returns a function that asks other instances first.
     *
     * @param function gives the values of keys; it is asked for those that this instance has to call for
     * @return the function in its place
     */
    BatchFunction<Collection<Object>, Map<Object, @Nullable Object>> share(
            BatchFunction<Collection<Object>, Map<Object, @Nullable Object>> function);

    /**
     * Returns a function that asks other instances first, without blocking.
     *
     * @param function as above, without blocking
     * @return the function in its place
     */
    BatchFunction<Collection<Object>, CompletionStage<Map<Object, @Nullable Object>>> shareStages(
            BatchFunction<Collection<Object>, CompletionStage<Map<Object, @Nullable Object>>> function);
}
