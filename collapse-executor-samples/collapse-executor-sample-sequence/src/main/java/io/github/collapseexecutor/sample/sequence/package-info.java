/** Numbers of sequences with and without collapsing. */
@NullMarked
package io.github.collapseexecutor.sample.sequence;

import org.jspecify.annotations.NullMarked;
