package io.github.collapseexecutor.spring.boot;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * An artifact that an application adds to the starter.
 *
 * @param id its name
 * @param type one of its classes
 * @param sections the sections of the properties that need it
 */
record Artifact(String id, String type, List<String> sections) {

    static final Artifact JDBC = new Artifact(
            "collapse-executor-jdbc",
            "io.github.collapseexecutor.jdbc.GroupCommit",
            List.of(CollapseExecutorProperties.PREFIX + ".writers", CollapseExecutorProperties.PREFIX + ".sequences"));

    static final Artifact REDIS = new Artifact(
            "collapse-executor-redis",
            "io.github.collapseexecutor.cluster.ClusterCalls",
            List.of(CollapseExecutorProperties.PREFIX + ".cluster"));

    private static final List<Artifact> ALL = List.of(JDBC, REDIS);
    /** A section that is switched off needs nothing. */
    private static final String SWITCH = "enabled";

    boolean isPresent() {
        return ClassUtils.isPresent(type, null);
    }

    /** Stops the start where a property is set that nothing reads. */
    static void requireForPropertiesOf(Environment environment) {
        for (Artifact artifact : ALL) {
            if (!artifact.isPresent()) {
                artifact.sections.forEach(section -> {
                    String set = firstSetBelow(ConfigurationPropertyName.of(section), environment);
                    if (set != null) {
                        throw artifact.missingFor(
                                set,
                                environment.getProperty(set, ""),
                                ", or remove what is set below " + section + ".");
                    }
                });
            }
        }
    }

    private static @Nullable String firstSetBelow(ConfigurationPropertyName section, Environment environment) {
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (source instanceof IterableConfigurationPropertySource names) {
                ConfigurationPropertyName first = names.stream()
                        .filter(section::isAncestorOf)
                        .filter(name -> !name.equals(section.append(SWITCH)))
                        .findFirst()
                        .orElse(null);
                if (first != null) {
                    return first.toString();
                }
            }
        }
        return null;
    }

    /**
     * Says that this artifact is missing.
     *
     * @param more ends the sentence of the remedy
     */
    InvalidCollapsePropertyException missingFor(String property, Object value, String more) {
        return new InvalidCollapsePropertyException(
                property,
                value,
                "it needs classes of " + id + ", which is not on the class path",
                "Add the dependency io.github.collapseexecutor:" + id + more);
    }
}
