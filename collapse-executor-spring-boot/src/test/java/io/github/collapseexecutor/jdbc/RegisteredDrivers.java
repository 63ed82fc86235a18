package io.github.collapseexecutor.jdbc;

import java.sql.DriverManager;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Registers the JDBC drivers of the class path before the first test of a JVM.
 *
 * <p>The {@link DriverManager} looks for drivers once, through the context class loader of the thread that asks first. A server that stops, or a
 * bundle that starts, may ask on a thread whose loader sees no driver. Each later test of that JVM that connects by a URL then fails.
 */
public final class RegisteredDrivers implements LauncherSessionListener {

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(RegisteredDrivers.class.getClassLoader());
        try {
            DriverManager.getDrivers();
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
