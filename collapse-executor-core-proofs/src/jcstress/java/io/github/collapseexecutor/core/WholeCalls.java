package io.github.collapseexecutor.core;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Whole calls of a blocking executor by an actor, which may not throw what such a call may. */
final class WholeCalls {

    /** A bulk call that answers every input, unless the thread that makes it is to be interrupted. */
    static final class Work implements BatchWork<Integer, Integer, Integer> {

        volatile @Nullable Thread interrupted;

        @Override
        public Integer execute(Batch<Integer, Integer> batch) throws InterruptedException {
            int inputs = batch.inputs().size();
            if (Thread.currentThread() == interrupted) {
                throw new InterruptedException();
            }
            return inputs;
        }

        @Override
        public void bind(Integer inputs, Batch<Integer, Integer> batch) {
            for (Bundle<Integer, Integer> bundle : batch.bundles()) {
                bundle.bindOutput(BareEngine.answerTo(bundle.getInput()));
            }
        }
    }

    private WholeCalls() {}

    static <T> T call(Callable<T> call) {
        try {
            return call.call();
        } catch (Exception e) {
            throw new IllegalStateException("A call failed that nothing should have failed", e);
        }
    }

    /** How a call ended whose thread may be interrupted or whose batch may fail; takes an interruption away. */
    static String end(Callable<Integer> call, int expected) {
        String end;
        try {
            end = call.call() == expected ? "answered" : "given another's answer";
        } catch (InterruptedException e) {
            end = "out";
        } catch (Exception e) {
            end = "failed by " + e.getClass().getSimpleName();
        }
        return Thread.interrupted() ? end + ", still interrupted" : end;
    }
}
