/**
 * Sharing of calls with other instances: which executors and clients share, and what is missing for it.
 *
 * <p>Internal: its public types are for the other packages of this module, and no bundle exports it.
 *
 * <p>No parameter, field or result is null unless it is annotated {@link org.jspecify.annotations.Nullable}.
 */
@NullMarked
package io.github.collapseexecutor.spring.boot.cluster;

import org.jspecify.annotations.NullMarked;
