package io.github.collapseexecutor.cluster;

import java.text.MessageFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** What the package logs while a test wants to know. */
final class LogRecords extends Handler implements AutoCloseable {

    private final Logger logger = Logger.getLogger(ClusterCalls.class.getName());
    private final List<LogRecord> records = new CopyOnWriteArrayList<>();

    private final @Nullable Level levelBefore = logger.getLevel();

    LogRecords() {
        logger.setLevel(Level.ALL); // whatever an application that was tested before has set
        logger.addHandler(this);
    }

    List<Level> levels() {
        return records.stream().map(LogRecord::getLevel).toList();
    }

    List<String> messages() {
        return records.stream()
                .map(record -> MessageFormat.format(record.getMessage(), record.getParameters()))
                .toList();
    }

    @Override
    public void publish(LogRecord logged) {
        records.add(logged);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.setLevel(levelBefore);
        logger.removeHandler(this);
    }
}
