/**
 * Numbers that are given once: one round trip to a database or to Redis takes those of all callers that wait.
 *
 * <p>{@link io.github.collapseexecutor.sequence.Sequences} is what callers use. It takes its numbers from a {@link
 * io.github.collapseexecutor.sequence.SequenceSource}: a row of a table or a sequence of a database, which package {@code
 * jdbc} has, or any counter that is incremented by a number, such as Redis.
 *
 * <p>No parameter, return value or field is null unless it is marked {@code @Nullable}; a null argument is refused with a
 * {@link java.lang.NullPointerException} that names it.
 */
@NullMarked
package io.github.collapseexecutor.sequence;

import org.jspecify.annotations.NullMarked;
