package io.github.collapseexecutor.cluster.simulation;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;

/** One thread that does one command after another, and the channel of the one key. */
final class SimulatedRedis {

    private final SimulatedTime time;
    private final Workload workload;
    private final Set<LongConsumer> subscribers = new LinkedHashSet<>();

    private double freeAt;
    private double busy;
    private double countsSince;
    private long scripts;
    private long subscriptions;
    private long publications;
    private long messages;
    private long longestFanOut;

    SimulatedRedis(SimulatedTime time, Workload workload) {
        this.time = time;
        this.workload = workload;
    }

    /** Forgets what was counted until now. */
    void forgetCounts() {
        busy = 0;
        scripts = 0;
        subscriptions = 0;
        publications = 0;
        messages = 0;
        longestFanOut = 0;
        countsSince = time.now();
    }

    /** Sends what runs the script: it takes its turn. */
    void runScript(Runnable script) {
        time.after(workload.latency(), () -> {
            scripts++;
            serve(workload.costs().script(), script);
        });
    }

    void subscribe(LongConsumer subscriber, Runnable done) {
        subscription(() -> {
            subscribers.add(subscriber);
            time.after(workload.latency(), done);
        });
    }

    void unsubscribe(LongConsumer subscriber) {
        subscription(() -> subscribers.remove(subscriber));
    }

    private void subscription(Runnable action) {
        time.after(workload.latency(), () -> {
            subscriptions++;
            serve(workload.costs().subscription(), action);
        });
    }

    private void serve(double cost, Runnable action) {
        occupy(cost);
        time.after(freeAt - time.now(), action);
    }

    private void occupy(double cost) {
        freeAt = Math.max(freeAt, time.now()) + cost;
        busy += cost;
    }

    /** Tells all subscribers, as part of a script. */
    void publish(long ticket) {
        publications++;
        messages += subscribers.size();
        longestFanOut = Math.max(longestFanOut, subscribers.size());
        List<LongConsumer> told = new ArrayList<>(subscribers);
        for (LongConsumer subscriber : told) {
            occupy(workload.costs().message());
            time.after(freeAt - time.now() + workload.latency(), () -> subscriber.accept(ticket));
        }
    }

    /** How long a command that comes now has to wait for its turn. */
    double backlog() {
        return Math.max(0, freeAt - time.now());
    }

    /** The part of the time in which it was busy; more than 1 if work is left. */
    double load() {
        return busy / (time.now() - countsSince);
    }

    long scripts() {
        return scripts;
    }

    long subscriptions() {
        return subscriptions;
    }

    long publications() {
        return publications;
    }

    long messages() {
        return messages;
    }

    long longestFanOut() {
        return longestFanOut;
    }
}
