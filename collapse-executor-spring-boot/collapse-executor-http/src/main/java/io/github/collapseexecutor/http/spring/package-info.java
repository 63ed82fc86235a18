/**
 * What the adapters of Spring's clients and of its reactive server have in common.
 *
 * <p>Internal: its public types are for other packages of the library, and no bundle exports it.
 */
@NullMarked
package io.github.collapseexecutor.http.spring;

import org.jspecify.annotations.NullMarked;
