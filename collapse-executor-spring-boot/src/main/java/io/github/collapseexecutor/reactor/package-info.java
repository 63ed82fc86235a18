/** Bulk calls for callers that subscribe to a {@code Mono}; needs Reactor, and nothing of Spring. */
@NullMarked
package io.github.collapseexecutor.reactor;

import org.jspecify.annotations.NullMarked;
