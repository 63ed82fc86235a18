/**
 * What is known of a database, of its connections and of their failures. Public for other packages of the library only.
 */
@NullMarked
package io.github.collapseexecutor.jdbc.connection;

import org.jspecify.annotations.NullMarked;
