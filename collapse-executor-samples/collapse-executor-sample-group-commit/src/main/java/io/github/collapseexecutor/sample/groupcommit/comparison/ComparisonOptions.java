package io.github.collapseexecutor.sample.groupcommit.comparison;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What is compared, and how thoroughly.
 *
 * @param databases on which
 * @param works what is written
 * @param callers how many write at the same time
 * @param rounds how often each way is measured; the median counts
 * @param milliseconds how long each round takes
 * @param warmUp how long each way is used before, in milliseconds: until then, the compiler decides which is faster
 */
record ComparisonOptions(
        Set<ComparedDatabase> databases,
        Set<ComparedWork> works,
        List<Integer> callers,
        int rounds,
        int milliseconds,
        int warmUp) {

    private static final List<String> NAMES =
            List.of("--databases", "--works", "--callers", "--rounds", "--milliseconds", "--warm-up");

    /**
     * Reads {@code --name=value} of each argument.
     *
     * @throws IllegalArgumentException if a name is unknown or a value means nothing
     */
    static ComparisonOptions parse(String... arguments) {
        for (String argument : arguments) {
            if (NAMES.stream().noneMatch(name -> argument.startsWith(name + "="))) {
                throw new IllegalArgumentException(
                        "\"" + argument + "\" is unknown: give any of " + String.join("=…, ", NAMES) + "=…");
            }
        }
        return new ComparisonOptions(
                EnumSet.copyOf(list(arguments, "--databases", "mariadb,postgresql,h2", ComparedDatabase.values())),
                EnumSet.copyOf(list(arguments, "--works", "inserts,upserts,deductions", ComparedWork.values())),
                numbers(arguments, "--callers", "1,10,50,200,400"),
                numbers(arguments, "--rounds", "3").get(0),
                numbers(arguments, "--milliseconds", "1500").get(0),
                numbers(arguments, "--warm-up", "10000").get(0));
    }

    private static <T extends Enum<T>> List<T> list(String[] arguments, String name, String otherwise, T[] all) {
        return values(
                arguments,
                name,
                otherwise,
                text -> Arrays.stream(all)
                        .filter(one -> one.toString().equals(text))
                        .findFirst()
                        .orElseThrow(
                                () -> new IllegalArgumentException(name + " holds \"" + text + "\": it must be one of "
                                        + Arrays.stream(all).map(Enum::toString).collect(Collectors.joining(", ")))));
    }

    private static List<Integer> numbers(String[] arguments, String name, String otherwise) {
        return values(arguments, name, otherwise, text -> {
            if (!text.matches("[1-9][0-9]{0,6}")) {
                throw new IllegalArgumentException(
                        name + " holds \"" + text + "\": it must be a whole number from 1 to 9999999");
            }
            return Integer.valueOf(text);
        });
    }

    private static <T> List<T> values(String[] arguments, String name, String otherwise, Function<String, T> value) {
        String given = Arrays.stream(arguments)
                .filter(argument -> argument.startsWith(name + "="))
                .map(argument -> argument.substring(name.length() + 1))
                .reduce(otherwise, (earlier, later) -> later);
        return Arrays.stream(given.split(",", -1)).map(value).toList();
    }
}
