package io.github.collapseexecutor.cluster;

import static java.util.Objects.requireNonNull;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The codec of plain values; other types are refused. No class is looked up by a name that stands in Redis. Each value begins with the letter of
 * its type, so that two values have the same bytes only if they are equal, which is what keys need.
 */
final class PlainValues implements ResultCodec<Object> {

    static final PlainValues CODEC = new PlainValues();

    private static final char NULL = '0';
    private static final char LIST = 'L';
    private static final char BYTES = 'B';
    private static final char ENUM = 'E';

    /** A type whose values are written as text, and what reads it. */
    private record Scalar(char letter, Class<?> type, Function<String, Object> reader) {}

    private static final List<Scalar> SCALARS = List.of(
            new Scalar('s', String.class, text -> text),
            new Scalar('b', Boolean.class, Boolean::valueOf),
            new Scalar('i', Integer.class, Integer::valueOf),
            new Scalar('l', Long.class, Long::valueOf),
            new Scalar('h', Short.class, Short::valueOf),
            new Scalar('y', Byte.class, Byte::valueOf),
            new Scalar('c', Character.class, text -> text.charAt(0)),
            new Scalar('d', Double.class, Double::valueOf),
            new Scalar('f', Float.class, Float::valueOf),
            new Scalar('I', BigInteger.class, BigInteger::new),
            new Scalar('D', BigDecimal.class, BigDecimal::new),
            new Scalar('u', UUID.class, UUID::fromString),
            new Scalar('t', Instant.class, Instant::parse),
            new Scalar('a', LocalDate.class, LocalDate::parse),
            new Scalar('m', LocalTime.class, LocalTime::parse),
            new Scalar('e', LocalDateTime.class, LocalDateTime::parse),
            new Scalar('o', OffsetDateTime.class, OffsetDateTime::parse),
            new Scalar('n', Duration.class, Duration::parse));

    private PlainValues() {}

    static boolean isPlain(Class<?> type) {
        return type == byte[].class || SCALARS.stream().anyMatch(scalar -> scalar.type() == type);
    }

    /** Returns the letters of a value's types, each once: those of a list's elements, too. */
    static SortedSet<Character> typesOf(@Nullable Object value) {
        SortedSet<Character> letters = new TreeSet<>();
        if (value instanceof List<?> list) {
            letters.add(LIST);
            list.forEach(element -> letters.addAll(typesOf(element)));
        } else if (value != null) {
            letters.add(value instanceof byte[] ? BYTES : letterOf(value));
        }
        return letters;
    }

    /**
     * Encodes a value that is to be compared only; besides the others, it may be an enum constant.
     *
     * @throws IllegalArgumentException if it is of another type
     */
    static byte[] keyOf(Object value) {
        return encoded(value, true);
    }

    @Override
    public byte[] encode(Object result) {
        return encoded(result, false);
    }

    private static byte[] encoded(Object value, boolean isKey) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            write(new DataOutputStream(bytes), value, isKey);
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("A text has half of a surrogate pair, which no encoding has", e);
        } catch (IOException e) {
            throw new IllegalStateException("An array can be written to", e);
        }
        return bytes.toByteArray();
    }

    private static void write(DataOutputStream out, @Nullable Object value, boolean isKey) throws IOException {
        if (value == null) {
            out.writeByte(NULL);
        } else if (value instanceof List<?> list) {
            out.writeByte(LIST);
            out.writeInt(list.size());
            for (Object element : list) {
                write(out, element, isKey);
            }
        } else if (value instanceof byte[] bytes && !isKey) { // as a group, an array is equal to itself only
            out.writeByte(BYTES);
            writeBytes(out, bytes);
        } else if (value instanceof Enum<?> constant && isKey) {
            out.writeByte(ENUM);
            writeText(out, constant.getDeclaringClass().getName());
            writeText(out, constant.name());
        } else {
            out.writeByte(letterOf(value));
            writeText(out, value.toString());
        }
    }

    private static char letterOf(Object value) {
        for (Scalar scalar : SCALARS) {
            if (scalar.type() == value.getClass()) {
                return scalar.letter();
            }
        }
        throw new IllegalArgumentException("A " + value.getClass().getName() + " is no plain value");
    }

    private static void writeText(DataOutputStream out, String text) throws IOException {
        // The encoder refuses what it cannot encode, where getBytes would make unequal texts equal.
        ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
        byte[] bytes = new byte[encoded.remaining()];
        encoded.get(bytes);
        writeBytes(out, bytes);
    }

    private static void writeBytes(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    @Override
    public Object decode(byte[] bytes) throws Exception {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        Object value = requireNonNull(read(in), "null is stored without this codec");
        if (in.read() >= 0) {
            throw new IOException("A plain value has an end, and more bytes follow");
        }
        return value;
    }

    private static @Nullable Object read(DataInputStream in) throws Exception {
        char letter = (char) in.readUnsignedByte();
        if (letter == NULL) {
            return null;
        }
        if (letter == BYTES) {
            return readBytes(in);
        }
        if (letter == LIST) {
            int size = in.readInt();
            List<@Nullable Object> list = new ArrayList<>();
            for (int i = 0; i < size; i++) {
                list.add(read(in));
            }
            return Collections.unmodifiableList(list);
        }
        for (Scalar scalar : SCALARS) {
            if (scalar.letter() == letter) {
                return scalar.reader().apply(new String(readBytes(in), StandardCharsets.UTF_8));
            }
        }
        throw new IOException("A plain value begins with \"" + letter + "\", which this release does not know");
    }

    private static byte[] readBytes(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > in.available()) {
            throw new EOFException("A plain value says that " + length + " bytes follow, and fewer do");
        }
        return in.readNBytes(length);
    }

    @Override
    public String toString() {
        return "plain values";
    }
}
