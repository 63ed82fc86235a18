/**
 * Spring Boot auto-configuration: {@code collapse.executor.*} in {@code application.yaml} sets up the HTTP adapters, on
 * Spring Boot 3.5 and 4.x.
 *
 * <p>No parameter, field or result is null unless it is annotated {@link org.jspecify.annotations.Nullable}.
 */
@NullMarked
package io.github.collapseexecutor.spring.boot;

import org.jspecify.annotations.NullMarked;
