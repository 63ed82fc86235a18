/** One page of everything that is measured: each part runs in processes of its own, one after another. */
@NullMarked
package io.github.collapseexecutor.report;

import org.jspecify.annotations.NullMarked;
