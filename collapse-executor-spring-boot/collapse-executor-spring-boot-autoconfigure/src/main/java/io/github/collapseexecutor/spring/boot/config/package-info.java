/**
 * The properties below {@code collapse.executor}, the options that are read from them, and the messages about wrong ones. It knows no other
 * package of this module.
 *
 * <p>Internal: its public types are for the other packages of this module, and no bundle exports it.
 *
 * <p>No parameter, field or result is null unless it is annotated {@link org.jspecify.annotations.Nullable}.
 */
@NullMarked
package io.github.collapseexecutor.spring.boot.config;

import org.jspecify.annotations.NullMarked;
