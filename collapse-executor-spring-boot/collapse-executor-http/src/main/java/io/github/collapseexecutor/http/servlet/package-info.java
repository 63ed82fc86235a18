/**
 * Collapsing for what a server answers, by one Servlet filter:
 * {@link io.github.collapseexecutor.http.servlet.CollapseServletFilter}.
 *
 * <p>Works with Servlet 6.0 and 6.1; Spring is not needed.
 */
@NullMarked
package io.github.collapseexecutor.http.servlet;

import org.jspecify.annotations.NullMarked;
