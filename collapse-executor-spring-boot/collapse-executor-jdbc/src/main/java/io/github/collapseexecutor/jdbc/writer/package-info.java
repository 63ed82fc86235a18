/**
 * The threads that batches are written on, and the callers that they wait for.
 *
 * <p>Internal: its public types are for other packages of the library, and no bundle exports it.
 */
@NullMarked
package io.github.collapseexecutor.jdbc.writer;

import org.jspecify.annotations.NullMarked;
