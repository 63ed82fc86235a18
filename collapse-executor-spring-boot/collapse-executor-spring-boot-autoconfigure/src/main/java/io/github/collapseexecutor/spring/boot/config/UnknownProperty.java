package io.github.collapseexecutor.spring.boot.config;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;

/**
 * Where a name leaves the tree of {@link CollapseExecutorProperties}.
 *
 * @param property the part of the name that is wrong
 * @param reason what is wrong with it
 * @param action what to write in its place
 */
public record UnknownProperty(String property, String reason, String action) {

    /** What stands in a map under a name that the user has chosen, and which may have dots. */
    private static final Set<Type> ENTRIES = Set.of(
            CollapseExecutorProperties.Gathering.class,
            CollapseExecutorProperties.Writer.class,
            CollapseExecutorProperties.Policy.class);

    private static final Set<String> SECTIONS = Set.of(
            OptionsReader.REST_TEMPLATE,
            OptionsReader.REST_CLIENT,
            OptionsReader.WEB_CLIENT,
            OptionsReader.SERVLET,
            OptionsReader.WEBFLUX);

    /** How a group is written. */
    static final String GROUP_EXAMPLE = "Write each group behind a dash of its own, for example \"- uris: /user/*\".";

    /** How a policy is written. */
    static final String POLICY_EXAMPLE = "Write the name as the key and no dash, for example"
            + " \"by-tenant: {collapse-request-headers: [x-tenant]}\".";

    /** How an executor is written. */
    static final String EXECUTOR_EXAMPLE =
            "Write the name as the key and no dash, for example \"users: {join: in-flight}\";"
                    + " a name with other letters than a-z, digits and hyphens in brackets: \"'[users.byId]': {join: in-flight}\".";

    /** How a writer is written. */
    static final String WRITER_EXAMPLE =
            "Write the name as the key and no dash, for example \"orders: {data-source: ordersDataSource}\".";

    /** Follows a name from the root of the properties; empty if it leads to one of them. */
    public static Optional<UnknownProperty> in(ConfigurationPropertyName name) {
        Type type = CollapseExecutorProperties.class;
        int root =
                ConfigurationPropertyName.of(CollapseExecutorProperties.PREFIX).getNumberOfElements();
        for (int i = root; i < name.getNumberOfElements(); i++) {
            String section = name.chop(i).toString();
            if (type instanceof ParameterizedType collection) {
                Type[] arguments = collection.getActualTypeArguments();
                boolean isMap = arguments.length > 1;
                if (isMap && name.isNumericIndex(i)) {
                    return Optional.of(map(section, arguments[1]));
                } else if (!isMap && !name.isNumericIndex(i)) {
                    return Optional.of(list(section, arguments[0]));
                }
                type = arguments[arguments.length - 1];
                continue;
            }
            List<RecordComponent> keys = keysOf(type);
            String element = name.getElement(i, Form.UNIFORM);
            Optional<RecordComponent> key =
                    keys.stream().filter(known -> isCalled(known, element)).findFirst();
            if (key.isEmpty()) {
                List<String> allowed =
                        keys.stream().map(known -> dashed(known.getName())).toList();
                if (ENTRIES.contains(type) && i + 1 < name.getNumberOfElements() && !name.isNumericIndex(i + 1)) {
                    return Optional.of(dotted(name, i, section, allowed));
                }
                if (isGathering(section, element)) {
                    return Optional.of(gathering(section, name.getElement(i, Form.ORIGINAL)));
                }
                return Optional.of(key(section, name.getElement(i, Form.ORIGINAL), allowed));
            }
            type = key.get().getGenericType();
        }
        return Optional.empty();
    }

    /**
     * A name with dots, which Spring Boot takes for a path of keys.
     *
     * @param next where the second part of the name is
     * @param allowed the keys of an entry
     */
    private static UnknownProperty dotted(
            ConfigurationPropertyName name, int next, String entry, List<String> allowed) {
        String map = name.chop(next - 1).toString();
        int end = next + 1;
        while (end < name.getNumberOfElements() && !allowed.contains(dashed(name.getElement(end, Form.ORIGINAL)))) {
            end++;
        }
        StringBuilder whole = new StringBuilder(name.getElement(next - 1, Form.ORIGINAL));
        for (int i = next; i < end && i < name.getNumberOfElements(); i++) {
            whole.append('.').append(name.getElement(i, Form.ORIGINAL));
        }
        return new UnknownProperty(
                entry + "." + name.getElement(next, Form.ORIGINAL),
                entry + " has no key " + name.getElement(next, Form.ORIGINAL)
                        + "; in a name with dots, each part is taken for a key",
                "If the name is " + whole + ", write it in brackets, with quotes in YAML: " + map + " and below it \"["
                        + whole + "]\". Otherwise use one of the keys of " + entry + ": " + String.join(", ", allowed)
                        + ".");
    }

    /** Whether somebody wants to say in a section of requests how these are gathered. */
    private static boolean isGathering(String section, String element) {
        return SECTIONS.contains(section)
                && keysOf(CollapseExecutorProperties.Gathering.class).stream().anyMatch(key -> isCalled(key, element))
                && !element.equals("cluster");
    }

    private static UnknownProperty gathering(String section, String key) {
        String executor = OptionsReader.propertyOf(OptionsReader.nameOf(section));
        return new UnknownProperty(
                section + "." + key,
                section + " has no key " + key + "; how its requests are gathered stands below executors",
                "Write " + executor + "." + dashed(key) + ", or " + CollapseExecutorProperties.PREFIX + "."
                        + dashed(key) + " for all.");
    }

    private static UnknownProperty list(String section, Type element) {
        return new UnknownProperty(
                section,
                section + " is a list, so that it has no keys",
                element == CollapseExecutorProperties.Group.class
                        ? GROUP_EXAMPLE
                        : "Write each value of " + section + " behind a dash of its own.");
    }

    private static UnknownProperty map(String section, Type element) {
        if (element == CollapseExecutorProperties.Policy.class) {
            return map(section, "a policy", POLICY_EXAMPLE);
        }
        return element == CollapseExecutorProperties.Writer.class
                ? map(section, "a writer", WRITER_EXAMPLE)
                : map(section, "an executor", EXECUTOR_EXAMPLE);
    }

    private static UnknownProperty map(String section, String entry, String example) {
        return new UnknownProperty(section, section + " is no list: the name of " + entry + " is its key", example);
    }

    private static UnknownProperty key(String section, String key, List<String> allowed) {
        return new UnknownProperty(
                section + "." + key,
                section + " has no key " + key + NearestName.question(key, allowed),
                allowed.isEmpty()
                        ? "Give " + section + " a single value."
                        : "Use one of the keys of " + section + ": " + String.join(", ", allowed) + ".");
    }

    /** The keys of a section; a single value has none. */
    public static List<RecordComponent> keysOf(@Nullable Type type) {
        return type instanceof Class<?> section && section.isRecord()
                ? List.of(section.getRecordComponents())
                : List.of();
    }

    /** Whether a key has a name, which is written without hyphens and in lower case. */
    public static boolean isCalled(RecordComponent key, String name) {
        return key.getName().toLowerCase(Locale.ROOT).equals(name);
    }

    public static String dashed(String name) {
        return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }
}
