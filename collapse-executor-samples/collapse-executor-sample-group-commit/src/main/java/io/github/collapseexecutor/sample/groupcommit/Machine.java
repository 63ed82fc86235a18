package io.github.collapseexecutor.sample.groupcommit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** What a reader has to know of a machine to compare its figures. */
final class Machine {

    private static final Path PROCESSORS = Path.of("/proc/cpuinfo");

    private Machine() {}

    /** Its processors, its system and its JVM. */
    static String description() {
        return processors() + " processors" + model() + ", " + System.getProperty("os.name") + " "
                + System.getProperty("os.version") + ", JDK " + System.getProperty("java.version");
    }

    static int processors() {
        return Runtime.getRuntime().availableProcessors();
    }

    /** The name of the processors, where the system says it. */
    private static String model() {
        if (!Files.isReadable(PROCESSORS)) {
            return "";
        }
        try (Stream<String> lines = Files.lines(PROCESSORS)) {
            return lines.filter(line -> line.startsWith("model name"))
                    .findFirst()
                    .map(line -> " (" + line.substring(line.indexOf(':') + 1).strip() + ")")
                    .orElse("");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
