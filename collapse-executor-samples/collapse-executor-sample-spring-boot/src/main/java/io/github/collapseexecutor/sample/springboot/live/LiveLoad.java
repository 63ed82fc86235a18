package io.github.collapseexecutor.sample.springboot.live;

import io.github.collapseexecutor.sample.springboot.CollapsingDemonstration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;

/**
 * The load of the live page: the same callers on both sides. It runs while somebody looks at the page, and not while the demonstration
 * measures.
 */
@Component
class LiveLoad implements DisposableBean {

    private static final long LOOKING_NANOS = TimeUnit.SECONDS.toNanos(5);

    /**
     * What the page shows beside the endpoint's numbers.
     *
     * @param settings what was chosen last, by whatever visitor
     * @param waiting whether the demonstration still measures
     * @param backendCapacity how many calls at a time the backend makes, on each side
     * @param section where the endpoint counts the requests of the side with collapsing
     * @param without the side without collapsing
     * @param with the side with collapsing
     */
    record State(
            LiveSettings settings,
            boolean waiting,
            int backendCapacity,
            String section,
            LiveCallers.Experience without,
            LiveCallers.Experience with) {}

    // immutable
    private final LiveBackend backend;
    private final LiveClients clients;
    private final LiveCallers without;
    private final LiveCallers with;
    private final ObjectProvider<CollapsingDemonstration> demonstration;

    // mutable, each written as a whole
    private volatile LiveSettings settings = LiveSettings.FIRST;
    private volatile long lookedAt = System.nanoTime() - LOOKING_NANOS;
    private volatile boolean closed;

    LiveLoad(LiveBackend backend, LiveClients clients, ObjectProvider<CollapsingDemonstration> demonstration) {
        this.backend = backend;
        this.clients = clients;
        this.demonstration = demonstration;
        this.without = new LiveCallers(LiveSide.WITHOUT, clients, this::toDo);
        this.with = new LiveCallers(LiveSide.WITH, clients, this::toDo);
    }

    LiveSettings settings() {
        return settings;
    }

    /** Somebody looks at the page: the load begins, or goes on. */
    State look() {
        boolean waiting = isDemonstrationMeasuring();
        if (!waiting) {
            lookedAt = System.nanoTime();
            without.start();
            with.start();
        }
        LiveSettings now = settings;
        return new State(
                now, waiting, LiveBackend.CAPACITY, now.mode().section(), without.experience(), with.experience());
    }

    synchronized void change(LiveSettings chosen) {
        backend.take(chosen.backendMillis());
        clients.take(chosen.mode());
        settings = chosen;
        without.clearLatencies();
        with.clearLatencies();
    }

    private @Nullable LiveSettings toDo() {
        return closed || System.nanoTime() - lookedAt > LOOKING_NANOS ? null : settings;
    }

    private boolean isDemonstrationMeasuring() {
        CollapsingDemonstration measuring = demonstration.getIfAvailable();
        return measuring != null && !measuring.result().isDone();
    }

    @Override
    public void destroy() {
        closed = true;
    }
}
