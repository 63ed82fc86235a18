package io.github.collapseexecutor.sample.cluster;

import java.time.Duration;

/**
 * What the sample is told on its command line.
 *
 * @param instances {@code --instances=}, how many processes there are; 3 by default
 * @param callers {@code --callers=}, how many callers each has; 50 by default
 * @param lasting {@code --seconds=}, for how long each way is measured; 4 by default
 */
record SampleOptions(int instances, int callers, Duration lasting) {

    /**
     * Reads the arguments of a command line.
     *
     * @throws IllegalArgumentException if one is unknown, or is not a positive number
     */
    static SampleOptions parse(String... arguments) {
        int instances = 3;
        int callers = 50;
        double seconds = 4;
        for (String argument : arguments) {
            int equals = argument.indexOf('=');
            switch (argument.substring(0, Math.max(0, equals))) {
                case "--instances" -> instances = (int) number(argument);
                case "--callers" -> callers = (int) number(argument);
                case "--seconds" -> seconds = number(argument);
                default ->
                    throw new IllegalArgumentException("\"" + argument
                            + "\" is no argument: there are --instances=3, --callers=50 and --seconds=4");
            }
        }
        return new SampleOptions(instances, callers, Duration.ofMillis(Math.round(seconds * 1_000)));
    }

    private static double number(String argument) {
        String value = argument.substring(argument.indexOf('=') + 1);
        double number;
        try {
            number = Double.parseDouble(value);
        } catch (NumberFormatException e) {
            number = 0;
        }
        if (!(number > 0 && number <= 10_000) || (!argument.startsWith("--seconds") && number != Math.rint(number))) {
            throw new IllegalArgumentException(
                    "\"" + argument + "\" must be a number from 1 to 10000; only seconds may have a fraction");
        }
        return number;
    }
}
