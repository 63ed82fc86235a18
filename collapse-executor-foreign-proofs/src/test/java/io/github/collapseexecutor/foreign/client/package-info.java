/** Interceptors, filters and libraries that call, on both sides of the adapters. */
@NullMarked
package io.github.collapseexecutor.foreign.client;

import org.jspecify.annotations.NullMarked;
