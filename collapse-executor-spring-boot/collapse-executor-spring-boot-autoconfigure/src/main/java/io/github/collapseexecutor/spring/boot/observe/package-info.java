/**
 * Meters, observations and traces of batches and callers, and the contexts that callers hand on.
 *
 * <p>No parameter, field or result is null unless it is annotated {@link org.jspecify.annotations.Nullable}.
 */
@NullMarked
package io.github.collapseexecutor.spring.boot.observe;

import org.jspecify.annotations.NullMarked;
