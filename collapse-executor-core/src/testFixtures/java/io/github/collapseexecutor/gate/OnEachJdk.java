package io.github.collapseexecutor.gate;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * The build runs these tests once on each JDK, on the line of Spring Boot that is compiled against: threads or the JDK have a part in them, and no
 * line has.
 *
 * <p>Tests without this and without {@link OnEachLine} run on one line for each JDK: on the one that is compiled against with older JDKs, on the
 * newest with the newest JDK, if their module has a run for that. {@code -Pproofs} runs all.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Tag("on-each-jdk")
public @interface OnEachJdk {}
