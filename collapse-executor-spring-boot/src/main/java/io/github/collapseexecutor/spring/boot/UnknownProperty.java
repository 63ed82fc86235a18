package io.github.collapseexecutor.spring.boot;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;

/**
 * Where a name leaves the tree of {@link CollapseExecutorProperties}.
 *
 * @param section the deepest part that exists
 * @param key what stands below it and should not
 * @param allowed the keys of the section, none if it is a single value
 */
record UnknownProperty(String section, String key, List<String> allowed) {

    /** Follows a name from the root of the properties; empty if it leads to one of them. */
    static Optional<UnknownProperty> in(ConfigurationPropertyName name) {
        Type type = CollapseExecutorProperties.class;
        int root =
                ConfigurationPropertyName.of(CollapseExecutorProperties.PREFIX).getNumberOfElements();
        for (int i = root; i < name.getNumberOfElements(); i++) {
            if (type instanceof ParameterizedType collection) {
                Type[] arguments = collection.getActualTypeArguments();
                type = arguments[arguments.length - 1];
                continue;
            }
            RecordComponent[] components = type instanceof Class<?> section && section.isRecord()
                    ? section.getRecordComponents()
                    : new RecordComponent[0];
            String element = name.getElement(i, Form.UNIFORM);
            Optional<RecordComponent> component = Arrays.stream(components)
                    .filter(candidate ->
                            candidate.getName().toLowerCase(Locale.ROOT).equals(element))
                    .findFirst();
            if (component.isEmpty()) {
                List<String> allowed = Arrays.stream(components)
                        .map(candidate -> dashed(candidate.getName()))
                        .toList();
                return Optional.of(
                        new UnknownProperty(name.chop(i).toString(), name.getElement(i, Form.ORIGINAL), allowed));
            }
            type = component.get().getGenericType();
        }
        return Optional.empty();
    }

    String property() {
        return section + "." + key;
    }

    String reason() {
        return section + " has no key " + key + NearestName.question(key, allowed);
    }

    String action() {
        return allowed.isEmpty()
                ? "Give " + section + " a single value."
                : "Use one of the keys of " + section + ": " + String.join(", ", allowed) + ".";
    }

    private static String dashed(String name) {
        return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }
}
