package io.github.collapseexecutor.sample.groupcommit;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** How much of its logs a MariaDB or MySQL has on the disk when a commit returns. */
enum Durability {
    /** Both logs are synced with every commit: nothing is lost when the power fails. */
    STRICT(1, 1),

    /** The redo log is written with every commit and synced each second, the binary log after 1 000 groups of commits. */
    RELAXED(2, 1_000),

    /** The redo log is written each second, the binary log is synced when the operating system chooses to. */
    WRITE_OPTIMIZED(0, 0);

    // immutable
    private final int flushLogAtCommit;
    private final int syncBinlog;

    Durability(int flushLogAtCommit, int syncBinlog) {
        this.flushLogAtCommit = flushLogAtCommit;
        this.syncBinlog = syncBinlog;
    }

    /**
     * Reads the setting {@code load.durability}.
     *
     * @param value names with commas between, {@code both} for the first two; or blank
     * @return the settings to be compared, in the order given; none if blank
     * @throws IllegalArgumentException if it holds another name
     */
    static List<Durability> parse(String value) {
        if (value.isBlank()) {
            return List.of();
        }
        List<Durability> parsed = new ArrayList<>();
        for (String name : value.split(",", -1)) {
            if (name.strip().equals("both")) {
                parsed.addAll(List.of(STRICT, RELAXED));
            } else {
                parsed.add(named(name.strip(), value));
            }
        }
        return parsed.stream().distinct().toList();
    }

    private static Durability named(String name, String value) {
        for (Durability durability : values()) {
            if (durability.title().equals(name)) {
                return durability;
            }
        }
        throw new IllegalArgumentException("load.durability is \"" + value
                + "\": it must be strict, relaxed or write-optimized, several of them with commas between, or both for the"
                + " first two");
    }

    /** The name by which the setting has it. */
    String title() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Whether a commit waits for the disk. */
    boolean syncsEachCommit() {
        return this == STRICT;
    }

    /** The server's variables and their values. */
    Map<String, Integer> variables() {
        return Map.of("innodb_flush_log_at_trx_commit", flushLogAtCommit, "sync_binlog", syncBinlog);
    }

    @Override
    public String toString() {
        return title() + " (" + flushLogAtCommit + "/" + syncBinlog + ")";
    }
}
