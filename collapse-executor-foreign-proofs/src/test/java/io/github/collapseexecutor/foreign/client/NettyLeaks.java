package io.github.collapseexecutor.foreign.client;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** Reports of Netty's leak detector, which watches each buffer until this is closed. It reports by its log. */
final class NettyLeaks implements AutoCloseable {

    private static final int COLLECTIONS = 3;

    // immutable
    private final Logger logger = (Logger) LoggerFactory.getLogger(ResourceLeakDetector.class);
    private final ResourceLeakDetector.Level before = ResourceLeakDetector.getLevel();
    private final Appender appender = new Appender();

    NettyLeaks() {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
        logger.setLevel(Level.ERROR);
        appender.setContext(logger.getLoggerContext());
        appender.start();
        logger.addAppender(appender);
    }

    private static final class Appender extends AppenderBase<ILoggingEvent> {

        // mutable, thread-safe
        private final List<String> reports = new CopyOnWriteArrayList<>();

        @Override
        protected void append(ILoggingEvent event) {
            reports.add(event.getFormattedMessage());
        }
    }

    /** Reports of buffers that nothing refers to any more; Netty looks for them whenever one is made. */
    List<String> reports() {
        for (int i = 0; i < COLLECTIONS && appender.reports.isEmpty(); i++) {
            System.gc();
            boolean unused = PooledByteBufAllocator.DEFAULT.buffer(1).release();
        }
        List<String> found = List.copyOf(appender.reports);
        appender.reports.clear();
        return found;
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
        ResourceLeakDetector.setLevel(before);
    }
}
