package io.github.collapseexecutor.spring.annotation.config;

import io.github.collapseexecutor.spring.annotation.CollapseBatch;
import io.github.collapseexecutor.spring.annotation.Collapsible;
import io.github.collapseexecutor.spring.annotation.CollapsingSettings;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Import;

/**
 * Switches {@link Collapsible} and {@link CollapseBatch} on, for applications without Spring Boot, which does so by itself.
 *
 * <pre>{@code
 * @Configuration
 * @EnableCollapsing
 * class Application {}
 * }</pre>
 *
 * <p>A {@link CollapsingSettings} bean changes the settings.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Import(CollapsingConfiguration.class)
public @interface EnableCollapsing {}
