package io.github.collapseexecutor.sample.simple;

import io.github.collapseexecutor.core.FutureCallableGroupCollapseExecutor;
import java.util.concurrent.CompletableFuture;

/** Without a thread of its own: the callable must not block, and returns a stage of the result. */
@SuppressWarnings("FutureReturnValueIgnored") // the documentation ends the program in the last stage
public class FutureCollapseExecutorExample {

    public static void main(String[] args) throws Throwable {
        FutureCallableGroupCollapseExecutor futureCollapseExecutor = new FutureCallableGroupCollapseExecutor();
        futureCollapseExecutor
                .execute(
                        "example group",
                        () -> CompletableFuture.completedFuture("Hello World Collapse Executor. Future"))
                .thenAccept(System.out::println)
                .thenRun(() -> System.exit(0));
        System.in.read();
    }
}
