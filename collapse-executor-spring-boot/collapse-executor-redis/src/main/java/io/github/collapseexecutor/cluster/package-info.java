/**
 * One call for all instances of an application: they share the calls that each of them has gathered, through Redis.
 *
 * <p>{@link io.github.collapseexecutor.cluster.ClusterCalls} is what callers use. It wraps the call that is given to an executor of
 * the core. Needs spring-data-redis and Lettuce; Redis 6, Valkey, Redis Cluster and Sentinel come by their configuration.
 *
 * <p>No parameter, return value or field is null unless it is marked {@code @Nullable}; a null argument is refused with a
 * {@link java.lang.NullPointerException} that names it.
 */
@NullMarked
package io.github.collapseexecutor.cluster;

import org.jspecify.annotations.NullMarked;
