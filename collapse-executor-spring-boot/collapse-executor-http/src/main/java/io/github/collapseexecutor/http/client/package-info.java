/**
 * Collapsing for Spring's blocking HTTP clients, {@code RestTemplate} and {@code RestClient}: by the request factory of a
 * client, {@link io.github.collapseexecutor.http.client.CollapseClientHttpRequestFactory}, or by its last interceptor,
 * {@link io.github.collapseexecutor.http.client.CollapseHttpRequestInterceptor}.
 *
 * <p>Works with Spring Framework 6.2 and 7.0.
 */
@NullMarked
package io.github.collapseexecutor.http.client;

import org.jspecify.annotations.NullMarked;
