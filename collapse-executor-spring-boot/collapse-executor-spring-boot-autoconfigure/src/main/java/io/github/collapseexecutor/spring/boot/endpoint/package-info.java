/**
 * The actuator endpoints {@code collapse} and {@code collapsepage}, and the numbers that they show.
 *
 * <p>No parameter, field or result is null unless it is annotated {@link org.jspecify.annotations.Nullable}.
 */
@NullMarked
package io.github.collapseexecutor.spring.boot.endpoint;

import org.jspecify.annotations.NullMarked;
