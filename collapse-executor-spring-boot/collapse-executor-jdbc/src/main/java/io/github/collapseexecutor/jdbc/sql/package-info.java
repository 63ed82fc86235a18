/**
 * What the text of a statement says, and what the database says of its table.
 *
 * <p>Internal: its public types are for other packages of the library, and no bundle exports it.
 */
@NullMarked
package io.github.collapseexecutor.jdbc.sql;

import org.jspecify.annotations.NullMarked;
