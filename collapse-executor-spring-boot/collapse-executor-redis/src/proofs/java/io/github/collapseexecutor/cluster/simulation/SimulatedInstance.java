package io.github.collapseexecutor.cluster.simulation;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/** An instance: its callers, the executor that gathers them, and its waiters. */
final class SimulatedInstance {

    /** A batch in flight. */
    final class Batch {

        final double start = time.now();
        final List<Double> askedAt;
        boolean overtaken;

        Batch(List<Double> askedAt) {
            this.askedAt = askedAt;
        }

        /** The backend is called, for the cluster or for this instance alone. */
        void call(Consumer<Boolean> afterwards) {
            totals.backendCalls++;
            boolean fails = workload.failingPart() > 0 && random.nextDouble() < workload.failingPart();
            boolean hangs = workload.hangingPart() > 0 && random.nextDouble() < workload.hangingPart();
            double spread = workload.callSpread() == 0 ? 0 : workload.callSpread() * (2 * random.nextDouble() - 1);
            double length = hangs ? workload.hangTime() : workload.callTime() + spread;
            time.after(length, () -> {
                if (!fails) {
                    times.took(length);
                }
                afterwards.accept(fails);
                end();
            });
        }

        void end() {
            batches.remove(this);
            batches.stream().filter(other -> other.start < start).forEach(other -> other.overtaken = true);
            for (double asked : askedAt) {
                totals.answered(time.now() - asked);
                think();
            }
            startIfDue();
        }
    }

    private final SimulatedTime time;
    private final Workload workload;
    private final SimulatedRedis redis;
    private final SimulatedKey key;
    private final SimulatedBreaker breaker;
    private final Totals totals;
    private final Random random;

    private final List<Batch> batches = new ArrayList<>();
    private final Set<SimulatedWaiter> listeners = new LinkedHashSet<>();
    private List<Double> gathering = new ArrayList<>();
    private double lastStart = Double.NEGATIVE_INFINITY;
    private SimulatedTime.Event due;
    private LongConsumer channel;
    private final SimulatedTimes times;

    SimulatedInstance(
            SimulatedTime time,
            Workload workload,
            SimulatedRedis redis,
            SimulatedKey key,
            Totals totals,
            Random random) {
        this.time = time;
        this.workload = workload;
        this.redis = redis;
        this.key = key;
        this.totals = totals;
        this.random = random;
        this.times = new SimulatedTimes(workload);
        this.breaker = new SimulatedBreaker(time);
        this.due = time.after(0, () -> {});
        this.channel = ticket -> {};
    }

    /** Has all callers think, each for as long as it likes. */
    void begin() {
        for (int i = 0; i < workload.callers(); i++) {
            think();
        }
    }

    private void think() {
        if (workload.thinkTime() < Double.POSITIVE_INFINITY) {
            time.after(-workload.thinkTime() * StrictMath.log(1 - random.nextDouble()), this::ask);
        }
    }

    /** A caller asks. */
    void ask() {
        gathering.add(time.now());
        startIfDue();
    }

    private void startIfDue() {
        if (gathering.isEmpty()) {
            return;
        }
        due.cancel();
        double oldest = batches.stream()
                .filter(batch -> !batch.overtaken)
                .mapToDouble(batch -> batch.start)
                .min()
                .orElse(Double.NaN);
        double factor = workload.localRatio() / (1 - workload.localRatio());
        double rule = lastStart + factor * (lastStart - oldest) - time.now(); // not a number without an oldest
        double wait = Math.max(rule > 0 ? rule : 0, gathering.get(0) + workload.localWait() - time.now());
        if (wait > 0) {
            due = time.after(wait, this::startIfDue);
            return;
        }
        lastStart = time.now();
        Batch batch = new Batch(gathering);
        gathering = new ArrayList<>();
        batches.add(batch);
        new SimulatedWaiter(time, workload, redis, key, breaker, this, batch, totals).begin();
    }

    SimulatedTimes times() {
        return times;
    }

    /** Has a waiter told, if there is a channel already. */
    void join(SimulatedWaiter waiter) {
        if (!listeners.isEmpty()) {
            listeners.add(waiter);
        }
    }

    void subscribe(SimulatedWaiter waiter) {
        boolean opens = listeners.isEmpty();
        listeners.add(waiter);
        if (opens) {
            LongConsumer opened = this::tell;
            channel = opened;
            redis.subscribe(opened, () -> {
                if (channel == opened) {
                    tell(Long.MAX_VALUE);
                }
            });
        }
    }

    void leave(SimulatedWaiter waiter) {
        if (listeners.remove(waiter) && listeners.isEmpty()) {
            redis.unsubscribe(channel);
        }
    }

    private void tell(long ticket) {
        List.copyOf(listeners).forEach(waiter -> waiter.told(ticket));
    }
}
