package io.github.collapseexecutor.benchmark;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/** How callers come. */
interface Arrivals {

    /** The same callers come in every run. */
    long SEED = 20_261_121;

    /**
     * Lets callers come in an interval of {@link System#nanoTime}.
     *
     * @param callers gives each a thread
     * @param call calls, given when the caller was to call
     */
    void come(long from, long until, ExecutorService callers, LongConsumer call);

    /**
     * An open loop: callers come by chance, so many a second, whether those before them have been answered or not.
     *
     * <p>Each has its time beforehand, and a generator that comes late lets everybody call who is due: nobody is left out
     * because the machine was busy when they were to come.
     */
    static Arrivals perSecond(int callers) {
        return new Arrivals() {
            @Override
            public void come(long from, long until, ExecutorService threads, LongConsumer call) {
                RandomGenerator random =
                        RandomGeneratorFactory.of("L64X128MixRandom").create(SEED);
                double meanGap = (double) TimeUnit.SECONDS.toNanos(1) / callers;
                long due = from;
                while (due - until < 0) {
                    Parking.until(due);
                    long time = due;
                    threads.execute(() -> call.accept(time));
                    due += Math.round(meanGap * random.nextExponential());
                }
            }

            @Override
            public String toString() {
                return Verdict.plain(callers) + " a second";
            }
        };
    }

    /** A closed loop: so many callers, each of which calls again as soon as it has its answer. */
    static Arrivals inLoop(int callers) {
        return new Arrivals() {
            @Override
            public void come(long from, long until, ExecutorService threads, LongConsumer call) {
                for (int i = 0; i < callers; i++) {
                    threads.execute(() -> {
                        Parking.until(from);
                        for (long now = System.nanoTime(); now - until < 0; now = System.nanoTime()) {
                            call.accept(now);
                        }
                    });
                }
            }

            @Override
            public String toString() {
                return callers + " in a loop";
            }
        };
    }
}
