/**
 * The parts of a request or response as the rules compare them: header sections, names of headers, addresses and paths. Knows none of the
 * other packages.
 *
 * <p>Internal: its public types are for other packages of the library, and no bundle exports it.
 */
@NullMarked
package io.github.collapseexecutor.http.message;

import org.jspecify.annotations.NullMarked;
