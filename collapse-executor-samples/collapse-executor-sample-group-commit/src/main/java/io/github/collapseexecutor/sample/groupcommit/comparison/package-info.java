/** Writes one by one, through a home-made queue and as a group, measured in turn. */
@NullMarked
package io.github.collapseexecutor.sample.groupcommit.comparison;

import org.jspecify.annotations.NullMarked;
