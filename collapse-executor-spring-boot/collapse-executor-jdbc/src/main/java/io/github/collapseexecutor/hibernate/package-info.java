/** Ids of entities by {@link io.github.collapseexecutor.sequence.Sequences}, for Hibernate 6.6 and 7. */
@NullMarked
package io.github.collapseexecutor.hibernate;

import org.jspecify.annotations.NullMarked;
