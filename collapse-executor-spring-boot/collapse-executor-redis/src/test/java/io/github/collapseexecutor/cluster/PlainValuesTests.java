package io.github.collapseexecutor.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The codec of plain values, and the keys that are made of groups. */
class PlainValuesTests {

    private static final LocalDateTime TIME = LocalDateTime.of(2026, 11, 23, 21, 0, 0, 1);

    static Stream<Object> values() {
        return Stream.of(
                "",
                "text \u00e9 \ud83d\ude00",
                true,
                7,
                7L,
                (short) 7,
                (byte) 7,
                '7',
                7.5,
                Double.NaN,
                -0.0,
                7.5f,
                new BigInteger("77777777777777777777"),
                new BigDecimal("7.50"),
                new UUID(7, 8),
                Instant.ofEpochSecond(7, 8),
                TIME,
                LocalDate.MIN,
                LocalTime.MIDNIGHT,
                OffsetDateTime.of(TIME, ZoneOffset.ofHours(-7)),
                Duration.ofNanos(-7),
                List.of(),
                List.of("a", 7, List.of(true)),
                Arrays.asList(null, "a"));
    }

    @ParameterizedTest
    @MethodSource("values")
    void valuesComeBackAsTheyWere(Object value) throws Exception {
        assertThat(PlainValues.CODEC.decode(PlainValues.CODEC.encode(value)))
                .isEqualTo(value)
                .hasSameHashCodeAs(value);
    }

    @Test
    void bytesComeBackAsTheyWere() throws Exception {
        byte[] bytes = {1, 2, 3};
        assertThat(PlainValues.CODEC.decode(PlainValues.CODEC.encode(bytes))).isEqualTo(bytes);
    }

    @Test
    void unequalGroupsHaveUnequalKeys() {
        List<Object> groups = new ArrayList<>(values().toList());
        groups.addAll(List.of(
                "7",
                0.0,
                new BigDecimal("7.5"),
                List.of("a, b"),
                List.of("a", "b"),
                List.of("ab"),
                List.of(List.of("a"), "b"),
                List.of(List.of("a", "b")),
                "null",
                "true",
                DayOfWeek.MONDAY,
                DayOfWeek.SUNDAY,
                "MONDAY"));
        Map<String, Object> keys = new LinkedHashMap<>();
        for (Object group : groups) {
            String key = new String(PlainValues.keyOf(group), StandardCharsets.ISO_8859_1);
            assertThat(keys.put(key, group)).as("%s has the key of", group).isNull();
        }
        assertThat(PlainValues.keyOf(new ArrayList<>(List.of("a", "b"))))
                .isEqualTo(PlainValues.keyOf(List.of("a", "b")));
    }

    @Test
    void otherTypesAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PlainValues.CODEC.encode(Map.of()))
                .withMessageContaining("is no plain value");
        assertThatIllegalArgumentException().isThrownBy(() -> PlainValues.CODEC.encode(List.of(new Object())));
        assertThatIllegalArgumentException().isThrownBy(() -> PlainValues.CODEC.encode(DayOfWeek.MONDAY));
        assertThatIllegalArgumentException().isThrownBy(() -> PlainValues.keyOf(new byte[0]));
        assertThatIllegalArgumentException().isThrownBy(() -> PlainValues.CODEC.encode("\ud800"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "x", "s\0\0\0\2a", "s\377\377\377\377", "s\0\0\0\1aa", "L\0\0\0\1", "L\177\377\377\377"})
    void brokenBytesAreRefused(String bytes) {
        assertThatIOException().isThrownBy(() -> PlainValues.CODEC.decode(bytes.getBytes(StandardCharsets.ISO_8859_1)));
    }
}
