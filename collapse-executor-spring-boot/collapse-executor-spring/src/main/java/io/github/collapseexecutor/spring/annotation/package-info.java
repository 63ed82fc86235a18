/**
 * Collapsing by annotation: {@link io.github.collapseexecutor.spring.annotation.Collapsible} lets identical calls of a method share
 * one execution, {@link io.github.collapseexecutor.spring.annotation.CollapseBatch} answers concurrent calls with one call of a
 * batch method. On classes, interfaces, Spring Data repositories and HTTP interfaces, with Spring Framework 6.2 and 7.
 *
 * <p>No parameter, field or result is null unless it is annotated {@link org.jspecify.annotations.Nullable}.
 */
@NullMarked
package io.github.collapseexecutor.spring.annotation;

import org.jspecify.annotations.NullMarked;
