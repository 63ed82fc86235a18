/**
 * Writes to a database that leave together.
 *
 * <p>{@link io.github.collapseexecutor.jdbc.DatabaseSequences} and {@link io.github.collapseexecutor.jdbc.SequenceTable} are
 * sources of {@link io.github.collapseexecutor.sequence.Sequences}. JDBC only; statements are those of H2, PostgreSQL,
 * MariaDB and MySQL.
 *
 * <p>No parameter, return value or field is null unless it is marked {@code @Nullable}; a null argument is refused with a
 * {@link java.lang.NullPointerException} that names it.
 */
@NullMarked
package io.github.collapseexecutor.jdbc;

import org.jspecify.annotations.NullMarked;
