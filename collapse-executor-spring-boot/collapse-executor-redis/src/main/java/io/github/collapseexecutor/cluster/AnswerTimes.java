package io.github.collapseexecutor.cluster;

/**
 * How long Redis takes to answer of late, a moving average. The time of a question follows it: a busy machine answers everything later, and
 * an instance that gave Redis up because of that would make the calls of all others in addition to its own.
 */
final class AnswerTimes {

    /** A question may take so many times the average. */
    private static final int MULTIPLE = 8;

    /** And so many times what the options say, so that a Redis that hangs delays nobody for long. */
    private static final int MOST = 10;

    private static final int WEIGHT = 8;

    // mutable, guarded by this; nanoseconds, 0 before the first answer
    private long average;
    /** As the average, but a single late answer counts little: it may be the process that has paused. */
    private long usual;

    private int answers;

    /** Takes note of an answer, also of one that came too late. */
    synchronized void answered(long nanos) {
        average = average == 0 ? nanos : average + (nanos - average) / WEIGHT;
        if (answers < WEIGHT) { // the first answers of a process come late: its classes are loaded meanwhile
            usual = answers == 0 ? nanos : Math.min(usual, nanos);
            answers++;
        } else {
            usual += (Math.min(nanos, 2 * usual) - usual) / WEIGHT;
        }
    }

    /** Returns what Redis may cost, if the options allow for so many nanoseconds. */
    synchronized long allowed(long nanos) {
        return Math.max(nanos, Math.min(MOST * nanos, MULTIPLE * average));
    }

    /** Returns what Redis usually takes, in nanoseconds; 0 before the first answer. */
    synchronized long usual() {
        return usual;
    }
}
