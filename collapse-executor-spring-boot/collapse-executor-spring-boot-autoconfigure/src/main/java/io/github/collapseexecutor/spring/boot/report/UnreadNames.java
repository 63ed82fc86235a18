package io.github.collapseexecutor.spring.boot.report;

import io.github.collapseexecutor.spring.boot.config.CollapseExecutorProperties;
import io.github.collapseexecutor.spring.boot.config.UnknownProperty;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.StandardEnvironment;

/**
 * Finds environment variables and system properties whose names begin as those of this library and lead to no property. Spring Boot
 * refuses unknown keys everywhere else. It does not here, because other programs set such names, too.
 */
final class UnreadNames {

    private static final String PROPERTY_START = CollapseExecutorProperties.PREFIX + ".";
    private static final String VARIABLE_START =
            PROPERTY_START.replace('.', '_').toUpperCase(Locale.ROOT);

    /** Kubernetes sets these in every container, for each service; one may have the name {@code collapse-executor}. */
    private static final Pattern OF_A_SERVICE =
            Pattern.compile(".*_SERVICE_(HOST|PORT(_.+)?)|.*_PORT(_\\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?");

    private UnreadNames() {}

    /** Whether Kubernetes sets a variable of this name for a service. */
    static boolean isOfAService(String variable) {
        return OF_A_SERVICE.matcher(variable.toUpperCase(Locale.ROOT)).matches();
    }

    /** Returns a sentence or two about each name that configures nothing. Values are not shown: one may be a secret. */
    static List<String> in(Environment environment) {
        List<String> sentences = new ArrayList<>();
        for (String name : names(environment, StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME)) {
            ofVariable(name).ifPresent(unknown -> sentences.add(sentence("environment variable", name, unknown)));
        }
        for (String name : names(environment, StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME)) {
            ofProperty(name).ifPresent(unknown -> sentences.add(sentence("system property", name, unknown)));
        }
        return sentences;
    }

    private static List<String> names(Environment environment, String source) {
        return environment instanceof ConfigurableEnvironment configurable
                        && configurable.getPropertySources().get(source) instanceof EnumerablePropertySource<?> listed
                ? Arrays.stream(listed.getPropertyNames()).sorted().toList()
                : List.of();
    }

    private static String sentence(String kind, String name, UnknownProperty unknown) {
        String reason = unknown.reason();
        return "The " + kind + " " + name + " configures nothing: " + reason + (reason.endsWith("?") ? " " : ". ")
                + unknown.action();
    }

    private static Optional<UnknownProperty> ofProperty(String name) {
        return name.toLowerCase(Locale.ROOT).startsWith(PROPERTY_START)
                ? UnknownProperty.in(ConfigurationPropertyName.adapt(name, '.'))
                : Optional.empty();
    }

    private static Optional<UnknownProperty> ofVariable(String name) {
        String variable = name.toUpperCase(Locale.ROOT);
        if (!variable.startsWith(VARIABLE_START)) {
            return ofProperty(name);
        }
        if (isOfAService(variable)) {
            return Optional.empty();
        }
        List<String> words = Arrays.stream(
                        variable.substring(VARIABLE_START.length()).split("_"))
                .map(word -> word.replaceAll("[^A-Z0-9]", "").toLowerCase(Locale.ROOT))
                .filter(word -> !word.isEmpty())
                .toList();
        List<Optional<UnknownProperty>> readings = readings(CollapseExecutorProperties.class, words)
                .map(reading -> UnknownProperty.in(
                        ConfigurationPropertyName.adapt(CollapseExecutorProperties.PREFIX + reading, '.')))
                .toList();
        return readings.stream().allMatch(Optional::isPresent)
                ? readings.stream()
                        .flatMap(Optional::stream)
                        .max(Comparator.comparing(unknown -> unknown.reason().endsWith("?"))) // it has a nearest name
                : Optional.empty();
    }

    /**
     * Returns the names that words may mean. A variable has no hyphens and no capitals, so that a key of several words may be one word
     * or several, and so may the name of an executor. A name ends where it leaves the tree of the properties.
     */
    private static Stream<String> readings(@Nullable Type type, List<String> words) {
        if (words.isEmpty()) {
            return Stream.of("");
        }
        if (type instanceof ParameterizedType collection) {
            Type[] arguments = collection.getActualTypeArguments();
            Type element = arguments[arguments.length - 1];
            if (arguments.length > 1) {
                return starts(words)
                        .filter(start -> words.size() == 1 || start.size() < words.size())
                        .flatMap(start -> behind("." + key(start), element, words, start.size()));
            }
            String first = words.get(0);
            boolean isIndex = first.chars().allMatch(Character::isDigit);
            return isIndex ? behind("[" + first + "]", element, words, 1) : Stream.of("." + first);
        }
        List<RecordComponent> keys = UnknownProperty.keysOf(type);
        List<String> known = starts(words)
                .flatMap(start -> keys.stream()
                        .filter(component -> UnknownProperty.isCalled(component, key(start)))
                        .flatMap(component -> behind(
                                "." + UnknownProperty.dashed(component.getName()),
                                component.getGenericType(),
                                words,
                                start.size())))
                .toList();
        return known.isEmpty() ? starts(words).map(start -> "." + key(start)) : known.stream();
    }

    /** The first words, be it one of them or more. */
    private static Stream<List<String>> starts(List<String> words) {
        return Stream.iterate(1, count -> count <= words.size(), count -> count + 1)
                .map(count -> words.subList(0, count));
    }

    private static String key(List<String> words) {
        return String.join("", words);
    }

    private static Stream<String> behind(String start, Type type, List<String> words, int read) {
        return readings(type, words.subList(read, words.size())).map(rest -> start + rest);
    }
}
