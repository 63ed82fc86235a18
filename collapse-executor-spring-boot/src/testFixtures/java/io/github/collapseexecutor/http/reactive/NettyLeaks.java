package io.github.collapseexecutor.http.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.List;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/**
 * Fails a class during which Netty has found a buffer that was not released; every buffer is watched. Its nested classes are
 * looked at together with it, because that takes two collections of the whole heap.
 */
final class NettyLeaks implements BeforeAllCallback, AfterAllCallback {

    private static final long MILLIS_TO_BE_TOLD = 60_000;

    private final Logger logger = (Logger) LoggerFactory.getLogger(ResourceLeakDetector.class);
    private final ListAppender<ILoggingEvent> reports = new ListAppender<>();
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
        logger.setLevel(Level.ERROR); // whatever an application that was tested before has set
        reports.start();
        logger.addAppender(reports);
    }

    /** A leak is found when its buffer is collected, and reported when another is allocated. */
    List<String> end() {
        collectGarbage();
        collectGarbage(); // the queues have been told of all that the first one found
        PooledByteBufAllocator.DEFAULT.buffer(16).release();
        PooledByteBufAllocator.DEFAULT.directBuffer(16).release();
        logger.detachAppender(reports);
        ResourceLeakDetector.setLevel(levelBefore); // watching every buffer slows whatever is tested later
        return List.copyOf(reports.list).stream()
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
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
