package io.github.collapseexecutor.jdbc.sequence;

import io.github.collapseexecutor.jdbc.connection.FailureKind;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Decides whether numbers are asked for once more, and after which pause.
 *
 * <p>Repeating is always safe here: numbers that a failed attempt took after all are given to nobody, and leave a gap. So
 * the only question is whether another attempt may succeed. It may after a rolled-back transaction (deadlock,
 * serialization), a lock that did not come in time, and a lost connection; all other failures would repeat themselves.
 * Public for other packages of the library only.
 */
public final class SequenceRetry {

    /** As many as a pool may have dead connections to hand out, one after the other. */
    public static final int MOST_ATTEMPTS = 10;

    /** Later than this after the first attempt none begins, so that a database that hangs does not hold callers for long. */
    public static final long LAST_START_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final int LONGEST_PAUSE_MILLIS = 100;

    private SequenceRetry() {}

    /**
     * Returns whether another attempt may succeed and is still due.
     *
     * @param attempts how many have failed, this one included
     * @param elapsedNanos the time since the first began
     */
    public static boolean mayHelp(Throwable failure, int attempts, long elapsedNanos) {
        return attempts < MOST_ATTEMPTS && elapsedNanos < LAST_START_NANOS && FailureKind.mayPass(failure);
    }

    /** Pauses for a random time below a bound that doubles with each attempt, so that two processes do not collide again. */
    public static void pause(int attempts) throws InterruptedException {
        int bound = Math.min(LONGEST_PAUSE_MILLIS, 1 << attempts);
        Thread.sleep(ThreadLocalRandom.current().nextInt(bound));
    }
}
