/** Three instances of an application, as processes, that share calls through Redis. */
@NullMarked
package io.github.collapseexecutor.sample.cluster;

import org.jspecify.annotations.NullMarked;
