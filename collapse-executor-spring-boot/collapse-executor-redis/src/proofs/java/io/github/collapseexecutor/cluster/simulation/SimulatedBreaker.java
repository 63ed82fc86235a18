package io.github.collapseexecutor.cluster.simulation;

/** As {@code Breaker}: three failures in a row open it for a second. */
final class SimulatedBreaker {

    private static final int FAILURES = 3;
    private static final double PAUSE = 1_000_000;

    private final SimulatedTime time;
    private boolean closed = true;
    private boolean probing;
    private int failures;
    private double failedAt;
    private double pausesSince;

    SimulatedBreaker(SimulatedTime time) {
        this.time = time;
    }

    boolean permits() {
        if (closed) {
            return true;
        }
        if (time.now() - pausesSince < PAUSE) {
            return false;
        }
        probing = true;
        pausesSince = time.now();
        return true;
    }

    void succeeded() {
        failures = 0;
        if (probing) {
            probing = false;
            closed = true;
        }
    }

    void failed(double askedAt) {
        boolean counts = failures == 0 || askedAt >= failedAt;
        if ((!closed && !probing) || !counts) {
            return;
        }
        failures++;
        failedAt = time.now();
        if (closed && failures < FAILURES) {
            return;
        }
        closed = false;
        probing = false;
        pausesSince = failedAt;
    }
}
