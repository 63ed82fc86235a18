/** Bulk calls for callers that subscribe to a {@code Mono}; needs Reactor, and Spring only for hiding the user of a thread. */
@NullMarked
package io.github.collapseexecutor.reactor;

import org.jspecify.annotations.NullMarked;
