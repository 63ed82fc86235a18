package io.github.collapseexecutor.sample.simple;

import io.github.collapseexecutor.core.AsyncCallableGroupCollapseExecutor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** On a pool: the caller holds a future, and of the callables submitted for a group at the same time, one runs. */
@SuppressWarnings("FutureReturnValueIgnored") // the documentation ends the program in the last stage
public class AsyncCollapseExecutorExample {

    public static void main(String[] args) throws Throwable {
        AsyncCallableGroupCollapseExecutor asyncCallableGroupCollapseExecutor =
                new AsyncCallableGroupCollapseExecutor();
        asyncCallableGroupCollapseExecutor.setExecutor(
                new ThreadPoolExecutor(10, 10, 0, TimeUnit.MILLISECONDS, new LinkedBlockingQueue<>(), r -> {
                    Thread thread = new Thread(r);
                    thread.setDaemon(true);
                    return thread;
                }));
        asyncCallableGroupCollapseExecutor
                .execute("example group", () -> "Hello World Collapse Executor. Async")
                .thenAccept(System.out::println)
                .thenRun(() -> System.exit(0));
        System.in.read();
    }
}
