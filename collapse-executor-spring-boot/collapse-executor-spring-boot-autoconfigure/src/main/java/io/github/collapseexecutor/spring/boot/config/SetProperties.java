package io.github.collapseexecutor.spring.boot.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;

/** The properties of this library that somebody has set, with their values as they were written. Secrets are not shown. */
public final class SetProperties {

    private static final ConfigurationPropertyName PREFIX =
            ConfigurationPropertyName.of(CollapseExecutorProperties.PREFIX);

    /** Properties that a sentence names; it counts the others. */
    private static final int NAMED = 3;

    // immutable
    private final Map<ConfigurationPropertyName, Object> values;

    private SetProperties(Map<ConfigurationPropertyName, Object> values) {
        this.values = values;
    }

    public static SetProperties in(Environment environment) {
        Map<ConfigurationPropertyName, Object> values = new LinkedHashMap<>();
        if (environment instanceof ConfigurableEnvironment configurable) {
            for (ConfigurationPropertySource source :
                    ConfigurationPropertySources.from(configurable.getPropertySources())) {
                if (source instanceof IterableConfigurationPropertySource listed) {
                    listed.stream()
                            .filter(PREFIX::isAncestorOf)
                            .forEach(name -> add(listed.getConfigurationProperty(name), values));
                }
            }
        }
        return new SetProperties(values);
    }

    private static void add(ConfigurationProperty property, Map<ConfigurationPropertyName, Object> values) {
        Object value = property == null ? "" : property.getValue();
        if (property != null && !value.equals("")) { // an empty list, or nothing
            Object unused = values.putIfAbsent(property.getName(), value);
        }
    }

    /** Those that stand below a name, or have it; the switch {@code enabled} of a section says itself what it does. */
    public List<ConfigurationPropertyName> below(String property) {
        ConfigurationPropertyName section = ConfigurationPropertyName.of(property);
        ConfigurationPropertyName ownSwitch = section.append("enabled");
        return values.keySet().stream()
                .filter(name -> section.equals(name) || section.isAncestorOf(name))
                .filter(name -> !name.equals(ownSwitch))
                .toList();
    }

    /** The first of those that stand below a name, or null. */
    public @Nullable ConfigurationPropertyName first(String section) {
        ConfigurationPropertyName name = ConfigurationPropertyName.of(section);
        return values.keySet().stream().filter(name::isAncestorOf).findFirst().orElse(null);
    }

    /** The value of a property that is set, or that it is not shown. */
    public String shown(ConfigurationPropertyName name) {
        return CollapseFailureAnalyzer.shown(name, String.valueOf(values.get(name)));
    }

    /** Names properties, with their values, as the subject of a sentence. */
    public String named(List<ConfigurationPropertyName> names) {
        String first = names.stream()
                .limit(NAMED)
                .map(name -> name + " " + CollapseFailureAnalyzer.shown(name, "(" + values.get(name) + ")"))
                .collect(Collectors.joining(", "));
        String more = names.size() > NAMED ? " and " + (names.size() - NAMED) + " more" : "";
        return first + more + (names.size() == 1 ? " has no effect: " : " have no effect: ");
    }
}
