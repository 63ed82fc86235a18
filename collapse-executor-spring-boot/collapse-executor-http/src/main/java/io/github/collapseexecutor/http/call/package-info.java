/**
 * What a request does: leads a call, follows one, gathers again, goes alone. {@code CallMachine} and {@code LeaderMachine} decide;
 * drivers carry out what they say, on a thread that waits or by callbacks.
 *
 * <p>An adapter implements {@link io.github.collapseexecutor.http.call.BlockingExchange} or
 * {@link io.github.collapseexecutor.http.call.FutureExchange}.
 */
@NullMarked
package io.github.collapseexecutor.http.call;

import org.jspecify.annotations.NullMarked;
