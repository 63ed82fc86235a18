/**
 * What the text of a statement says, and what the database says of its table. Public for other packages of the library only.
 */
@NullMarked
package io.github.collapseexecutor.jdbc.sql;

import org.jspecify.annotations.NullMarked;
