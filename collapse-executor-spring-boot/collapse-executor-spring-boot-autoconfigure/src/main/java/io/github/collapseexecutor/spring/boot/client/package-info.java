/**
 * Clients: {@code RestTemplate}, {@code RestClient}, {@code WebClient} and groups of HTTP interfaces, by the names of their beans.
 *
 * <p>Internal: its public types are for the other packages of this module, and no bundle exports it.
 *
 * <p>No parameter, field or result is null unless it is annotated {@link org.jspecify.annotations.Nullable}.
 */
@NullMarked
package io.github.collapseexecutor.spring.boot.client;

import org.jspecify.annotations.NullMarked;
