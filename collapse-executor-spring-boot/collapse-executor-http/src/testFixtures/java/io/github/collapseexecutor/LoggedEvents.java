package io.github.collapseexecutor;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** What one class logs from a level on, until this is closed. */
public final class LoggedEvents implements AutoCloseable {

    // immutable
    private final Logger logger;
    private final @Nullable Level levelBefore;
    private final ListAppender<ILoggingEvent> events = new ListAppender<>();

    public LoggedEvents(Class<?> source, Level level) {
        this.logger = (Logger) LoggerFactory.getLogger(source);
        this.levelBefore = logger.getLevel();
        logger.setLevel(level); // whatever an application that was tested before has set
        events.start();
        logger.addAppender(events);
    }

    /** The messages so far, with their arguments. */
    public List<String> messages() {
        return List.copyOf(events.list).stream()
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    @Override
    public void close() {
        logger.detachAppender(events);
        logger.setLevel(levelBefore);
    }
}
