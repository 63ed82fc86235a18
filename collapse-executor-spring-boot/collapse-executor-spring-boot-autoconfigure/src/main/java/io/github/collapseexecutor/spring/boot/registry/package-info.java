/**
 * The adapters and executors that there are, and their observers.
 *
 * <p>Internal: its public types are for the other packages of this module, and no bundle exports it.
 *
 * <p>No parameter, field or result is null unless it is annotated {@link org.jspecify.annotations.Nullable}.
 */
@NullMarked
package io.github.collapseexecutor.spring.boot.registry;

import org.jspecify.annotations.NullMarked;
