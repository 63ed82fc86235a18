package io.github.collapseexecutor.core;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A caller without a thread or a future, which counts what happens to it. */
final class ProbeCall extends Call<Integer, Integer> {

    final AtomicInteger executions = new AtomicInteger();
    private final AtomicInteger deliveries = new AtomicInteger();
    /** Who delivered to it. */
    volatile @Nullable Thread deliverer;

    ProbeCall(int input) {
        super(input);
    }

    @Override
    void deliver() {
        deliverer = Thread.currentThread();
        deliveries.incrementAndGet();
    }

    /** How the call ended, in the words that outcomes are made of; for an arbiter. */
    String end() {
        if (deliveries.get() > 1) {
            return "answered twice";
        }
        if (hasLeft() && deliveries.get() == 1) {
            return "answered though it had left";
        }
        if (hasWithdrawn()) {
            return executions.get() > 0 ? "executed though withdrawn" : "withdrawn";
        }
        if (hasLeftInFlight()) {
            return "left";
        }
        if (deliveries.get() == 0) {
            return "never answered";
        }
        if (failure() != null) {
            return "failed by " + failure().getClass().getSimpleName();
        }
        if (executions.get() > 1) {
            return "executed twice";
        }
        return output().equals(BareEngine.answerTo(value())) ? "answered" : "given another's answer";
    }
}
