/** Rows of many callers, written through what stands between applications and their databases, beside the same rows written one by one. */
@NullMarked
package io.github.collapseexecutor.foreign.writes;

import org.jspecify.annotations.NullMarked;
