package io.github.collapseexecutor.sample.simple;

import io.github.collapseexecutor.core.BlockingCallableGroupCollapseExecutor;

/** On the caller's own thread: of the callables submitted for a group at the same time, one runs. */
public class BlockingCollapseExecutorExample {

    public static void main(String[] args) throws Throwable {
        BlockingCallableGroupCollapseExecutor blockingCollapseExecutor = new BlockingCallableGroupCollapseExecutor();
        String outputString =
                blockingCollapseExecutor.execute("example group", () -> "Hello World Collapse Executor. Blocking");
        System.out.println(outputString);
    }
}
