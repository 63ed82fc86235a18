/**
 * What is known of a database, of its connections and of their failures.
 *
 * <p>Internal: its public types are for other packages of the library, and no bundle exports it.
 */
@NullMarked
package io.github.collapseexecutor.jdbc.connection;

import org.jspecify.annotations.NullMarked;
