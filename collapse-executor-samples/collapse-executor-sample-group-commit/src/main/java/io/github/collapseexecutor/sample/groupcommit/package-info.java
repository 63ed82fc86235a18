/** A shop that writes rows and orders one by one and in groups. */
@NullMarked
package io.github.collapseexecutor.sample.groupcommit;

import org.jspecify.annotations.NullMarked;
