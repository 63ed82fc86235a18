/** Collapses the requests of Spring's {@code WebClient}. */
@NullMarked
package io.github.collapseexecutor.http.reactive;

import org.jspecify.annotations.NullMarked;
