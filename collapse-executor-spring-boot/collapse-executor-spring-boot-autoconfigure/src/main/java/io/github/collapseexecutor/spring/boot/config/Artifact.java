package io.github.collapseexecutor.spring.boot.config;

import java.util.List;
import org.springframework.util.ClassUtils;

/**
 * An artifact that an application adds to the starter.
 *
 * @param id its name
 * @param type one of its classes
 * @param sections the sections of the properties that need it
 */
public record Artifact(String id, String type, List<String> sections) {

    public static final Artifact JDBC = new Artifact(
            "collapse-executor-jdbc",
            "io.github.collapseexecutor.jdbc.GroupCommit",
            List.of(CollapseExecutorProperties.PREFIX + ".writers", CollapseExecutorProperties.PREFIX + ".sequences"));

    public static final Artifact REDIS = new Artifact(
            "collapse-executor-redis",
            "io.github.collapseexecutor.cluster.ClusterCalls",
            List.of(CollapseExecutorProperties.PREFIX + ".cluster"));

    private static final List<Artifact> ALL = List.of(JDBC, REDIS);

    public boolean isPresent() {
        return ClassUtils.isPresent(type, null);
    }

    /** Stops the start where a property is set that nothing reads. */
    public static void requireForPropertiesOf(SetProperties set) {
        for (Artifact artifact : ALL) {
            if (!artifact.isPresent()) {
                artifact.sections.forEach(section -> artifact.requireNothingBelow(section, set));
            }
        }
    }

    private void requireNothingBelow(String section, SetProperties set) {
        set.below(section).stream().findFirst().ifPresent(name -> {
            throw missingFor(name.toString(), set.shown(name), ", or remove what is set below " + section + ".");
        });
    }

    /**
     * Says that this artifact is missing.
     *
     * @param more ends the sentence of the remedy
     */
    public InvalidCollapsePropertyException missingFor(String property, Object value, String more) {
        return new InvalidCollapsePropertyException(
                property,
                value,
                "it needs classes of " + id + ", which is not on the class path",
                "Add the dependency io.github.collapseexecutor:" + id + more);
    }
}
