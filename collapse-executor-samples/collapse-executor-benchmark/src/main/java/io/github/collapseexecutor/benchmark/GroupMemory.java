package io.github.collapseexecutor.benchmark;

import io.github.collapseexecutor.core.BlockingCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.JoinMode;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.ref.Reference;

/** What very many groups, one after another, leave behind on the heap. */
final class GroupMemory {

    private static final MemoryMXBean MEMORY = ManagementFactory.getMemoryMXBean();
    private static final int COLLECTIONS = 5;

    private GroupMemory() {}

    /** Bytes of heap in use, before a lone call of each of so many groups and after. */
    record Use(long before, long after) {

        long growth() {
            return after - before;
        }
    }

    static Use of(JoinMode mode, int groups) throws Exception {
        BlockingCallableGroupCollapseExecutor executor = new BlockingCallableGroupCollapseExecutor(
                CollapseOptions.builder().joinMode(mode).build());
        try {
            call(executor, groups / 10); // loads classes and fills caches, which would be taken for groups
            long before = used();
            call(executor, groups);
            return new Use(before, used());
        } finally {
            Reference.reachabilityFence(executor);
        }
    }

    private static void call(BlockingCallableGroupCollapseExecutor executor, int groups) throws Exception {
        for (int i = 0; i < groups; i++) {
            String group = "product " + i;
            if (!group.equals(executor.execute(group, () -> group))) {
                throw new IllegalStateException(group + " got the answer of another group");
            }
        }
    }

    private static long used() {
        // The smallest of several: not all that is garbage is gone after one collection.
        long used = Long.MAX_VALUE;
        for (int i = 0; i < COLLECTIONS; i++) {
            MEMORY.gc();
            used = Math.min(used, MEMORY.getHeapMemoryUsage().getUsed());
        }
        return used;
    }
}
