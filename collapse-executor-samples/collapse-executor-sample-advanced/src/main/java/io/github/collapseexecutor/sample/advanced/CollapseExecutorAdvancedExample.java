package io.github.collapseexecutor.sample.advanced;

import io.github.collapseexecutor.core.BlockingCollapseExecutor;
import io.github.collapseexecutor.core.CollapseExecutors;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.MissingKeyPolicy;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;

/** Fifty callers at once, each with a user of its own, in three ways; prints how many bulk calls each way made. */
public final class CollapseExecutorAdvancedExample {

    private static final int CALLERS = 50;

    /** One batch at a time: while it is in flight the next one gathers. */
    private static final CollapseOptions OPTIONS = CollapseOptions.builder()
            .name("users")
            .maxConcurrentBatches(1)
            .maxBatchSize(CALLERS)
            .build();

    private CollapseExecutorAdvancedExample() {}

    public static void main(String[] args) throws Exception {
        run(System.out);
    }

    static void run(PrintStream out) throws Exception {
        ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
        try {
            UserService forBlocking = new UserService();
            report(
                    out,
                    "blocking",
                    forBlocking,
                    ofThreads(callers, new CustomBlockingCollapseExecutor(forBlocking, OPTIONS)));

            UserService forFunction = new UserService();
            BlockingCollapseExecutor<Long, UserEntity> function =
                    CollapseExecutors.blockingByKey(forFunction::findAll, MissingKeyPolicy.FAILURE, OPTIONS);
            report(out, "blocking, by function", forFunction, ofThreads(callers, function));

            UserService forAsync = new UserService();
            CustomAsyncCollapseExecutor async = new CustomAsyncCollapseExecutor(forAsync, OPTIONS);
            async.setExecutor(callers);
            List<CompletableFuture<UserEntity>> futures =
                    LongStream.rangeClosed(1, CALLERS).mapToObj(async::execute).toList();
            report(out, "async", forAsync, futures);
        } finally {
            callers.shutdownNow();
        }
    }

    private static List<Future<UserEntity>> ofThreads(
            ExecutorService callers, BlockingCollapseExecutor<Long, UserEntity> users) throws InterruptedException {
        List<Callable<UserEntity>> calls = new ArrayList<>();
        for (long id = 1; id <= CALLERS; id++) {
            Long own = id;
            calls.add(() -> users.execute(own));
        }
        return callers.invokeAll(calls);
    }

    private static void report(
            PrintStream out, String way, UserService service, List<? extends Future<UserEntity>> answers)
            throws Exception {
        for (int i = 0; i < answers.size(); i++) {
            UserEntity answer = answers.get(i).get();
            if (answer.id() != i + 1) {
                throw new IllegalStateException("The caller of user " + (i + 1) + " was given " + answer);
            }
        }
        out.println(way + ": " + answers.size() + " callers, " + service.calls() + " bulk calls");
    }
}
