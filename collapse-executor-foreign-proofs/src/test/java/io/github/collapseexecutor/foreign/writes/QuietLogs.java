package io.github.collapseexecutor.foreign.writes;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.util.List;
import java.util.logging.LogManager;
import org.slf4j.LoggerFactory;

/** Silences libraries that log each statement, and each connection that breaks. */
final class QuietLogs {

    private static final List<String> NAMES =
            List.of("p6spy", "jdbc", "log4jdbc", "net", "com", "org", "io.agroal", "io.zonky", "ch.vorburger", "druid");

    private QuietLogs() {}

    /** Before the first driver is asked for, which loads those of the libraries as well. */
    static void begin() {
        System.setProperty("com.atomikos.icatch.enable_logging", "false"); // of transactions, in files
        System.setProperty("p6spy.config.appender", "com.p6spy.engine.spy.appender.Slf4JLogger");
        System.setProperty("log4jdbc.spylogdelegator.name", "net.sf.log4jdbc.log.slf4j.Slf4jSpyLogDelegator");
        LogManager.getLogManager().reset(); // of pools that log by the JDK
        for (String name : NAMES) {
            ((Logger) LoggerFactory.getLogger(name)).setLevel(Level.OFF);
        }
    }
}
