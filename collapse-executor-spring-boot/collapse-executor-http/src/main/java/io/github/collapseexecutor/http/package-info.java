/**
 * When may one HTTP response answer several requests? The rules, once, for every HTTP adapter of this project, without a
 * framework.
 *
 * <p>RFC 9111 section 4 lets one response satisfy several requests where it may be reused for each of them; the others
 * must be forwarded. So it is decided twice: {@link io.github.collapseexecutor.http.SharingRules} guesses from the request
 * whether it may share a call, and with which others (its {@link io.github.collapseexecutor.http.RequestKey}), and decides
 * from the response's header whether this response may be shared. A request that may not share is <em>forwarded</em>: it
 * is sent as its own call. It is never failed for that, and never answered with another's data.
 *
 * <p>Configuration: {@link io.github.collapseexecutor.http.HttpCollapseOptions} holds rules; a
 * {@link io.github.collapseexecutor.http.CollapseRule} applies one
 * {@link io.github.collapseexecutor.http.CollapsePolicy} to the paths that its
 * {@link io.github.collapseexecutor.http.UriPattern}s match. No rule, no collapsing.
 *
 * <p>No parameter, return value or field is null unless it is marked {@code @Nullable}; a null argument is refused with a
 * {@link java.lang.NullPointerException}. No exception message holds a URL, a header value, a key or a body of a request.
 */
@NullMarked
package io.github.collapseexecutor.http;

import org.jspecify.annotations.NullMarked;
