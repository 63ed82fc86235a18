package io.github.collapseexecutor.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** A virtual thread that waits where it cannot give its carrier back is counted; where there are none, nothing is. */
class PinningEventsTests {

    private final PinningEvents events = new PinningEvents();

    /** Its initializer is run by the JVM itself, whose frames no virtual thread can leave behind. */
    private static final class Pinning {

        static final boolean WAITED = waited();

        private static boolean waited() {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
            return true;
        }
    }

    private static void onAVirtualThreadIfThereAreAny(Runnable task) throws InterruptedException {
        Thread thread = VirtualThreads.exist() ? VirtualThreads.factory().newThread(task) : new Thread(task);
        thread.start();
        thread.join();
    }

    @Test
    void aThreadThatWaitsInAnInitializerIsCounted() throws InterruptedException {
        events.begin();
        onAVirtualThreadIfThereAreAny(() -> assertThat(Pinning.WAITED).isTrue());
        assertThat(events.end()).isEqualTo(VirtualThreads.exist() ? 1 : 0);
    }

    @Test
    void aHolderThatGivesTheCarrierBackIsNotCounted() throws InterruptedException {
        events.begin();
        onAVirtualThreadIfThereAreAny(() -> LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10)));
        assertThat(events.end()).isZero();
    }
}
