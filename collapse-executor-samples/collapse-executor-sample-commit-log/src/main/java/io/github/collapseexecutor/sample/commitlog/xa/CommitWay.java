package io.github.collapseexecutor.sample.commitlog.xa;

/** How the commits of concurrent transactions get through both logs. */
public enum CommitWay {
    /** One transaction at a time, from prepare to commit, under a mutex: MySQL before 5.6. */
    SERIALIZED("serialized") {
        @Override
        CommitPath path(CommitSteps steps) {
            return new SerializedCommits(steps);
        }
    },
    /** Three stages; each transaction writes and syncs its own prepare before it enters the first: MySQL 5.6. */
    NATIVE("native") {
        @Override
        CommitPath path(CommitSteps steps) {
            return new StagedCommits(steps, false);
        }
    },
    /** Three stages; the first writes and syncs the redo log once for its group, up to the largest LSN: seed 003, MySQL 5.7. */
    GROUPED_REDO("grouped redo") {
        @Override
        CommitPath path(CommitSteps steps) {
            return new StagedCommits(steps, true);
        }
    };

    // immutable
    final String label;

    CommitWay(String label) {
        this.label = label;
    }

    abstract CommitPath path(CommitSteps steps);
}
