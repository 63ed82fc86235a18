package io.github.collapseexecutor.cluster.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/** Many instances that ask for one key, and one Redis between them. The same seed gives the same run. */
public final class ClusterSimulation {

    private final SimulatedTime time = new SimulatedTime();
    private final SimulatedRedis redis;
    private final Totals totals = new Totals();
    private final List<SimulatedInstance> instances = new ArrayList<>();

    private final Workload workload;

    /** Prepares a run. */
    public ClusterSimulation(Workload workload, long seed) {
        this.workload = workload;
        redis = new SimulatedRedis(time, workload);
        SimulatedKey key = new SimulatedKey(time, workload, redis);
        Random random = new Random(seed);
        for (int i = 0; i < workload.instances(); i++) {
            instances.add(new SimulatedInstance(time, workload, redis, key, totals, random));
        }
    }

    /** Lets callers ask for a while, then for another while that is measured. */
    public Outcome run(double warmUp, double measured) {
        instances.forEach(SimulatedInstance::begin);
        time.runUntil(warmUp);
        totals.forget();
        redis.forgetCounts();
        time.runUntil(warmUp + measured);
        return new Outcome(workload, this, measured);
    }

    /**
     * Has a single caller of some instances ask once, each at its time.
     *
     * @param askedAt microseconds, of one instance each
     * @return how often each command was carried out until all was over
     */
    public Commands once(List<Double> askedAt) {
        for (int i = 0; i < askedAt.size(); i++) {
            time.after(askedAt.get(i), instances.get(i)::ask);
        }
        time.runUntil(1e12);
        return new Commands(redis.scripts(), redis.publications(), redis.subscriptions(), totals.backendCalls);
    }

    /**
     * How often Redis carried out each command.
     *
     * @param scripts runs of the script
     * @param publications messages, each to all subscribers
     * @param subscriptions subscriptions and their ends
     * @param backendCalls how often the backend was called
     */
    public record Commands(long scripts, long publications, long subscriptions, long backendCalls) {}

    /** The result of a run; rates are for a second. */
    public record Outcome(
            int instances,
            double answers,
            double backendCalls,
            double callsFor1000,
            double alonePercent,
            double scripts,
            double subscriptions,
            double publications,
            double messages,
            long fanOut,
            double load,
            double megabytes,
            double p50,
            double p99) {

        private Outcome(Workload workload, ClusterSimulation run, double micros) {
            this(
                    workload.instances(),
                    run.totals.answers() / micros * 1e6,
                    run.totals.backendCalls / micros * 1e6,
                    1_000.0 * run.totals.backendCalls / run.totals.answers(),
                    100.0
                            * run.totals.alone
                            / (run.totals.alone + run.totals.tooShort + run.totals.led + run.totals.taken),
                    run.redis.scripts() / micros * 1e6,
                    run.redis.subscriptions() / micros * 1e6,
                    run.redis.publications() / micros * 1e6,
                    run.redis.messages() / micros * 1e6,
                    run.redis.longestFanOut(),
                    run.redis.load(),
                    run.totals.bytes / micros,
                    run.totals.latency(0.5) / 1_000,
                    run.totals.latency(0.99) / 1_000);
        }

        /** Returns it as a row of the page. */
        public String row(String what) {
            return String.format(
                    Locale.ROOT,
                    "| %s | %,d | %,.0f | %,.0f | %.1f | %.1f %% | %,.0f | %,.0f | %,d | %.0f %% | %.0f | %.0f |",
                    what,
                    instances,
                    answers,
                    backendCalls,
                    callsFor1000,
                    alonePercent,
                    scripts + subscriptions,
                    messages,
                    fanOut,
                    100 * load,
                    p50,
                    p99);
        }
    }
}
