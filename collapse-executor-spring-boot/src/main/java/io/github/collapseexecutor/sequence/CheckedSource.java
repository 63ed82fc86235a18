package io.github.collapseexecutor.sequence;

import io.github.collapseexecutor.core.Input;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Takes numbers and believes them only if they increase.
 *
 * <p>What was the greatest number before a call began must be below every number that the call returns, however many calls
 * are in flight: the call began after that number was given out. So each call compares with what it noted at its beginning,
 * and no lock is needed. A source that goes back is found out before <em>this process</em> gives a number a second time.
 */
final class CheckedSource {

    // immutable
    private final SequenceSource source;

    // mutable
    /** The greatest number of each sequence that was taken; only ever raised, by atomic merges. */
    private final Map<String, Long> greatest = new ConcurrentHashMap<>();

    CheckedSource(SequenceSource source) {
        this.source = source;
    }

    long[] take(Collection<Input<String>> callers) throws Exception {
        String name = callers.iterator().next().value();
        int count = callers.size();
        @Nullable Long before = greatest.get(name);
        long[] numbers = take(name, count);
        if (numbers.length != count) {
            throw new SequenceException("The source of sequence '" + name + "' returned " + numbers.length
                    + " numbers instead of " + count + ": it must return as many as it was asked for");
        }
        @Nullable Long previous = before;
        for (long number : numbers) {
            if (previous != null && number <= previous) {
                throw new SequenceException("Sequence '" + name + "' gave " + number + " after " + previous
                        + ": its numbers may repeat. It is cyclic, runs backwards or was set back; set it above "
                        + greatest.getOrDefault(name, previous) + ", not cyclic and with a positive increment");
            }
            previous = number;
        }
        greatest.merge(name, numbers[count - 1], Math::max);
        return numbers;
    }

    private long[] take(String name, int count) throws Exception {
        try {
            return source.take(name, count);
        } catch (InterruptedException | RuntimeException failure) {
            throw failure;
        } catch (Exception failure) {
            throw failed(name, failure);
        }
    }

    static SequenceException failed(String name, Exception failure) {
        return new SequenceException("No number of sequence '" + name + "': " + failure.getMessage(), failure);
    }
}
