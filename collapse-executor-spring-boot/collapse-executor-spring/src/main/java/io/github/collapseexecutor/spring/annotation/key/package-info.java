/**
 * The keys of calls: which arguments and users are equal, and their texts that are the same on all instances.
 *
 * <p>Internal: its public types are for the other packages of this module, and no bundle exports it.
 *
 * <p>No parameter, field or result is null unless it is annotated {@link org.jspecify.annotations.Nullable}.
 */
@NullMarked
package io.github.collapseexecutor.spring.annotation.key;

import org.jspecify.annotations.NullMarked;
