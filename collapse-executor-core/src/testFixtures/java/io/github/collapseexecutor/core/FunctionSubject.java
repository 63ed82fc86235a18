package io.github.collapseexecutor.core;

import static java.util.stream.Collectors.toList;

import io.github.collapseexecutor.core.Backend.Execution;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** An executor of a function, of one of the kinds, as a test calls it; the function calls a backend. */
interface FunctionSubject {

    Caller submit(String input);

    static FunctionSubject inOrder(Kind kind, Backend backend, InputOptions<? super String> options) {
        return switch (kind) {
            case BLOCKING -> ofThreads(CollapseExecutors.blockingInOrder(backend::outputs, options));
            case ASYNC -> ofFutures(CollapseExecutors.asyncInOrder(backend::outputs, options));
            case FUTURE ->
                ofFutures(CollapseExecutors.futureInOrder((List<String> inputs) -> stage(inputs, backend), options));
        };
    }

    static FunctionSubject byKey(Kind kind, Backend backend, InputOptions<? super String> options) {
        BatchFunction<Collection<String>, Map<String, String>> function =
                keys -> backend.call(new ArrayList<>(keys)).await();
        return switch (kind) {
            case BLOCKING -> ofThreads(CollapseExecutors.blockingByKey(function, MissingKeyPolicy.FAILURE, options));
            case ASYNC -> ofFutures(CollapseExecutors.asyncByKey(function, MissingKeyPolicy.FAILURE, options));
            case FUTURE ->
                ofFutures(CollapseExecutors.futureByKey(
                        (Collection<String> keys) -> backend.call(new ArrayList<>(keys)).result,
                        MissingKeyPolicy.FAILURE,
                        options));
        };
    }

    private static CompletableFuture<List<String>> stage(List<String> inputs, Backend backend) {
        Execution execution = backend.call(inputs);
        return execution.result.thenApply(outputs -> outputs(inputs, outputs));
    }

    private static List<String> outputs(List<String> inputs, Map<String, String> outputs) {
        return inputs.stream().map(outputs::get).collect(toList());
    }

    private static FunctionSubject ofThreads(BlockingCollapseExecutor<String, String> executor) {
        return input -> new Caller.OnThread("caller of " + input, () -> executor.execute(input));
    }

    private static FunctionSubject ofFutures(FutureCollapseExecutor<String, String> executor) {
        return input -> new Caller.OfFuture(executor.execute(input));
    }
}
