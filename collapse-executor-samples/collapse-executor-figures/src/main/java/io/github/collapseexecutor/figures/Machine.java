package io.github.collapseexecutor.figures;

import java.nio.file.Path;

/** What a reader has to know of a machine to compare its figures. */
public final class Machine {

    private static final Path PROCESSORS = Path.of("/proc/cpuinfo");

    private Machine() {}

    /** Its processors, its system and its JVM. */
    public static String description() {
        return processors() + " processors" + model() + ", " + System.getProperty("os.name") + " "
                + System.getProperty("os.version") + ", JDK " + System.getProperty("java.version");
    }

    /** How many processors the JVM sees. */
    public static int processors() {
        return Runtime.getRuntime().availableProcessors();
    }

    /** The name of the processors, where the system says it. */
    private static String model() {
        return ProcFile.value(PROCESSORS, "model name")
                .map(name -> " (" + name + ")")
                .orElse("");
    }
}
