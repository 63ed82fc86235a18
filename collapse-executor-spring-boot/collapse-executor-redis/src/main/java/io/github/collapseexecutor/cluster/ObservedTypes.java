package io.github.collapseexecutor.cluster;

import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Which plain types the calls of an executor return, as they show one after another. Nobody says so before: an executor's type is not known when
 * it runs. So a result of another instance is taken only if its types are those that this instance's own calls have returned.
 */
final class ObservedTypes {

    // mutable, thread-safe; null before the first result
    private final AtomicReference<@Nullable String> known = new AtomicReference<>();

    /** Returns their letters; null before the first result. */
    @Nullable String known() {
        return known.get();
    }

    /** Takes note of a result that a call of this instance has returned. */
    void observe(@Nullable Object result) {
        SortedSet<Character> seen;
        try {
            seen = PlainValues.typesOf(result);
        } catch (IllegalArgumentException notPlain) {
            return; // it is not shared, which is said where it is encoded
        }
        known.updateAndGet(before -> united(before, seen));
    }

    private static String united(@Nullable String before, SortedSet<Character> seen) {
        SortedSet<Character> letters = new TreeSet<>(seen);
        if (before != null) {
            before.chars().forEach(letter -> letters.add((char) letter));
        }
        StringBuilder text = new StringBuilder();
        letters.forEach(text::append);
        return text.toString();
    }

    /** Returns the codec of results of such types, and of no others. */
    static ResultCodec<Object> codecOf(String types) {
        return new OfTypes(types);
    }

    /** A result has a type that no result had before: it does not fit its name. */
    static final class OtherTypesException extends Exception {

        private static final long serialVersionUID = 1L;
    }

    private record OfTypes(String types) implements ResultCodec<Object> {

        @Override
        public String format() {
            return "plain " + types;
        }

        @Override
        public byte[] encode(Object result) throws Exception {
            for (char letter : PlainValues.typesOf(result)) {
                if (types.indexOf(letter) < 0) {
                    throw new OtherTypesException();
                }
            }
            return PlainValues.CODEC.encode(result);
        }

        @Override
        public Object decode(byte[] bytes) throws Exception {
            return PlainValues.CODEC.decode(bytes);
        }
    }
}
