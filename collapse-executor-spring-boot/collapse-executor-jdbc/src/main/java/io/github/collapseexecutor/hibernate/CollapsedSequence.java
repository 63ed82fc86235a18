package io.github.collapseexecutor.hibernate;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.hibernate.annotations.IdGeneratorType;

/**
 * The id of an entity is a number of a sequence: the numbers of entities that are persisted at the same time are taken by one round
 * trip.
 *
 * <pre>{@code
 * @Id
 * @CollapsedSequence("order_id")
 * private Long id;
 * }</pre>
 *
 * <p>The id is a {@code long}, {@code int}, or their object; a number that is too great for it fails the entity.
 *
 * <p>With Spring, numbers come of the {@link io.github.collapseexecutor.sequence.Sequences} bean; with several data sources, of the bean whose
 * {@linkplain io.github.collapseexecutor.sequence.Sequences#dataSource() data source} is of the session factory's database, or the start
 * fails. Without a bean, and where each tenant has connections of its own, they come of the object under
 * {@value CollapsedSequenceGenerator#SEQUENCES} in Hibernate's settings. It needs connections of its own, because the caller has
 * one while it waits ({@link io.github.collapseexecutor.sequence.Sequences} says why); the bean of Spring Boot has them.
 */
@Documented
@IdGeneratorType(CollapsedSequenceGenerator.class)
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD})
public @interface CollapsedSequence {

    /**
     * Which sequence.
     *
     * @return its name, as for {@link io.github.collapseexecutor.sequence.Sequences#next}
     */
    String value();
}
