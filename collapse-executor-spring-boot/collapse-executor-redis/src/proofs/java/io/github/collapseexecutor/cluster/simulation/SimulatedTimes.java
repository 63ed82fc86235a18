package io.github.collapseexecutor.cluster.simulation;

/** As {@code CallTimes} and {@code AnswerTimes}, of one instance and one key. */
final class SimulatedTimes {

    private static final int FEWEST = 8;
    private static final int TRIAL = 64;
    private static final int WAYS = 3;
    private static final int WEIGHT = 8;

    private final Workload workload;
    private double average;
    private double usual;
    private int answers;
    private double length;
    private int calls;
    private int tooShort;

    SimulatedTimes(Workload workload) {
        this.workload = workload;
    }

    void answered(double micros) {
        average = average == 0 ? micros : average + (micros - average) / WEIGHT;
        if (answers < WEIGHT) {
            usual = answers == 0 ? micros : Math.min(usual, micros);
            answers++;
        } else {
            usual += (Math.min(micros, 2 * usual) - usual) / WEIGHT;
        }
    }

    /** What Redis may cost. */
    double allowed() {
        return Math.max(workload.maxDelay(), Math.min(10 * workload.maxDelay(), 8 * average));
    }

    void took(double micros) {
        calls = Math.min(FEWEST, calls + 1);
        length += (Math.min(micros, workload.maxWait()) - length) / Math.min(WEIGHT, calls);
    }

    boolean isSharingWorthIt() {
        if (calls < FEWEST || length >= Math.min(workload.maxDelay() / 5, WAYS * usual)) {
            return true;
        }
        tooShort = (tooShort + 1) % TRIAL;
        return tooShort == 0;
    }

    /** How long after another call one starts at the earliest. */
    double gap() {
        return calls < FEWEST ? 0 : workload.ratio() * length;
    }
}
