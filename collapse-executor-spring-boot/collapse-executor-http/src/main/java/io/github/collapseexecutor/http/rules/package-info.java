/**
 * When may one HTTP response answer several requests? The rules, once, for every HTTP adapter of this project, without a
 * framework, I/O or threads.
 *
 * <p>RFC 9111 section 4 lets one response satisfy several requests where it may be reused for each of them; the others
 * must be forwarded. So it is decided twice: {@code SharingRules} guesses from the request
 * whether it may share a call, and with which others (its {@link io.github.collapseexecutor.http.rules.RequestKey}), and decides
 * from the response's header whether this response may be shared. A request that may not share is <em>forwarded</em>: it
 * is sent as its own call. It is never failed for that, and never answered with another's data.
 *
 * <p>Adapters show requests and responses by {@link io.github.collapseexecutor.http.rules.HttpRequestView} and
 * {@link io.github.collapseexecutor.http.rules.HttpResponseView}.
 */
@NullMarked
package io.github.collapseexecutor.http.rules;

import org.jspecify.annotations.NullMarked;
