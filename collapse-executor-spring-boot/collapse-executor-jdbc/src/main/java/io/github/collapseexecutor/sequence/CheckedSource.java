package io.github.collapseexecutor.sequence;

import io.github.collapseexecutor.core.Input;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Takes numbers and believes them only if they increase.
 *
 * <p>Every number that a call returns must be above the greatest number from before the call began, however many calls
 * are in flight: the call began after that number was given out. So each call compares with what it noted at its beginning,
 * and no lock is held meanwhile. A source that goes back is found out before <em>this process</em> gives a number a second
 * time.
 *
 * <p>Names of sequences may be made as time goes by, for example one a day. Hence only the sequences that were used last are
 * remembered; that of another is checked again from its next numbers on.
 */
final class CheckedSource {

    /** Of so many sequences the greatest number is remembered. */
    static final int REMEMBERED = 10_000;

    // immutable
    private final SequenceSource source;

    // mutable, guarded by itself
    /** The greatest number that was taken of each of the sequences used last; only ever raised, by atomic merges. */
    private final Map<String, Long> greatest = Collections.synchronizedMap(new LastUsed());

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

    int rememberedCount() {
        return greatest.size();
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

    /** Forgets the entry that was not used for the longest time, when there are too many. */
    private static final class LastUsed extends LinkedHashMap<String, Long> {

        private static final long serialVersionUID = 1L;

        LastUsed() {
            super(16, 0.75f, true);
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
            return size() > REMEMBERED;
        }
    }
}
