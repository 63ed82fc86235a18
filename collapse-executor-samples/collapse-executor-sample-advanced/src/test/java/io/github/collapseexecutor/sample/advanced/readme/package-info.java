/** What the documentation shows, compiled and run; the regions between the marks are the very lines that it prints. */
@NullMarked
package io.github.collapseexecutor.sample.advanced.readme;

import org.jspecify.annotations.NullMarked;
