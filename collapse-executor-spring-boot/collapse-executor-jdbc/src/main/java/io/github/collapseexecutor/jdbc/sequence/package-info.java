/**
 * Connections and statements that numbers are taken by.
 *
 * <p>Internal: its public types are for other packages of the library, and no bundle exports it.
 */
@NullMarked
package io.github.collapseexecutor.jdbc.sequence;

import org.jspecify.annotations.NullMarked;
