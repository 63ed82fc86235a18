/**
 * The parts of a request or response as the rules compare them: header sections, names of headers, addresses and paths. Knows none of the
 * other packages. Public for other packages of the library only.
 */
@NullMarked
package io.github.collapseexecutor.http.message;

import org.jspecify.annotations.NullMarked;
