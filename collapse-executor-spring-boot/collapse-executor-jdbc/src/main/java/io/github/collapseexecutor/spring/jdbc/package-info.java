/** Writes in the manner of Spring's {@code JdbcTemplate}, through a {@link io.github.collapseexecutor.jdbc.GroupCommit}. */
@NullMarked
package io.github.collapseexecutor.spring.jdbc;

import org.jspecify.annotations.NullMarked;
