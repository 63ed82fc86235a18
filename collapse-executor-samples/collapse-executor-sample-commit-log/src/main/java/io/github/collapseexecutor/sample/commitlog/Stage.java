package io.github.collapseexecutor.sample.commitlog;

import io.github.collapseexecutor.core.Bundle;
import io.github.collapseexecutor.core.CollapseExecutorAsyncSupport;
import io.github.collapseexecutor.core.CollapseListener;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.Input;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One stage of the log: a collapsing executor with one batch in flight. It works on a batch, hands the result on to the
 * next stage as <em>one</em> input, and is then free for its next batch, which has been gathering meanwhile. Its callers get the future that the next
 * stage gave: they are answered when their records have left the last stage.
 *
 * <p>Inputs are handed on in order of submission, because batches follow one another and are handed on before they end.
 * That is done even if every caller has left: what one stage has done with a record, the next ones finish.
 *
 * @param <I> what the stage works on
 */
public final class Stage<I> extends CollapseExecutorAsyncSupport<I, Boolean, CompletableFuture<Boolean>> {

    /**
     * What a stage does with a batch.
     *
     * @param <I> what the stage works on
     */
    public interface Work<I> {

        /**
         * Works on a batch.
         *
         * @param inputs in order of submission, at least one
         * @return says when they are through the stages behind this one
         * @throws Exception what every caller of the batch is to get
         */
        CompletableFuture<Boolean> run(List<I> inputs) throws Exception;
    }

    // immutable
    private final Work<I> work;
    private final ThreadPoolExecutor threads;

    Stage(
            String name,
            ThreadPoolExecutor threads,
            int maxBatchSize,
            @Nullable CollapseListener listener,
            Work<I> work) {
        super(CollapseOptions.builder()
                .name(name)
                .maxConcurrentBatches(1)
                .maxBatchSize(maxBatchSize)
                .listener(listener)
                .build());
        this.work = work;
        this.threads = threads;
        setExecutor(threads);
    }

    /**
     * Creates a stage on a thread of its own: one that is busy never waits for another to wake up.
     *
     * @param <I> what the stage works on
     * @param name of the executor and the thread
     * @param maxBatchSize how many inputs a batch may have
     * @param listener is told of the batches, if not null
     * @param work what it does
     * @return the stage
     */
    public static <I> Stage<I> onOwnThread(
            String name, int maxBatchSize, @Nullable CollapseListener listener, Work<I> work) {
        return new Stage<>(name, thread(name), maxBatchSize, listener, work);
    }

    /** One thread, which ends when it has been idle for a second. */
    private static ThreadPoolExecutor thread(String name) {
        ThreadPoolExecutor executor =
                new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, name);
                    thread.setDaemon(true);
                    return thread;
                });
        executor.allowCoreThreadTimeOut(true);
        return executor;
    }

    @Override
    protected CompletableFuture<Boolean> doExecute(Collection<Input<I>> inputs) throws Exception {
        return work.run(inputs.stream().map(Input::value).toList());
    }

    @Override
    protected void bindingOutput(
            CompletableFuture<Boolean> through, List<Bundle<I, CompletableFuture<Boolean>>> bundles) {
        bundles.forEach(bundle -> bundle.bindOutput(through));
    }

    /** Lets its threads end; what is submitted from now on is refused. */
    public void shutDown() {
        threads.shutdown();
    }
}
