/**
 * Collapsing for what a reactive server answers, by one web filter:
 * {@link io.github.collapseexecutor.http.webflux.CollapseWebFilter}.
 *
 * <p>Works with Spring WebFlux of Spring Framework 6.2 and 7.0, on any of its servers.
 */
@NullMarked
package io.github.collapseexecutor.http.webflux;

import org.jspecify.annotations.NullMarked;
