/**
 * Collapsing for OkHttp, by one application interceptor:
 * {@link io.github.collapseexecutor.http.okhttp.CollapseOkHttpInterceptor}.
 *
 * <p>Works with OkHttp 5.4 and newer; Spring is not needed.
 */
@NullMarked
package io.github.collapseexecutor.http.okhttp;

import org.jspecify.annotations.NullMarked;
