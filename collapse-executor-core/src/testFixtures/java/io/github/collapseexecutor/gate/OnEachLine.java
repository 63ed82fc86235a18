package io.github.collapseexecutor.gate;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * The build runs these tests on each JDK and there on each line of Spring Boot: they ask the API that runs for its methods, or start each kind of
 * application.
 *
 * @see OnEachJdk
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Tag("on-each-line")
public @interface OnEachLine {}
