package io.github.collapseexecutor.spring.boot.config;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Conditional;

/**
 * What is annotated exists while all the switches are on, as they are by default. The value of a switch is read as Spring Boot binds it, so
 * that {@code off}, {@code no} and {@code 0} are {@code false} here too; a comparison of texts would know {@code false} only.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Conditional(SwitchesCondition.class)
public @interface ConditionalOnSwitches {

    /** The properties of the switches, below {@value CollapseExecutorProperties#PREFIX}. */
    String[] value();
}
