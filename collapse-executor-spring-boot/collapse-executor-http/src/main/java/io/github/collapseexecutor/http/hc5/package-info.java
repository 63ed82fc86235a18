/**
 * Collapsing for Apache HttpClient 5, by one element of its execution chain:
 * {@link io.github.collapseexecutor.http.hc5.CollapseExecChainHandler}.
 *
 * <p>Works with HttpClient 5.4 and newer; Spring is not needed.
 */
@NullMarked
package io.github.collapseexecutor.http.hc5;

import org.jspecify.annotations.NullMarked;
