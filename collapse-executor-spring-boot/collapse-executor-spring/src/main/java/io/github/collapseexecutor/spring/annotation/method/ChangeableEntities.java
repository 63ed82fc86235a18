package io.github.collapseexecutor.spring.annotation.method;

import io.github.collapseexecutor.spring.annotation.key.KeyForms;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanUtils;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/**
 * Warns of answers that callers are likely to change: entities of JPA and Spring Data with setters. All callers of an execution get the same
 * object, so that a web form which is bound to it is bound to that of the others.
 */
final class ChangeableEntities {

    private static final Log logger = LogFactory.getLog(ChangeableEntities.class);

    /** By name, because they may be absent. */
    private static final Set<String> ENTITIES =
            Set.of("jakarta.persistence.Entity", "org.springframework.data.relational.core.mapping.Table");

    private static final String UNCHANGED = "org.hibernate.annotations.Immutable";

    private ChangeableEntities() {}

    /** Says once for each method, when it is read, which entity its callers get together. */
    static void warnOf(AnnotatedMethod method) {
        Class<?> entity = in(method.returnType(), KeyForms.DEEPEST);
        if (entity != null) {
            logger.warn(
                    method + " gives the callers of one execution the same " + entity.getName()
                            + ", an entity with setters. A caller that changes it, for example by a web form that is bound to it, changes it for"
                            + " the others. Return a record or a projection, or annotate only methods whose callers change nothing.");
        }
    }

    /** The first entity with setters that an answer is, or is made of; null if there is none. */
    private static @Nullable Class<?> in(ResolvableType answer, int depth) {
        Class<?> type = answer.resolve();
        if (type == null || depth == 0) {
            return null;
        }
        if (isEntity(type) && hasSetter(type)) {
            return type;
        }
        Stream<ResolvableType> parts =
                answer.isArray() ? Stream.of(answer.getComponentType()) : Arrays.stream(answer.getGenerics());
        return parts.<@Nullable Class<?>>map(part -> in(part, depth - 1))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    private static boolean isEntity(Class<?> type) {
        MergedAnnotations annotations = MergedAnnotations.from(type, SearchStrategy.SUPERCLASS);
        return ENTITIES.stream().anyMatch(annotations::isPresent) && !annotations.isPresent(UNCHANGED);
    }

    private static boolean hasSetter(Class<?> type) {
        return Arrays.stream(BeanUtils.getPropertyDescriptors(type))
                .anyMatch(property -> property.getWriteMethod() != null);
    }
}
