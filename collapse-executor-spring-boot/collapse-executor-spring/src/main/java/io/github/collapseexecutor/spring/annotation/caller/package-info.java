/**
 * The callers of methods: the user, the tenant, the language and whatever else of a thread counts, and what is carried to another thread.
 *
 * <p>Internal: its public types are for the other packages of this module, and no bundle exports it.
 *
 * <p>No parameter, field or result is null unless it is annotated {@link org.jspecify.annotations.Nullable}.
 */
@NullMarked
package io.github.collapseexecutor.spring.annotation.caller;

import org.jspecify.annotations.NullMarked;
