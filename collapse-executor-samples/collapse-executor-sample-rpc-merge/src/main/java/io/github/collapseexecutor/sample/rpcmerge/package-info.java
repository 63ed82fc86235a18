/** Remote calls whose requests leave merged: all that wait for one server are one frame, and answers are matched by id. */
@NullMarked
package io.github.collapseexecutor.sample.rpcmerge;

import org.jspecify.annotations.NullMarked;
