package io.github.collapseexecutor.core;

import java.lang.management.ManagementFactory;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * How many objects of each class are alive, as the JVM counts them after a full collection.
 *
 * <p>Objects are counted rather than bytes compared, because one that outlives its call then shows as one, however small it
 * is. Of the executors' own classes none may be left. For the JDK's, which they hold too (futures, timers, entries of maps),
 * the tolerance is the leak that is to be found, one object for every hundred calls; what the JVM and the tests themselves
 * load or cache meanwhile was seen to be 50 to 400 objects.
 */
final class LiveHeap {

    /**
     * A line of the histogram: {@code  12:  4711  112233  java.lang.String (java.base@17)}; not what newer JVMs fill the gaps
     * between objects with.
     */
    private static final Pattern LINE =
            Pattern.compile("(?m)^ *\\d+: +(\\d+) +\\d+ +(?!\\S*jdk\\.internal\\.vm\\.Filler)(\\S+)");

    private static final String PACKAGE = CollapseEngine.class.getPackageName() + ".";
    private static final CodeSource EXECUTORS =
            CollapseEngine.class.getProtectionDomain().getCodeSource();

    /** Objects that the JVM makes for itself meanwhile, for the first calls of its own methods. */
    private static final long OF_THE_JVM = 2_000;

    // One text, not a map: what a count keeps must not show in the next one.
    private final String histogram;

    private LiveHeap(String histogram) {
        this.histogram = histogram;
    }

    static LiveHeap count() {
        try {
            Object histogram = ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            new ObjectName("com.sun.management:type=DiagnosticCommand"),
                            "gcClassHistogram",
                            new Object[] {new String[0]},
                            new String[] {String[].class.getName()});
            return new LiveHeap((String) histogram);
        } catch (JMException e) {
            throw new AssertionError("the JVM gives no histogram of its heap", e);
        }
    }

    /** The smallest of a few counts: some objects need more than one collection to go. */
    static LiveHeap settled() {
        LiveHeap least = count();
        for (int i = 0; i < 3; i++) {
            LiveHeap next = count();
            least = next.objects() < least.objects() ? next : least;
        }
        return least;
    }

    long objects() {
        return LINE.matcher(histogram)
                .results()
                .mapToLong(line -> Long.parseLong(line.group(1)))
                .sum();
    }

    private Map<String, Long> objectsByClass() {
        Map<String, Long> counts = new TreeMap<>();
        LINE.matcher(histogram)
                .results()
                .forEach(line -> counts.merge(line.group(2), Long.parseLong(line.group(1)), Long::sum));
        return counts;
    }

    /** Of which classes there are more objects than before, and how many more. */
    private Map<String, Long> growthSince(LiveHeap before) {
        Map<String, Long> growth = objectsByClass();
        before.objectsByClass().forEach((name, count) -> growth.merge(name, -count, Long::sum));
        growth.values().removeIf(count -> count <= 0);
        return growth;
    }

    /** Whether a class is one of the executors' own; those of lambdas, which appear with their first use, are not. */
    private static boolean isOfExecutors(String name) {
        try {
            return name.startsWith(PACKAGE)
                    && Class.forName(name).getProtectionDomain().getCodeSource().equals(EXECUTORS);
        } catch (ClassNotFoundException e) {
            return false; // hidden
        }
    }

    /**
     * Holds that not one object of the executors' classes has been added since {@code before}, and of all classes less than
     * one for every hundred calls made in between, or {@value #OF_THE_JVM} where there were few.
     */
    static void expectNothingLeftSince(LiveHeap before, long calls) {
        Eventually.untilEmpty(() -> count().leftSince(before, calls));
    }

    private List<String> leftSince(LiveHeap before, long calls) {
        Map<String, Long> growth = growthSince(before);
        List<String> left = new ArrayList<>();
        growth.forEach((name, count) -> {
            if (isOfExecutors(name)) {
                left.add(count + " " + name);
            }
        });
        long objects = objects() - before.objects();
        if (objects >= Math.max(calls / 100, OF_THE_JVM)) {
            left.add(objects + " objects after " + calls + " calls, most of them " + most(growth));
        }
        return left;
    }

    private static List<Map.Entry<String, Long>> most(Map<String, Long> growth) {
        return growth.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .limit(10)
                .toList();
    }
}
