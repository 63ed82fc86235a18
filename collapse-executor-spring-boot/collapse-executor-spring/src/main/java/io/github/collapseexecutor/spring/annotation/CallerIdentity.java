package io.github.collapseexecutor.spring.annotation;

import org.jspecify.annotations.Nullable;

/**
 * Tells callers apart that pass equal arguments: by the tenant or the locale of their thread, for example. Every bean of this type
 * is asked, beside Spring Security's current user, for each call of an annotated method. {@code acrossUsers = true} leaves out that user,
 * but not these beans.
 *
 * <pre>{@code
 * @Bean
 * CallerIdentity tenant() {
 *     return TenantHolder::currentTenant;
 * }
 * }</pre>
 */
@FunctionalInterface
public interface CallerIdentity {

    /**
     * Returns what only callers that may share have in common. Called on the thread of the caller.
     *
     * @return an object with {@code equals} and {@code hashCode}; null is a value like any other. Calls that are shared with other
     *     instances need one with a {@linkplain KeyForm form}
     */
    @Nullable Object current();
}
