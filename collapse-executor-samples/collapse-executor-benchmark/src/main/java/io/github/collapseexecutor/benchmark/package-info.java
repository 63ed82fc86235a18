/** What collapsing costs and gives, measured beside what a user would pick otherwise, in the same run. */
@NullMarked
package io.github.collapseexecutor.benchmark;

import org.jspecify.annotations.NullMarked;
