package io.github.collapseexecutor.http.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.github.collapseexecutor.LoggedEvents;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a class during which Netty has found a buffer that was not released; every buffer is watched. Its nested classes are
 * looked at together with it, because that takes two collections of the whole heap.
 */
final class NettyLeaks implements BeforeAllCallback, AfterAllCallback {

    private static final long MILLIS_TO_BE_TOLD = 60_000;

    // mutable, confined to JUnit's thread
    private @Nullable LoggedEvents reports;
    private ResourceLeakDetector.Level levelBefore = ResourceLeakDetector.getLevel();

    @Override
    public void beforeAll(ExtensionContext context) {
        if (isOutermost(context)) {
            begin();
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        if (isOutermost(context)) {
            assertThat(end()).as("leaks that Netty reports").isEmpty();
        }
    }

    private static boolean isOutermost(ExtensionContext context) {
        return context.getRequiredTestClass().getEnclosingClass() == null;
    }

    void begin() {
        levelBefore = ResourceLeakDetector.getLevel();
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
        reports = new LoggedEvents(ResourceLeakDetector.class, Level.ERROR);
    }

    /** A leak is found when its buffer is collected, and reported when another is allocated. */
    List<String> end() {
        try (LoggedEvents found = Objects.requireNonNull(reports, "begin() comes first")) {
            collectGarbage();
            collectGarbage(); // the queues have been told of all that the first one found
            PooledByteBufAllocator.DEFAULT.buffer(16).release();
            PooledByteBufAllocator.DEFAULT.directBuffer(16).release();
            return found.messages();
        } finally {
            ResourceLeakDetector.setLevel(levelBefore); // watching every buffer slows whatever is tested later
        }
    }

    /** Collects what is garbage, and returns when the queues of references are being told. */
    private static void collectGarbage() {
        ReferenceQueue<Object> collected = new ReferenceQueue<>();
        WeakReference<Object> garbage = new WeakReference<>(new Object(), collected);
        System.gc();
        try {
            assertThat(collected.remove(MILLIS_TO_BE_TOLD)).isSameAs(garbage);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
