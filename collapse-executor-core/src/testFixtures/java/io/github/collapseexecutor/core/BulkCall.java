package io.github.collapseexecutor.core;

import static java.util.stream.Collectors.toList;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Somebody who has submitted many inputs together, whatever the kind of executor. */
abstract class BulkCall {

    /** What came of each input, or what the whole call threw. */
    abstract CompletableFuture<List<InputOutcome<String>>> end();

    /** Interrupts the call, or cancels all of its futures. */
    abstract void leave();

    /** Returns when the inputs stand in batches, so that what the test does next comes after it. */
    abstract BulkCall awaitJoined();

    /** Returns when an input whose batch has just ended has its answer: ends are told by other threads than the one that asks. */
    abstract void awaitAnswered(int index);

    final List<InputOutcome<String>> outcomes() throws Exception {
        return end().get(10, TimeUnit.SECONDS);
    }

    /** The output of each input, or the message or class of its failure. */
    final List<String> shown() throws Exception {
        return outcomes().stream()
                .map(outcome -> {
                    Throwable failure = outcome.failure();
                    try {
                        return failure == null
                                ? outcome.output()
                                : failure.getClass().getSimpleName();
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                })
                .collect(toList());
    }

    static final class OnThread extends BulkCall {

        private final CompletableFuture<List<InputOutcome<String>>> end = new CompletableFuture<>();
        final Thread thread;

        OnThread(Callable<List<InputOutcome<String>>> callee) {
            thread = new Thread(
                    () -> {
                        try {
                            end.complete(callee.call());
                        } catch (Throwable failure) {
                            end.completeExceptionally(failure);
                        }
                    },
                    "caller of many");
            thread.setDaemon(true);
            thread.start();
        }

        @Override
        CompletableFuture<List<InputOutcome<String>>> end() {
            return end;
        }

        @Override
        void leave() {
            thread.interrupt();
        }

        @Override
        BulkCall awaitJoined() {
            Eventually.until(() -> LockSupport.getBlocker(thread) instanceof Batch || end.isDone());
            return this;
        }

        @Override
        void awaitAnswered(int index) {
            awaitJoined(); // the thread that led the input's batch waits for the others
        }
    }

    static final class OfFutures extends BulkCall {

        final List<CompletableFuture<String>> futures;

        OfFutures(List<CompletableFuture<String>> futures) {
            this.futures = futures;
        }

        @Override
        CompletableFuture<List<InputOutcome<String>>> end() {
            List<CompletableFuture<InputOutcome<String>>> ends = futures.stream()
                    .map(future -> future.handle((output, failure) ->
                            failure == null ? InputOutcome.of(output) : InputOutcome.<String>failed(failure)))
                    .collect(toList());
            return FutureBulk.all(ends);
        }

        @Override
        void leave() {
            futures.forEach(future -> future.cancel(true));
        }

        @Override
        BulkCall awaitJoined() {
            return this;
        }

        @Override
        void awaitAnswered(int index) {
            Eventually.until(futures.get(index)::isDone);
        }
    }
}
