package io.github.collapseexecutor.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.JoinMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Groups that are over take no memory. */
class GroupMemoryTests {

    @ParameterizedTest
    @EnumSource
    void groupsLeaveNothingBehind(JoinMode mode) throws Exception {
        int groups = 100_000;
        // A group that stayed would take more than 100 bytes. Other tests of this JVM may leave some 100 kB meanwhile.
        assertThat(GroupMemory.of(mode, groups).growth()).isLessThan(50L * groups);
    }
}
