package io.github.collapseexecutor.spring.annotation.method;

import io.github.collapseexecutor.core.LocalResult;
import org.jspecify.annotations.Nullable;

/**
 * How a call has ended that is the business of one instance: the others are not told.
 *
 * @param answer what the callers get, if there is no failure
 * @param failure what it failed with, else null
 */
record OfOneInstance(@Nullable Object answer, @Nullable Throwable failure) implements LocalResult {}
