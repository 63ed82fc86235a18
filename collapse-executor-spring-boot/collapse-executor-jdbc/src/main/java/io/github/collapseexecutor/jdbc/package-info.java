/**
 * Many callers' small writes leave as one: one batch of statements and one commit for all callers that come at the same time.
 *
 * <p>{@link io.github.collapseexecutor.jdbc.GroupCommit} writes rows, {@link
 * io.github.collapseexecutor.jdbc.MergedUpdates} merges updates of the same row into one. Both need a {@link
 * javax.sql.DataSource} and nothing else; where Spring's transactions are on the class path, a call from inside one is
 * noticed. A caller gets its own outcome: it is told of success only after the commit, of a failure only if its row is
 * certainly not there, and of anything else by an {@link io.github.collapseexecutor.jdbc.OutcomeUnknownException}.
 *
 * <p>{@link io.github.collapseexecutor.jdbc.DatabaseSequences} and {@link io.github.collapseexecutor.jdbc.SequenceTable} are
 * where {@link io.github.collapseexecutor.sequence.Sequences} take their numbers from.
 *
 * <p>No parameter, return value or field is null unless it is marked {@code @Nullable}; a null argument is refused with a
 * {@link java.lang.NullPointerException}.
 */
@NullMarked
package io.github.collapseexecutor.jdbc;

import org.jspecify.annotations.NullMarked;
