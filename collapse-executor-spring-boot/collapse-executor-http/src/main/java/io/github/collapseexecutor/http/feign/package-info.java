/**
 * Collapsing for Feign, by a {@code Client} that wraps one, {@link io.github.collapseexecutor.http.feign.CollapseFeignClient},
 * or by a {@code Capability} that wraps the one of each Feign client,
 * {@link io.github.collapseexecutor.http.feign.CollapseFeignCapability}.
 *
 * <p>Works with Feign 13; Spring is not needed.
 */
@NullMarked
package io.github.collapseexecutor.http.feign;

import org.jspecify.annotations.NullMarked;
