package io.github.collapseexecutor.sample.springboot.live;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/** The callers of one side, each a thread that asks again as soon as it is answered, while the settings have a place for it. */
final class LiveCallers {

    private static final Log logger = LogFactory.getLog(LiveCallers.class);

    /** After a failure; a backend that refuses must not be asked by loops without a pause. */
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    /**
     * What the page shows of them.
     *
     * @param p50Millis of the last seconds; null if nobody was answered
     * @param p99Millis likewise
     * @param wrong answers that were for another user, since the start
     * @param failed calls without an answer, since the start
     */
    record Experience(@Nullable Double p50Millis, @Nullable Double p99Millis, long wrong, long failed) {}

    // immutable
    private final LiveSide side;
    private final LiveClients clients;
    private final Supplier<@Nullable LiveSettings> settings;
    private final LatencyWindow latencies = new LatencyWindow();

    // mutable, thread-safe
    private final AtomicLong wrong = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    // mutable, guarded by itself
    private final Set<Integer> present = new HashSet<>();

    /**
     * Creates callers that do not ask yet.
     *
     * @param settings what to do at this moment; null to stop
     */
    LiveCallers(LiveSide side, LiveClients clients, Supplier<@Nullable LiveSettings> settings) {
        this.side = side;
        this.clients = clients;
        this.settings = settings;
    }

    /** Starts the callers that are missing. */
    void start() {
        LiveSettings now = settings.get();
        synchronized (present) {
            for (int i = 0; now != null && i < now.callers(); i++) {
                int number = i;
                if (present.add(number)) {
                    Thread caller = new Thread(() -> askOnAndOn(number), "live-" + side.word() + "-" + number);
                    caller.setDaemon(true);
                    caller.start();
                }
            }
        }
    }

    void clearLatencies() {
        latencies.clear();
    }

    Experience experience() {
        return new Experience(latencies.millis(50), latencies.millis(99), wrong.get(), failed.get());
    }

    private void askOnAndOn(int number) {
        for (LiveSettings now = next(number); now != null; now = next(number)) {
            ask(now, number % now.users() + 1L);
        }
    }

    /** A caller that ends is not counted as present from the moment on at which it decides so: it may be started anew. */
    private @Nullable LiveSettings next(int number) {
        synchronized (present) {
            LiveSettings now = settings.get();
            if (now == null || number >= now.callers()) {
                present.remove(number);
                return null;
            }
            return now;
        }
    }

    private void ask(LiveSettings now, long id) {
        long asked = System.nanoTime();
        try {
            boolean right = LiveUser.of(id).equals(clients.user(side, now.mode(), id));
            if (!right) {
                wrong.incrementAndGet();
            }
            if (now.equals(settings.get())) { // the latency is that of these settings
                latencies.add(System.nanoTime() - asked);
            }
        } catch (RuntimeException e) {
            if (settings.get() != null && failed.incrementAndGet() == 1) {
                logger.warn("A call of the live page has failed; the page counts further ones", e);
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
