/**
 * The threads that batches are written on, and the callers that they wait for. Public for other packages of the library only.
 */
@NullMarked
package io.github.collapseexecutor.jdbc.writer;

import org.jspecify.annotations.NullMarked;
