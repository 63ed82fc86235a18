package io.github.collapseexecutor.http;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** The warnings that a class logs while this is open. */
final class LoggedWarnings extends Handler implements AutoCloseable {

    private final Logger logger;
    private final List<String> messages = new CopyOnWriteArrayList<>();

    private LoggedWarnings(Logger logger) {
        this.logger = logger;
    }

    static LoggedWarnings of(Class<?> type) {
        LoggedWarnings warnings = new LoggedWarnings(Logger.getLogger(type.getName()));
        warnings.logger.addHandler(warnings);
        return warnings;
    }

    List<String> messages() {
        return messages;
    }

    @Override
    public void publish(LogRecord logged) {
        messages.add(new SimpleFormatter().formatMessage(logged));
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
    }
}
