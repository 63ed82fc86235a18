/**
 * What of HTTP is collapsed: {@link io.github.collapseexecutor.http.HttpCollapseOptions} holds rules; a
 * {@link io.github.collapseexecutor.http.CollapseRule} applies one
 * {@link io.github.collapseexecutor.http.CollapsePolicy} to the paths that its
 * {@link io.github.collapseexecutor.http.UriPattern}s match. No rule, no collapsing.
 *
 * <p>The packages {@code rules} and {@code call} below decide and act, without a framework; the others connect them to one client or server each.
 *
 * <p>No parameter, return value or field is null unless it is marked {@code @Nullable}; a null argument is refused with a
 * {@link java.lang.NullPointerException}. No exception message holds a URL, a header value, a key or a body of a request.
 */
@NullMarked
package io.github.collapseexecutor.http;

import org.jspecify.annotations.NullMarked;
