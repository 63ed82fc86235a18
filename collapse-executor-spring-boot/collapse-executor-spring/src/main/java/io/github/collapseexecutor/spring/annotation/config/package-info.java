/**
 * Switches collapsing by annotation on.
 *
 * <p>No parameter, field or result is null unless it is annotated {@link org.jspecify.annotations.Nullable}.
 */
@NullMarked
package io.github.collapseexecutor.spring.annotation.config;

import org.jspecify.annotations.NullMarked;
