package io.github.collapseexecutor.core;

import static java.util.Objects.requireNonNull;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes batch executors of plain functions.
 *
 * <pre>{@code
 * BlockingCollapseExecutor<Long, User> users =
 *         CollapseExecutors.blockingByKey(repository::findAllById, MissingKeyPolicy.NULL, CollapseOptions.defaults());
 * User user = users.execute(7L);
 * }</pre>
 *
 * <p>There are three forms of function. One <em>by key</em> takes the distinct keys of a batch, in order of submission, and
 * returns a map; callers of equal keys get the same value. If single keys have failed, it returns a {@link KeyedResult}. One
 * <em>by item</em> takes the same keys and returns a collection of items, in any order, each of which knows its key; if two items have one
 * key, the callers of that key get an {@link UnboundOutputException}, because nobody can say which is right. One
 * <em>in order</em> takes the inputs of a batch, in order of submission and as often as they were submitted, and returns a list
 * of the same size, in which each output stands where its input stood; a list of another size fails every caller with an {@link
 * UnboundOutputException}, and so does null.
 *
 * <p>Inputs of an executor share batches. Where only some may, as the rows of one table, the options say which ({@link
 * InputOptions#groupBy}).
 *
 * <p>Each comes in three kinds: blocking (on the thread of a caller), async (on an executor) and future (a function that
 * returns a stage and does not block). Their guarantees and threads are described at {@link
 * CollapseExecutorBlockingSupport}, {@link CollapseExecutorAsyncSupport} and {@link CollapseExecutorFutureSupport}.
 */
public final class CollapseExecutors {

    private CollapseExecutors() {}

    /**
     * Returns an executor of a function by key that runs on the thread of a caller.
     *
     * @param function from the distinct keys of a batch to a map of their values; it may hold other keys too
     * @param missing the answer of a caller whose key is not in the map
     * @param options how it gathers, and what it has to know of its inputs for that
     * @param <K> a key, with {@code equals} and {@code hashCode}
     * @param <V> a value
     * @return the executor
     */
    public static <K extends @Nullable Object, V extends @Nullable Object> BlockingCollapseExecutor<K, V> blockingByKey(
            BatchFunction<? super Collection<K>, ? extends Map<K, V>> function,
            MissingKeyPolicy missing,
            InputOptions<? super K> options) {
        return blocking(KeyedFunction.of(function, missing), options);
    }

    /**
     * Returns an executor of a function by key that runs on the {@linkplain AsyncCallableGroupCollapseExecutor#setExecutor
     * default executor}.
     *
     * @param function from the distinct keys of a batch to a map of their values; it may block and may hold other keys too
     * @param missing the answer of a caller whose key is not in the map
     * @param options how it gathers, and what it has to know of its inputs for that
     * @param <K> a key, with {@code equals} and {@code hashCode}
     * @param <V> a value
     * @return the executor
     */
    public static <K extends @Nullable Object, V extends @Nullable Object> FutureCollapseExecutor<K, V> asyncByKey(
            BatchFunction<? super Collection<K>, ? extends Map<K, V>> function,
            MissingKeyPolicy missing,
            InputOptions<? super K> options) {
        return async(KeyedFunction.of(function, missing), options, DefaultExecutor::get);
    }

    /**
     * Returns an executor of a function by key that runs on a given executor.
     *
     * @param function from the distinct keys of a batch to a map of their values; it may block and may hold other keys too
     * @param missing the answer of a caller whose key is not in the map
     * @param options how it gathers, and what it has to know of its inputs for that
     * @param executor runs the batches; it is not shut down by the object returned
     * @param <K> a key, with {@code equals} and {@code hashCode}
     * @param <V> a value
     * @return the executor
     */
    public static <K extends @Nullable Object, V extends @Nullable Object> FutureCollapseExecutor<K, V> asyncByKey(
            BatchFunction<? super Collection<K>, ? extends Map<K, V>> function,
            MissingKeyPolicy missing,
            InputOptions<? super K> options,
            Executor executor) {
        return async(KeyedFunction.of(function, missing), options, always(executor));
    }

    /**
     * Returns an executor of a function by key that does not block.
     *
     * @param function from the distinct keys of a batch to a stage of a map of their values; it may hold other keys too
     * @param missing the answer of a caller whose key is not in the map
     * @param options how it gathers, and what it has to know of its inputs for that
     * @param <K> a key, with {@code equals} and {@code hashCode}
     * @param <V> a value
     * @return the executor
     */
    public static <K extends @Nullable Object, V extends @Nullable Object> FutureCollapseExecutor<K, V> futureByKey(
            BatchFunction<? super Collection<K>, ? extends CompletionStage<? extends Map<K, V>>> function,
            MissingKeyPolicy missing,
            InputOptions<? super K> options) {
        return future(KeyedFunction.ofStage(function, missing), options);
    }

    /**
     * Returns an executor of a function by item that runs on the thread of a caller.
     *
     * @param function from the distinct keys of a batch to their items, in any order; items of other keys are ignored, and so is null
     * @param keyOf returns the key of an item; all callers of the batch get what it throws
     * @param missing the answer of a caller whose key no item has
     * @param options how it gathers, and what it has to know of its inputs for that
     * @param <K> a key, with {@code equals} and {@code hashCode}
     * @param <V> an item
     * @return the executor
     */
    public static <K extends @Nullable Object, V> BlockingCollapseExecutor<K, V> blockingByItem(
            BatchFunction<? super Collection<K>, ? extends Collection<? extends @Nullable V>> function,
            Function<? super V, ? extends K> keyOf,
            MissingKeyPolicy missing,
            InputOptions<? super K> options) {
        return blocking(KeyedFunction.of(ItemFunction.<K, V>of(function, keyOf), missing), options);
    }

    /**
     * Returns an executor of a function by item that runs on the {@linkplain AsyncCallableGroupCollapseExecutor#setExecutor
     * default executor}.
     *
     * @param function from the distinct keys of a batch to their items, in any order; it may block; items of other keys are ignored, and so is null
     * @param keyOf returns the key of an item; all callers of the batch get what it throws
     * @param missing the answer of a caller whose key no item has
     * @param options how it gathers, and what it has to know of its inputs for that
     * @param <K> a key, with {@code equals} and {@code hashCode}
     * @param <V> an item
     * @return the executor
     */
    public static <K extends @Nullable Object, V> FutureCollapseExecutor<K, V> asyncByItem(
            BatchFunction<? super Collection<K>, ? extends Collection<? extends @Nullable V>> function,
            Function<? super V, ? extends K> keyOf,
            MissingKeyPolicy missing,
            InputOptions<? super K> options) {
        return async(KeyedFunction.of(ItemFunction.<K, V>of(function, keyOf), missing), options, DefaultExecutor::get);
    }

    /**
     * Returns an executor of a function by item that runs on a given executor.
     *
     * @param function from the distinct keys of a batch to their items, in any order; it may block; items of other keys are ignored, and so is null
     * @param keyOf returns the key of an item; all callers of the batch get what it throws
     * @param missing the answer of a caller whose key no item has
     * @param options how it gathers, and what it has to know of its inputs for that
     * @param executor runs the batches; it is not shut down by the object returned
     * @param <K> a key, with {@code equals} and {@code hashCode}
     * @param <V> an item
     * @return the executor
     */
    public static <K extends @Nullable Object, V> FutureCollapseExecutor<K, V> asyncByItem(
            BatchFunction<? super Collection<K>, ? extends Collection<? extends @Nullable V>> function,
            Function<? super V, ? extends K> keyOf,
            MissingKeyPolicy missing,
            InputOptions<? super K> options,
            Executor executor) {
        return async(KeyedFunction.of(ItemFunction.<K, V>of(function, keyOf), missing), options, always(executor));
    }

    /**
     * Returns an executor of a function by item that does not block.
     *
     * @param function from the distinct keys of a batch to a stage of their items, in any order; items of other keys are ignored, and so is null
     * @param keyOf returns the key of an item; all callers of the batch get what it throws
     * @param missing the answer of a caller whose key no item has
     * @param options how it gathers, and what it has to know of its inputs for that
     * @param <K> a key, with {@code equals} and {@code hashCode}
     * @param <V> an item
     * @return the executor
     */
    public static <K extends @Nullable Object, V> FutureCollapseExecutor<K, V> futureByItem(
            BatchFunction<? super Collection<K>, ? extends CompletionStage<? extends Collection<? extends @Nullable V>>>
                    function,
            Function<? super V, ? extends K> keyOf,
            MissingKeyPolicy missing,
            InputOptions<? super K> options) {
        return future(KeyedFunction.ofStage(ItemFunction.<K, V>ofStage(function, keyOf), missing), options);
    }

    /**
     * Returns an executor of a function in order that runs on the thread of a caller.
     *
     * @param function from the inputs of a batch to as many outputs, in the same order
     * @param options how it gathers, and what it has to know of its inputs for that
     * @param <I> an input
     * @param <O> an output
     * @return the executor
     */
    public static <I extends @Nullable Object, O extends @Nullable Object>
            BlockingCollapseExecutor<I, O> blockingInOrder(
                    BatchFunction<? super List<I>, ? extends List<O>> function, InputOptions<? super I> options) {
        return blocking(OrderedFunction.of(function), options);
    }

    /**
     * Returns an executor of a function in order that runs on the {@linkplain AsyncCallableGroupCollapseExecutor#setExecutor
     * default executor}.
     *
     * @param function from the inputs of a batch to as many outputs, in the same order; it may block
     * @param options how it gathers, and what it has to know of its inputs for that
     * @param <I> an input
     * @param <O> an output
     * @return the executor
     */
    public static <I extends @Nullable Object, O extends @Nullable Object> FutureCollapseExecutor<I, O> asyncInOrder(
            BatchFunction<? super List<I>, ? extends List<O>> function, InputOptions<? super I> options) {
        return async(OrderedFunction.of(function), options, DefaultExecutor::get);
    }

    /**
     * Returns an executor of a function in order that runs on a given executor.
     *
     * @param function from the inputs of a batch to as many outputs, in the same order; it may block
     * @param options how it gathers, and what it has to know of its inputs for that
     * @param executor runs the batches; it is not shut down by the object returned
     * @param <I> an input
     * @param <O> an output
     * @return the executor
     */
    public static <I extends @Nullable Object, O extends @Nullable Object> FutureCollapseExecutor<I, O> asyncInOrder(
            BatchFunction<? super List<I>, ? extends List<O>> function,
            InputOptions<? super I> options,
            Executor executor) {
        return async(OrderedFunction.of(function), options, always(executor));
    }

    /**
     * Returns an executor of a function in order that does not block.
     *
     * @param function from the inputs of a batch to a stage of as many outputs, in the same order
     * @param options how it gathers, and what it has to know of its inputs for that
     * @param <I> an input
     * @param <O> an output
     * @return the executor
     */
    public static <I extends @Nullable Object, O extends @Nullable Object> FutureCollapseExecutor<I, O> futureInOrder(
            BatchFunction<? super List<I>, ? extends CompletionStage<? extends List<O>>> function,
            InputOptions<? super I> options) {
        return future(OrderedFunction.ofStage(function), options);
    }

    private static <I extends @Nullable Object, O extends @Nullable Object> BlockingCollapseExecutor<I, O> blocking(
            BatchFunction<Collection<Input<I>>, BatchResult<I, O>> function, InputOptions<? super I> options) {
        BlockingRunner<I, O, BatchResult<I, O>> runner = new BlockingRunner<>(
                requireNonNull(options, "options").gathering(),
                true,
                FunctionWork.of(function, options),
                SystemScheduler.INSTANCE);
        return new BlockingFunctionExecutor<>(runner, options);
    }

    private static <I extends @Nullable Object, O extends @Nullable Object> FutureCollapseExecutor<I, O> async(
            BatchFunction<Collection<Input<I>>, BatchResult<I, O>> function,
            InputOptions<? super I> options,
            Supplier<Executor> executor) {
        requireNonNull(options, "options");
        return future(StageWork.of(FunctionWork.of(function, options)), options, group -> executor.get());
    }

    private static Supplier<Executor> always(Executor executor) {
        requireNonNull(executor, "executor");
        return () -> executor;
    }

    private static <I extends @Nullable Object, O extends @Nullable Object> FutureCollapseExecutor<I, O> future(
            BatchFunction<Collection<Input<I>>, CompletionStage<BatchResult<I, O>>> function,
            InputOptions<? super I> options) {
        requireNonNull(options, "options");
        return future(FunctionWork.ofStages(function, options), options, null);
    }

    private static <I extends @Nullable Object, O extends @Nullable Object> FutureCollapseExecutor<I, O> future(
            StageWork<I, O, BatchResult<I, O>> work,
            InputOptions<? super I> options,
            @Nullable Function<Object, Executor> executorOf) {
        FutureRunner<I, O, BatchResult<I, O>, O> runner = new FutureRunner<>(
                options.gathering(), true, work, CallerAnswer.direct(), executorOf, SystemScheduler.INSTANCE);
        return new FutureFunctionExecutor<>(runner, options);
    }
}
