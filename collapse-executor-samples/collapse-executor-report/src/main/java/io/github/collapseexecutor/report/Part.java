package io.github.collapseexecutor.report;

import java.time.Duration;
import java.util.List;

/**
 * A part of the report: a program of a sample, and what it is told.
 *
 * @param name a word for the command line
 * @param expected what it takes on two cores
 * @param module the folder of its sample
 * @param main the class to start
 * @param arguments what it is told; those that begin with {@code -D} or {@code -X} are for the JVM
 */
record Part(String name, Duration expected, String module, String main, List<String> arguments) {

    static Part of(String name, int seconds, String module, String main, String... arguments) {
        return new Part(
                name,
                Duration.ofSeconds(seconds),
                "collapse-executor-" + module,
                "io.github.collapseexecutor." + main,
                List.of(arguments));
    }

    List<String> options() {
        return arguments.stream().filter(Part::isOption).toList();
    }

    List<String> programArguments() {
        return arguments.stream().filter(argument -> !isOption(argument)).toList();
    }

    private static boolean isOption(String argument) {
        return argument.startsWith("-D") || argument.startsWith("-X");
    }
}
