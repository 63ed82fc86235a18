package io.github.collapseexecutor.cluster.simulation;

import java.util.Arrays;

/** What became of all callers and batches. */
final class Totals {

    long backendCalls;
    long led;
    long taken;
    long alone;
    long tooShort;
    /** Of results that Redis has sent. */
    long bytes;

    private double[] latencies = new double[1 << 16];
    private int answers;

    void answered(double micros) {
        if (answers == latencies.length) {
            latencies = Arrays.copyOf(latencies, 2 * answers);
        }
        latencies[answers++] = micros;
    }

    void forget() {
        backendCalls = 0;
        led = 0;
        taken = 0;
        alone = 0;
        tooShort = 0;
        bytes = 0;
        answers = 0;
    }

    long answers() {
        return answers;
    }

    /** Returns microseconds that this part of the answers did not exceed. */
    double latency(double part) {
        double[] sorted = Arrays.copyOf(latencies, answers);
        Arrays.sort(sorted);
        return answers == 0 ? 0 : sorted[(int) ((answers - 1) * part)];
    }
}
