/**
 * Writers of rows and sources of numbers, from {@code collapse.executor.writers} and {@code collapse.executor.sequences}.
 *
 * <p>No parameter, field or result is null unless it is annotated {@link org.jspecify.annotations.Nullable}.
 */
@NullMarked
package io.github.collapseexecutor.spring.boot.writes;

import org.jspecify.annotations.NullMarked;
