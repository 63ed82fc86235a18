package io.github.collapseexecutor.sequence;

import static java.util.Objects.requireNonNull;

import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Where the numbers of sequences come from: many with one round trip.
 *
 * <p>Package {@code jdbc} has sources for a row of a table and for a sequence of a database. A counter that can be
 * incremented by a number, as Redis has with {@code INCRBY}, needs none of its own, and this package no Redis client: the
 * client's method is the {@link Counter}.
 *
 * <pre>{@code
 * SequenceSource redis = SequenceSource.ofCounter(jedis::incrBy, Set.of("order_id"));      // Jedis
 * SequenceSource redis = SequenceSource.ofCounter(commands::incrby, Set.of("order_id"));   // Lettuce
 * SequenceSource redis = SequenceSource.ofCounter(template.opsForValue()::increment, Set.of("order_id")); // Spring Data
 * }</pre>
 *
 * <p>Implementations are thread-safe. A call may be repeated after a failure, so that numbers that were taken and not
 * returned are lost and leave a gap. For the same reason a source may try again by itself; those of package {@code jdbc} do.
 */
@FunctionalInterface
public interface SequenceSource {

    /**
     * Takes the next numbers of a sequence, with one round trip, for good: they were given to nobody before and will be
     * given to nobody after, even if this process or the caller's transaction ends without success.
     *
     * @param name which sequence
     * @param count how many numbers, at least 1
     * @return as many numbers, in increasing order, greater than any that an earlier call returned; not necessarily without
     *     gaps
     * @throws UnknownSequenceException if there is no sequence of that name
     * @throws Exception if the numbers could not be had, in which case none of them may be used
     */
    long[] take(String name, int count) throws Exception;

    /**
     * Returns the database that numbers are taken from. Where an application has several, ids of entities are taken of the source that says
     * it has the entities' database.
     *
     * @return gives connections to it; null (the default) if it is none, or not known
     */
    default @Nullable DataSource dataSource() {
        return null;
    }

    /**
     * Returns a source of counters that are incremented by a number.
     *
     * <p>A counter of Redis comes into being when it is first incremented, so that a misspelt name would begin at 1 without
     * a word. Hence the names are given: any other is an {@link UnknownSequenceException}.
     *
     * @param counter increments a counter and returns what it comes to
     * @param names the sequences there are, at least one
     * @return a source whose numbers follow the counter's value; a new counter begins at 1
     * @throws IllegalArgumentException if there are no names
     */
    static SequenceSource ofCounter(Counter counter, Set<String> names) {
        requireNonNull(counter, "counter");
        Set<String> known = Set.copyOf(requireNonNull(names, "names"));
        if (known.isEmpty()) {
            throw new IllegalArgumentException("names is empty: name the counters, for example Set.of(\"order_id\")");
        }
        return (name, count) -> {
            if (!known.contains(name)) {
                throw new UnknownSequenceException("There is no sequence '" + name + "': the names that were given are "
                        + known.stream().sorted().toList() + "; give this one too if it is meant");
            }
            Long last = counter.incrementBy(name, count);
            if (last == null) {
                throw new SequenceException("No number of sequence '" + name
                        + "': its counter returned null for an increment" + " by " + count
                        + ", as clients of Redis do inside a transaction or a pipeline; increment it outside");
            }
            return endingAt(last, count);
        };
    }

    /**
     * Returns the numbers that one increment took.
     *
     * @param last the value of the counter
     * @param count by how much it was incremented, at least 1
     * @return {@code count} numbers without a gap, of which {@code last} is the last
     * @throws IllegalArgumentException if {@code count} is below 1
     */
    static long[] endingAt(long last, int count) {
        if (count < 1) {
            throw new IllegalArgumentException("count is " + count + ": it must be at least 1");
        }
        long[] numbers = new long[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = last - count + 1 + i;
        }
        return numbers;
    }

    /** A counter for each name, kept outside of this process. */
    @FunctionalInterface
    interface Counter {

        /**
         * Adds to a counter, at once and for good, also while others add to it.
         *
         * @param name which counter
         * @param amount how much to add, at least 1
         * @return the value of the counter after this addition, never null in earnest: a client that returns null, as Spring
         *     Data's does inside a transaction or a pipeline, fails its callers with a {@link SequenceException}
         * @throws Exception if it is not known to have been added
         */
        @Nullable Long incrementBy(String name, long amount) throws Exception;
    }
}
