/** Calls that instances share through servers of Redis, and through clients, of many kinds, while something happens to the servers. */
@NullMarked
package io.github.collapseexecutor.foreign.redis;

import org.jspecify.annotations.NullMarked;
