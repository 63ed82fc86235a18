/**
 * A simulation of many instances that share calls through one Redis: what no test machine can run. It follows {@code shared-call.lua},
 * {@code ClusterWaiter}, {@code Subscriptions} and {@code Breaker}; the tests compare its counts of commands with those of a real Redis.
 */
@NullMarked
package io.github.collapseexecutor.cluster.simulation;

import org.jspecify.annotations.NullMarked;
