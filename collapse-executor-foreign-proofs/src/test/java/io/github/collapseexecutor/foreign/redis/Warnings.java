package io.github.collapseexecutor.foreign.redis;

import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What the library warns of, in place of a log. */
final class Warnings extends Handler {

    private static final int BEGINNING = 120;

    // immutable
    private final Logger logger = Logger.getLogger("io.github.collapseexecutor.cluster");

    // mutable, thread-safe
    private final Set<String> messages = new ConcurrentSkipListSet<>();

    Warnings() {
        logger.setUseParentHandlers(false);
        logger.addHandler(this);
    }

    void forget() {
        messages.clear();
    }

    @Override
    public void publish(LogRecord record) {
        if (record.getLevel().intValue() >= Level.WARNING.intValue()) {
            String message = record.getMessage();
            Object[] more = record.getParameters();
            String whole = more == null ? message : message.replace("{0}", String.valueOf(more[0]));
            messages.add(whole.substring(0, Math.min(BEGINNING, whole.length())));
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}

    @Override
    public String toString() {
        return messages.toString();
    }
}
