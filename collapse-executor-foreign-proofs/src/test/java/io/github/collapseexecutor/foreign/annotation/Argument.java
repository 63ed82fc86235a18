package io.github.collapseexecutor.foreign.annotation;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The type of an argument, and how a caller makes its own object of a number: equal numbers give equal objects, if equals says anything. */
public enum Argument {
    TEXT("String"),
    LONG("Long"),
    RECORD("Key"),
    DECIMAL("java.math.BigDecimal"),
    DATE("java.time.LocalDate"),
    LOCALE("Locale"),
    LIST("List<String>"),
    SET("Set<Long>"),
    OPTIONAL("Optional<String>"),
    VARIED("Object"),
    BY_HASH("Hashed"),
    /** The first call fails. */
    ARRAY_AS_OBJECT("Object"),
    /** The start refuses these. */
    ARRAY("byte[]"),
    CHANGEABLE("java.util.concurrent.atomic.AtomicLong");

    /** A key of two parts. */
    public record Key(String text, int number) {}

    /** Its equals is right, and its hash code is another one for each object. */
    public static final class Hashed {

        // immutable
        private final int number;
        private final int hash = new Random().nextInt();

        Hashed(int number) {
            this.number = number;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Hashed hashed && hashed.number == number;
        }

        @Override
        public int hashCode() {
            return hash;
        }

        @Override
        public String toString() {
            return "hashed " + number;
        }
    }

    final String type;

    Argument(String type) {
        this.type = type;
    }

    Object of(int number) {
        boolean even = number % 2 == 0;
        return switch (this) {
            case TEXT -> "text " + number;
            case LONG -> 1_000L + number;
            case RECORD -> new Key("key", number);
            case DECIMAL -> new BigDecimal(even ? "1.0" : "1.00");
            case DATE -> LocalDate.ofYearDay(2026, 1 + number);
            case LOCALE -> even ? Locale.GERMANY : Locale.FRANCE;
            case LIST -> new ArrayList<>(Arrays.asList("ann " + number, null, "bob"));
            case SET -> new HashSet<>(Set.of(1L, number + 10L));
            case OPTIONAL -> even ? Optional.empty() : Optional.of("text");
            case VARIED -> even ? (Object) 1 : 1L;
            case BY_HASH -> new Hashed(number);
            case ARRAY_AS_OBJECT, ARRAY -> new byte[] {(byte) number};
            case CHANGEABLE -> new AtomicLong(number);
        };
    }

    boolean isRefused() {
        return this == ARRAY || this == CHANGEABLE;
    }
}
