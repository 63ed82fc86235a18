/**
 * Collapsing for the JDK's {@code java.net.http.HttpClient}, by a client that wraps one:
 * {@link io.github.collapseexecutor.http.jdk.CollapseHttpClient}.
 *
 * <p>Spring is not needed.
 */
@NullMarked
package io.github.collapseexecutor.http.jdk;

import org.jspecify.annotations.NullMarked;
