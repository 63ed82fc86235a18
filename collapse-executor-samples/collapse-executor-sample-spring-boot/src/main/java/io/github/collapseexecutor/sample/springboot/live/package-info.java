/** The live page: a load that the application makes on itself, without and with collapsing side by side, and its switches. */
@NullMarked
package io.github.collapseexecutor.sample.springboot.live;

import org.jspecify.annotations.NullMarked;
