package io.github.collapseexecutor.spring.boot.config;

import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.origin.Origin;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.util.unit.DataSize;

/**
 * Says which property under {@code collapse.executor} stopped the start, where it stands, and what is allowed. It comes
 * before Boot's own analyzers, which know the property and not what would be right.
 */
@Order(0)
public final class CollapseFailureAnalyzer implements FailureAnalyzer {

    /** Why a value cannot stand where keys belong. */
    public static final String SECTION_WITH_VALUE = "it is a section with keys of its own, not a single value";

    private static final ConfigurationPropertyName PREFIX =
            ConfigurationPropertyName.of(CollapseExecutorProperties.PREFIX);

    private static final ConfigurationPropertyName EXECUTORS = ConfigurationPropertyName.of(OptionsReader.EXECUTORS);
    private static final ConfigurationPropertyName WRITERS = ConfigurationPropertyName.of(OptionsReader.WRITERS);

    private static final List<ConfigurationPropertyName> SECRETS = List.of(
            ConfigurationPropertyName.of(OptionsReader.SECRET),
            ConfigurationPropertyName.of(OptionsReader.OTHER_SECRETS));

    /** Stands in a message for a value that nobody may read there. */
    public static final String HIDDEN = "(not shown)";

    private static final Map<Class<?>, String> ALLOWED = Map.of(
            Boolean.class, "true or false",
            Integer.class, "a whole number, for example 10",
            Long.class, "a whole number, for example 10",
            Double.class, "a number, for example 0.1",
            Duration.class, "a number of milliseconds, or a duration with its unit, for example 500ms or 2s",
            DataSize.class, "a number of bytes, or a size with its unit, for example 512KB or 2MB");

    // immutable
    private final @Nullable Environment environment;

    /** Boot hands in null where the start failed before there was an environment. */
    CollapseFailureAnalyzer(@Nullable Environment environment) {
        this.environment = environment;
    }

    @Override
    public @Nullable FailureAnalysis analyze(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof InvalidCollapsePropertyException invalid) {
                return analysis(
                        describeTyped(invalid.property(), invalid.value(), invalid.reason()),
                        invalid.action(),
                        invalid);
            }
            if (cause instanceof BindException bind
                    && (bind.getName().equals(PREFIX) || PREFIX.isAncestorOf(bind.getName()))) {
                return bind.getCause() instanceof UnboundConfigurationPropertiesException unbound
                        ? unknownProperties(unbound)
                        : wrongType(bind);
            }
        }
        return null;
    }

    private static FailureAnalysis unknownProperties(UnboundConfigurationPropertiesException failure) {
        Map<String, UnknownProperty> unknown = new LinkedHashMap<>();
        StringBuilder description = new StringBuilder();
        for (ConfigurationProperty property : failure.getUnboundProperties()) {
            UnknownProperty found = UnknownProperty.in(property.getName()).orElse(null);
            if (found == null || unknown.putIfAbsent(found.property(), found) == null) {
                description.append(describe(
                        property.getName().toString(),
                        property.getValue(),
                        property.getOrigin(),
                        found == null ? "the indexes of a list start at 0 and leave none out" : found.reason()));
            }
        }
        String action = unknown.isEmpty()
                ? "Number the list anew."
                : unknown.values().stream()
                        .map(UnknownProperty::action)
                        .distinct()
                        .collect(Collectors.joining(System.lineSeparator()));
        return analysis(description.toString(), action, failure);
    }

    private FailureAnalysis wrongType(BindException failure) {
        Class<?> type = failure.getTarget().getBoxedType().toClass();
        ConfigurationPropertyName name = failure.getName();
        String reason = SECTION_WITH_VALUE;
        String action = "Correct the value, or remove the property to keep its default.";
        if (type.isEnum()) {
            reason = "it must be "
                    + Arrays.stream(type.getEnumConstants())
                            .map(constant -> EnumWord.of((Enum<?>) constant))
                            .collect(Collectors.joining(" or "));
        } else if (ALLOWED.containsKey(type)) {
            reason = "it must be " + ALLOWED.get(type);
        } else if (type == CollapseExecutorProperties.Group.class || type == List.class) {
            reason = "a group is a section with keys of its own, not a single value";
            action = UnknownProperty.GROUP_EXAMPLE;
        } else if (name.equals(EXECUTORS)) {
            reason = "executors have names, and the name of an executor is its key";
            action = UnknownProperty.EXECUTOR_EXAMPLE;
        } else if (name.equals(WRITERS)) {
            reason = "writers have names, and the name of a writer is its key";
            action = UnknownProperty.WRITER_EXAMPLE;
        } else if (name.isLastElementIndexed() || type == Map.class) {
            reason = "policies have names, and the name of a policy is its key";
            action = UnknownProperty.POLICY_EXAMPLE;
        }
        return analysis(describeTyped(name.toString(), "", reason), action, failure);
    }

    private static FailureAnalysis analysis(String properties, String action, Throwable cause) {
        return new FailureAnalysis(
                String.format("The configuration of collapse-executor is not valid:%n%s", properties), action, cause);
    }

    private static String describe(String name, Object value, @Nullable Origin origin, String reason) {
        return String.format(
                "%n    Property: %s%n    Value: \"%s\"%s%n    Reason: %s%n",
                name,
                value.equals("") ? "" : shown(parsed(name), value.toString()),
                origin == null ? "" : String.format("%n    Origin: %s", origin),
                reason);
    }

    /** A value that a message may show. */
    static String shown(ConfigurationPropertyName property, String value) {
        return SECRETS.stream().anyMatch(secret -> secret.equals(property) || secret.isAncestorOf(property))
                ? HIDDEN
                : value;
    }

    private static ConfigurationPropertyName parsed(String name) {
        return ConfigurationPropertyName.isValid(name) ? ConfigurationPropertyName.of(name) : PREFIX;
    }

    /** Describes a value as the user typed it: {@code 5s} rather than the {@code PT5S} it was read as. */
    private String describeTyped(String name, Object read, String reason) {
        ConfigurationPropertyName propertyName = parsed(name);
        ConfigurationProperty typed = find(propertyName);
        ConfigurationProperty place =
                typed == null && propertyName.isLastElementIndexed() ? find(propertyName.getParent()) : typed;
        Object value = typed == null || typed.getValue().equals("") ? read : typed.getValue();
        return describe(name, value, place == null ? null : place.getOrigin(), reason);
    }

    private @Nullable ConfigurationProperty find(ConfigurationPropertyName name) {
        if (environment == null) {
            return null;
        }
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            ConfigurationProperty property = source.getConfigurationProperty(name);
            if (property != null) {
                return property;
            }
        }
        return null;
    }
}
