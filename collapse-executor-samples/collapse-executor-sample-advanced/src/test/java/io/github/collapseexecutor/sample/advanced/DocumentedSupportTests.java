package io.github.collapseexecutor.sample.advanced;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.collapseexecutor.core.BlockingCollapseExecutor;
import io.github.collapseexecutor.core.FutureCollapseExecutor;
import io.github.collapseexecutor.core.UnboundOutputException;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The skeletons of the documentation compile as they are printed, and even unfinished they leave nobody waiting. */
class DocumentedSupportTests {

    private static final String CLASS_NAME = "CustomBlockingCollapseExecutor";

    @TempDir
    Path folder;

    @Test
    void blockingSkeletonTellsItsCallerThatNothingWasBound() throws Exception {
        BlockingCollapseExecutor<Long, UserEntity> executor =
                blocking(PrintedSource.newInstance(folder, "blocking-support.java.txt", CLASS_NAME));
        assertThatThrownBy(() -> executor.execute(1L)).isInstanceOf(UnboundOutputException.class);
    }

    @Test
    void asyncSkeletonGivesItsCallerWhatBindingThrew() throws Exception {
        FutureCollapseExecutor<Long, UserEntity> executor =
                future(PrintedSource.newInstance(folder, "async-support.java.txt", CLASS_NAME));
        assertThat(executor.execute(1L))
                .failsWithin(2, TimeUnit.MINUTES)
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(NullPointerException.class);
    }

    @SuppressWarnings("unchecked") // as the printed class declares
    private static BlockingCollapseExecutor<Long, UserEntity> blocking(Object executor) {
        return (BlockingCollapseExecutor<Long, UserEntity>) executor;
    }

    @SuppressWarnings("unchecked") // as the printed class declares
    private static FutureCollapseExecutor<Long, UserEntity> future(Object executor) {
        return (FutureCollapseExecutor<Long, UserEntity>) executor;
    }
}
