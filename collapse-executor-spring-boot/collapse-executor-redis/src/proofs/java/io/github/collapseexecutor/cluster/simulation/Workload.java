package io.github.collapseexecutor.cluster.simulation;

import java.util.function.Consumer;

/**
 * What instances do, and what Redis costs; times are microseconds. By default, each instance has ten callers that ask once a second, the backend
 * takes 50 ms, and the options are the library's defaults. Each method that changes something returns another workload.
 */
public final class Workload {

    /**
     * What commands cost Redis.
     *
     * @param script one run of the script
     * @param message one message to one subscriber
     * @param subscription subscribing, or the end of it
     */
    public record Costs(double script, double message, double subscription) {

        /** On one core of an AMD EPYC: {@code ClusterSimulationTests} measures them. */
        public static final Costs MEASURED = new Costs(26, 4, 10);
    }

    private int instances;
    private int callers = 10;
    private double thinkTime = 1_000_000;
    private double callTime = 50_000;
    private double callSpread = 0;
    private double failingPart = 0;
    private double hangingPart = 0;
    private double hangTime = 0;
    private boolean shared = true;
    private double localRatio = 0.1;
    private double localWait = 0;
    private double ratio = 0.1;
    private boolean joinsInFlight = false;
    private double maxWait = 1_000_000;
    private double maxDelay = 50_000;
    private double latency = 100;
    private Costs costs = Costs.MEASURED;
    private int resultBytes = 1_000;

    private Workload(int instances) {
        this.instances = instances;
    }

    /** So many instances, and the defaults. */
    public static Workload of(int instances) {
        return new Workload(instances);
    }

    private Workload with(Consumer<Workload> change) {
        Workload copy = new Workload(instances);
        copy.callers = callers;
        copy.thinkTime = thinkTime;
        copy.callTime = callTime;
        copy.callSpread = callSpread;
        copy.failingPart = failingPart;
        copy.hangingPart = hangingPart;
        copy.hangTime = hangTime;
        copy.shared = shared;
        copy.localRatio = localRatio;
        copy.localWait = localWait;
        copy.ratio = ratio;
        copy.joinsInFlight = joinsInFlight;
        copy.maxWait = maxWait;
        copy.maxDelay = maxDelay;
        copy.latency = latency;
        copy.costs = costs;
        copy.resultBytes = resultBytes;
        change.accept(copy);
        return copy;
    }

    /** Has so many callers in each instance, which pause for so long on average. */
    public Workload callers(int each, double pause) {
        return with(copy -> {
            copy.callers = each;
            copy.thinkTime = pause;
        });
    }

    /** Has the backend take so long. */
    public Workload callTime(double micros) {
        return with(copy -> copy.callTime = micros);
    }

    /** Has the backend take so much more or less, by chance. */
    public Workload callSpread(double micros) {
        return with(copy -> copy.callSpread = micros);
    }

    /** Has this part of the calls fail. */
    public Workload failing(double part) {
        return with(copy -> copy.failingPart = part);
    }

    /** Has this part of the calls hang for so long. */
    public Workload hanging(double part, double micros) {
        return with(copy -> {
            copy.hangingPart = part;
            copy.hangTime = micros;
        });
    }

    /** Has each instance make its calls alone. */
    public Workload unshared() {
        return with(copy -> copy.shared = false);
    }

    /** Sets the {@code maxWaitRatio} of each instance's executor. */
    public Workload localRatio(double part) {
        return with(copy -> copy.localRatio = part);
    }

    /** Sets the {@code collectingWaitTime} of each instance's executor. */
    public Workload localWait(double micros) {
        return with(copy -> copy.localWait = micros);
    }

    /** Sets the {@code maxWaitRatio} of the cluster. */
    public Workload ratio(double part) {
        return with(copy -> copy.ratio = part);
    }

    /** Sets {@code IN_FLIGHT} as the join mode of the cluster. */
    public Workload joiningInFlight() {
        return with(copy -> copy.joinsInFlight = true);
    }

    /** Sets the {@code maxWait} and the {@code maxDelay} of the cluster. */
    public Workload waits(double longest, double delay) {
        return with(copy -> {
            copy.maxWait = longest;
            copy.maxDelay = delay;
        });
    }

    /** Returns how many instances there are. */
    public int instances() {
        return instances;
    }

    /** Returns how many callers each instance has. */
    int callers() {
        return callers;
    }

    /** Returns the mean time between an answer and the next question of a caller, which is random. */
    double thinkTime() {
        return thinkTime;
    }

    /** Returns what a call of the backend takes. */
    double callTime() {
        return callTime;
    }

    /** Returns by how much that differs at most. */
    double callSpread() {
        return callSpread;
    }

    /** Returns which part of the calls fails. */
    double failingPart() {
        return failingPart;
    }

    /** Returns which part of the calls hangs. */
    double hangingPart() {
        return hangingPart;
    }

    /** Returns for how long these hang. */
    double hangTime() {
        return hangTime;
    }

    /** Returns whether instances share calls. */
    boolean isShared() {
        return shared;
    }

    /** Returns the {@code maxWaitRatio} of each instance's executor. */
    double localRatio() {
        return localRatio;
    }

    /** Returns the {@code collectingWaitTime} of each instance's executor, for batches of any size. */
    double localWait() {
        return localWait;
    }

    /** Returns the {@code maxWaitRatio} of the cluster. */
    double ratio() {
        return ratio;
    }

    /** Returns whether the join mode of the cluster is {@code IN_FLIGHT}. */
    boolean joinsInFlight() {
        return joinsInFlight;
    }

    /** Returns the {@code maxWait} of the cluster. */
    double maxWait() {
        return maxWait;
    }

    /** Returns the {@code maxDelay} of the cluster. */
    double maxDelay() {
        return maxDelay;
    }

    /** Returns from an instance to Redis, and back, each way. */
    double latency() {
        return latency;
    }

    /** Returns what Redis needs its one thread for. */
    Costs costs() {
        return costs;
    }

    /** Returns the size of a stored result. */
    int resultBytes() {
        return resultBytes;
    }
}
