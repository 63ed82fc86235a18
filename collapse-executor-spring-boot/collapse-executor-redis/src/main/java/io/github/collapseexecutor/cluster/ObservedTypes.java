package io.github.collapseexecutor.cluster;

import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The codec of an executor's results. If it is that of plain values, nobody says which of their types the executor returns. So a result of
 * another instance is taken only if its types are those that this instance's own calls have returned, as they show one after another.
 */
final class ObservedTypes {

    // immutable
    private final ResultCodec<Object> codec;

    // mutable, thread-safe; letters of types, null before the first result
    private final AtomicReference<@Nullable String> known = new AtomicReference<>();

    // Results of another type than the codec's are refused by its encode, upon which they are not shared.
    @SuppressWarnings("unchecked")
    ObservedTypes(ResultCodec<?> codec) {
        this.codec = (ResultCodec<Object>) codec;
    }

    private boolean isObserving() {
        return codec == PlainValues.CODEC;
    }

    /** Returns the codec of the results that are known now; null before the first one. */
    @Nullable ResultCodec<Object> codec() {
        String types = known.get();
        return !isObserving() ? codec : types == null ? null : new OfTypes(types);
    }

    /** Takes note of a result that a call of this instance has returned. */
    void observe(@Nullable Object result) {
        if (isObserving()) {
            try {
                SortedSet<Character> seen = PlainValues.typesOf(result);
                known.updateAndGet(before -> united(before, seen));
            } catch (IllegalArgumentException notPlain) {
                return; // it is not shared, which is said where it is encoded
            }
        }
    }

    private static String united(@Nullable String before, SortedSet<Character> seen) {
        SortedSet<Character> letters = new TreeSet<>(seen);
        if (before != null) {
            before.chars().forEach(letter -> letters.add((char) letter));
        }
        return letters.stream().map(String::valueOf).collect(Collectors.joining());
    }

    /** A result has a type that no result had before: it does not fit its name. */
    static final class OtherTypesException extends Exception {

        private static final long serialVersionUID = 1L;
    }

    /** Results of such types, and of no others. */
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
