package io.github.collapseexecutor.spring.boot.report;

import io.github.collapseexecutor.spring.boot.config.CollapseExecutorProperties;
import io.github.collapseexecutor.spring.boot.config.NearestName;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;

/**
 * Finds properties of this library below a prefix that is not quite its own, such as {@code collapse-executor} or {@code
 * collapse.rest-template}. Spring Boot refuses an unknown key below the right prefix only, and binds nothing of any other.
 */
final class WrongPrefixes {

    private static final String ROOT = "collapse";
    private static final String EXECUTOR = "executor";

    /** The keys directly below the prefix, each with its type. */
    private static final Map<String, Type> KEYS = Arrays.stream(CollapseExecutorProperties.class.getRecordComponents())
            .collect(Collectors.toMap(
                    component -> component.getName().toLowerCase(Locale.ROOT), RecordComponent::getGenericType));

    /** Where a wrong prefix ends, and what is meant. */
    private record Wrong(String prefix, String meant) {}

    private WrongPrefixes() {}

    /** Returns a sentence or two about each wrong prefix. Values are not shown: one may be a secret. */
    static List<String> in(Environment environment) {
        Map<Wrong, Set<String>> found = new LinkedHashMap<>();
        if (environment instanceof ConfigurableEnvironment configurable) {
            for (PropertySource<?> source : configurable.getPropertySources()) {
                if (source instanceof EnumerablePropertySource<?> listed) {
                    for (String name : listed.getPropertyNames()) {
                        Wrong wrong =
                                source.getName().equals(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME)
                                        ? ofVariable(name)
                                        : ofProperty(name);
                        if (wrong != null) {
                            found.computeIfAbsent(wrong, absent -> new TreeSet<>())
                                    .add(name);
                        }
                    }
                }
            }
        }
        List<String> sentences = new ArrayList<>();
        found.forEach((wrong, names) -> sentences.add(sentence(wrong, List.copyOf(names))));
        return sentences;
    }

    private static String sentence(Wrong wrong, List<String> names) {
        String more = names.size() == 1 ? "" : " and " + (names.size() - 1) + " more";
        return names.get(0) + more + (names.size() == 1 ? " configures" : " configure") + " nothing: the prefix is "
                + CollapseExecutorProperties.PREFIX + ", not " + wrong.prefix() + ". Write " + wrong.meant()
                + " in place of " + wrong.prefix() + ".";
    }

    private static @Nullable Wrong ofProperty(String name) {
        if (!name.toLowerCase(Locale.ROOT).startsWith("c")) {
            return null; // most names, and those that are no names of properties
        }
        ConfigurationPropertyName adapted = ConfigurationPropertyName.adapt(name, '.');
        List<String> words = new ArrayList<>();
        for (int i = 0; i < adapted.getNumberOfElements() && !adapted.isNumericIndex(i); i++) {
            words.add(adapted.getElement(i, ConfigurationPropertyName.Form.ORIGINAL));
        }
        boolean goesOn = words.size() < adapted.getNumberOfElements();
        return wrong(words, goesOn, ".", CollapseExecutorProperties.PREFIX);
    }

    /** In a variable, a key of several words may stand as one word or as several. */
    private static @Nullable Wrong ofVariable(String name) {
        if (UnreadNames.isOfAService(name)) {
            return null;
        }
        List<String> words = Arrays.asList(name.toUpperCase(Locale.ROOT).split("_"));
        String prefix =
                CollapseExecutorProperties.PREFIX.toUpperCase(Locale.ROOT).replace('.', '_');
        for (int length = 1; length <= 4 && length < words.size(); length++) {
            List<String> joined = new ArrayList<>(List.of(words.get(0), String.join("", words.subList(1, length + 1))));
            joined.addAll(words.subList(length + 1, words.size()));
            Wrong wrong = wrong(joined, false, "_", prefix);
            if (wrong != null) {
                return wrong;
            }
            if (isOurs(joined)) {
                return null;
            }
        }
        return null;
    }

    private static boolean isOurs(List<String> words) {
        return words.size() > 1
                && NearestName.lettersOf(words.get(0)).equals(ROOT)
                && NearestName.lettersOf(words.get(1)).equals(EXECUTOR);
    }

    /**
     * Looks at the first words of a name.
     *
     * @param goesOn whether more follows them that is no word
     */
    private static @Nullable Wrong wrong(List<String> words, boolean goesOn, String separator, String right) {
        if (words.isEmpty() || isOurs(words)) {
            return null;
        }
        String first = words.get(0);
        boolean isRoot = NearestName.isNear(NearestName.lettersOf(first), ROOT);
        if (!isRoot) {
            boolean isBoth = NearestName.isNear(NearestName.lettersOf(first), ROOT + EXECUTOR);
            return isBoth && (words.size() > 1 || goesOn) ? new Wrong(first, right) : null;
        }
        if (words.size() < 2) {
            return null;
        }
        String second = NearestName.lettersOf(words.get(1));
        boolean hasMore = words.size() > 2 || goesOn;
        if (NearestName.isNear(second, EXECUTOR)) {
            return hasMore ? ofTwo(words, separator, right) : null;
        }
        Type type = KEYS.get(second);
        boolean isSection = type != null && (!(type instanceof Class<?> one) || one.isRecord());
        return type != null && (hasMore || !isSection) ? new Wrong(first, right) : null;
    }

    /** {@code collapse.executors.users} may leave a part out, {@code collapse.executer.enabled} has one misspelt. */
    private static Wrong ofTwo(List<String> words, String separator, String right) {
        String prefix = words.get(0) + separator + words.get(1);
        boolean isMap = NearestName.lettersOf(words.get(1)).equals("executors")
                && (words.size() < 3 || !KEYS.containsKey(NearestName.lettersOf(words.get(2))));
        return new Wrong(prefix, isMap ? right + separator + words.get(1) : right);
    }
}
