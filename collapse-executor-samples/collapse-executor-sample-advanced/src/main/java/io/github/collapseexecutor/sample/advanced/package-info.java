/** Batch executors: many inputs, one bulk call, to each caller its own part of the result. */
@NullMarked
package io.github.collapseexecutor.sample.advanced;

import org.jspecify.annotations.NullMarked;
