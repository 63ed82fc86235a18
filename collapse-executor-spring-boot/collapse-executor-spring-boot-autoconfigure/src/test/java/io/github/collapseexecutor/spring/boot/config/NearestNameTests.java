package io.github.collapseexecutor.spring.boot.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each key with one slip of the fingers is recognised, in every section. */
class NearestNameTests {

    private static Stream<Class<?>> recordsIn(Type type) {
        return type instanceof ParameterizedType collection
                ? Arrays.stream(collection.getActualTypeArguments()).flatMap(NearestNameTests::recordsIn)
                : Stream.<Class<?>>of((Class<?>) type).filter(Class::isRecord);
    }

    /** The keys of each section, and of each entry of a list or map. */
    private static Map<Class<?>, List<String>> keys() {
        Map<Class<?>, List<String>> keys = new LinkedHashMap<>();
        Deque<Class<?>> open = new ArrayDeque<>(List.of(CollapseExecutorProperties.class));
        while (!open.isEmpty()) {
            Class<?> section = open.pop();
            RecordComponent[] components = section.getRecordComponents();
            keys.put(
                    section,
                    Arrays.stream(components)
                            .map(component -> UnknownProperty.dashed(component.getName()))
                            .toList());
            Arrays.stream(components)
                    .flatMap(component -> recordsIn(component.getGenericType()))
                    .filter(record -> !keys.containsKey(record))
                    .forEach(open::push);
        }
        return keys;
    }

    /** A key with two letters swapped, with a letter too few, and with a letter too many. */
    private static Stream<String> slips(String key) {
        Stream<String> swapped = IntStream.range(1, key.length())
                .mapToObj(i -> key.substring(0, i - 1) + key.charAt(i) + key.charAt(i - 1) + key.substring(i + 1));
        Stream<String> shortened =
                IntStream.range(0, key.length()).mapToObj(i -> key.substring(0, i) + key.substring(i + 1));
        Stream<String> doubled =
                IntStream.range(1, key.length()).mapToObj(i -> key.substring(0, i) + key.substring(i - 1));
        return Stream.of(swapped, shortened, doubled).flatMap(slips -> slips);
    }

    @Test
    void eachKeyWithOneSlipIsRecognised() {
        Map<Class<?>, List<String>> sections = keys();
        assertThat(sections).hasSizeGreaterThan(8);
        Set<String> unrecognised = new TreeSet<>();
        sections.forEach((section, keys) -> keys.forEach(key -> slips(key)
                .filter(typed -> !keys.contains(typed))
                .filter(typed -> !NearestName.question(typed, keys).equals("; did you mean " + key + "?"))
                .forEach(typed -> unrecognised.add(
                        section.getSimpleName() + ": " + typed + " for " + key + NearestName.question(typed, keys)))));
        assertThat(unrecognised).isEmpty();
    }
}
