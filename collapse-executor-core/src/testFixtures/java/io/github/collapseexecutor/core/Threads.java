package io.github.collapseexecutor.core;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.PlatformManagedObject;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ThreadFactory;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The threads that tests start, virtual ones where the JDK has them, and those of the executors that they look for. */
final class Threads {

    static final boolean VIRTUAL = Runtime.version().feature() >= 21;

    private static final String OURS = "collapse-executor";

    /** A virtual thread in the JVM's own dump: {@code #42 "name" virtual}. */
    private static final Pattern VIRTUAL_THREAD_OF_OURS = Pattern.compile("\"(" + OURS + "[^\"]*)\" virtual");

    private Threads() {}

    /** Makes virtual threads, or platform threads before Java 21. */
    static ThreadFactory virtual() {
        if (!VIRTUAL) {
            return Thread::new;
        }
        try {
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            return (ThreadFactory) Class.forName("java.lang.Thread$Builder")
                    .getMethod("factory")
                    .invoke(builder);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("a JDK from 21 on has virtual threads", e);
        }
    }

    /** The names of the threads that executors have started and that have not ended. */
    static Set<String> ofOurs() {
        Set<String> names = new TreeSet<>();
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().startsWith(OURS)) {
                names.add(thread.getName());
            }
        }
        if (VIRTUAL) {
            Matcher thread = VIRTUAL_THREAD_OF_OURS.matcher(dump());
            while (thread.find()) {
                names.add(thread.group(1));
            }
        }
        return names;
    }

    /** What the JVM says of all threads, the virtual ones included, which it tells in a file only. */
    private static String dump() {
        try {
            Class<? extends PlatformManagedObject> type =
                    Class.forName("com.sun.management.HotSpotDiagnosticMXBean").asSubclass(PlatformManagedObject.class);
            Class<?> format = Class.forName(type.getName() + "$ThreadDumpFormat");
            Method dumpThreads = type.getMethod("dumpThreads", String.class, format);
            Path folder = Files.createTempDirectory("threads");
            Path file = folder.resolve("dump");
            try {
                dumpThreads.invoke(
                        ManagementFactory.getPlatformMXBean(type), file.toString(), format.getEnumConstants()[0]);
                return Files.readString(file);
            } finally {
                Files.deleteIfExists(file);
                Files.delete(folder);
            }
        } catch (ReflectiveOperationException | IOException e) {
            throw new AssertionError("a JDK from 21 on dumps its virtual threads", e);
        }
    }
}
