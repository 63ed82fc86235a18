/** A load run against the sample's servers: what they do in a second with and without collapsing. */
@NullMarked
package io.github.collapseexecutor.sample.springboot.load;

import org.jspecify.annotations.NullMarked;
