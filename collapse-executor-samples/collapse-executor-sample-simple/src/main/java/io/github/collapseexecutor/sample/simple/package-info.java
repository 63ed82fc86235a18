/** The executors for callables: blocking, async and future, each in its smallest form. */
@NullMarked
package io.github.collapseexecutor.sample.simple;

import org.jspecify.annotations.NullMarked;
