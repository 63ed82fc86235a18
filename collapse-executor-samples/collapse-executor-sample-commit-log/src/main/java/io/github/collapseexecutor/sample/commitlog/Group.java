package io.github.collapseexecutor.sample.commitlog;

import java.util.List;

/**
 * Records that go through the sync and commit stages together.
 *
 * @param entries in order of their LSNs, without gaps
 */
record Group(List<Entry> entries) {

    static final Group EMPTY = new Group(List.of());

    /** Joins groups that come one after another. */
    static Group joined(List<Group> groups) {
        if (groups.size() == 1) {
            return groups.get(0);
        }
        return new Group(
                groups.stream().flatMap(group -> group.entries.stream()).toList());
    }

    /** The LSN of the last record; 0, which no record has, if there is none. */
    long lastLsn() {
        return entries.isEmpty() ? 0 : entries.get(entries.size() - 1).lsn();
    }
}
