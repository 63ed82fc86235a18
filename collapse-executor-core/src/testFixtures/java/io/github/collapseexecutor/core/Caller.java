package io.github.collapseexecutor.core;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Somebody who has called an executor under test, whatever its kind. */
abstract class Caller {

    /** How the call ended: the output, or what it threw. */
    abstract CompletableFuture<String> end();

    /** Interrupts or cancels the call. */
    abstract void leave();

    /** Returns when the call stands in a batch, so that what the test does next comes after it. */
    abstract Caller awaitJoined();

    final String output() throws Exception {
        try {
            return end().get(10, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw Failures.rethrow(e.getCause());
        }
    }

    /** What the call ended with, as it was thrown: {@code get} would wrap it, on some JDKs even a cancellation. */
    final Throwable failure() throws Exception {
        Throwable failure = end().handle((output, thrown) -> thrown).get(10, TimeUnit.SECONDS);
        if (failure == null) {
            throw new AssertionError("ended with " + end().get());
        }
        return failure;
    }

    interface Callee {

        String call() throws Exception;
    }

    /** A caller with a thread of its own that is in the call until it ends. */
    static final class OnThread extends Caller {

        private final CompletableFuture<String> end = new CompletableFuture<>();
        final Thread thread;
        volatile boolean interruptedAfter;

        OnThread(String name, Callee callee) {
            thread = new Thread(
                    () -> {
                        try {
                            String output = callee.call();
                            interruptedAfter = Thread.currentThread().isInterrupted();
                            end.complete(output);
                        } catch (Throwable failure) {
                            interruptedAfter = Thread.currentThread().isInterrupted();
                            end.completeExceptionally(failure);
                        }
                    },
                    name);
            thread.setDaemon(true);
            thread.start();
        }

        @Override
        CompletableFuture<String> end() {
            return end;
        }

        @Override
        void leave() {
            thread.interrupt();
        }

        @Override
        Caller awaitJoined() {
            Eventually.until(() -> LockSupport.getBlocker(thread) instanceof Batch || end.isDone());
            return this;
        }
    }

    /** A caller that holds a future. */
    static final class OfFuture extends Caller {

        final CompletableFuture<String> future;

        OfFuture(CompletableFuture<String> future) {
            this.future = future;
        }

        @Override
        CompletableFuture<String> end() {
            return future;
        }

        @Override
        void leave() {
            future.cancel(true);
        }

        @Override
        Caller awaitJoined() {
            return this;
        }
    }
}
