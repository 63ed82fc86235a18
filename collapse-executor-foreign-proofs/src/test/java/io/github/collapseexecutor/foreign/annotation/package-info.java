/** Annotated methods under what else stands on methods of real applications, with collapsing and without. */
@NullMarked
package io.github.collapseexecutor.foreign.annotation;

import org.jspecify.annotations.NullMarked;
