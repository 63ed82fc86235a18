package io.github.collapseexecutor.sample.groupcommit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Lazy;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

/** The disks under which the shop is to be measured, and what puts the database on one of them. */
@Component
@Lazy
class Disks {

    private static final Set<String> WITH_SETTINGS = Set.of("MariaDB", "MySQL");

    // immutable
    private final JdbcTemplate jdbc;
    private final boolean embedded;
    private final SlowDisk slowDisk;
    private final List<Disk> all;

    Disks(
            JdbcTemplate jdbc,
            ObjectProvider<EmbeddedMariaDb> embedded,
            SlowDisk slowDisk,
            @Value("${load.durability:}") String durability,
            @Value("${load.sync-delay:0ms}") Duration[] syncDelays) {
        this.jdbc = jdbc;
        this.embedded = embedded.getIfAvailable() != null;
        this.slowDisk = slowDisk;
        List<Durability> durabilities = Durability.parse(durability);
        if (this.embedded && durabilities.isEmpty()) {
            durabilities = List.of(Durability.STRICT);
        } else if (!this.embedded) {
            durabilities.forEach(this::check);
        }
        all = disks(durabilities, syncDelays);
    }

    /** A commit that does not sync does not meet the slow disk, so that it is measured on the fast one only. */
    private static List<Disk> disks(List<Durability> durabilities, Duration[] syncDelays) {
        List<Disk> disks = new ArrayList<>();
        for (Duration syncDelay : syncDelays) {
            if (syncDelay.isNegative() || syncDelay.compareTo(Duration.ofSeconds(1)) > 0) {
                throw new IllegalArgumentException(
                        "load.sync-delay holds " + syncDelay.toMillis() + " ms: each must be from 0ms to 1s");
            }
            if (durabilities.isEmpty()) {
                disks.add(new Disk(null, syncDelay));
            }
            for (Durability durability : durabilities) {
                disks.add(new Disk(durability, durability.syncsEachCommit() ? syncDelay : Duration.ZERO));
            }
        }
        if (disks.isEmpty()) {
            throw new IllegalArgumentException("load.sync-delay is empty: name at least one, such as 0ms");
        }
        return disks.stream().distinct().toList();
    }

    List<Disk> all() {
        return all;
    }

    /** Has every commit from now on wait for that disk. */
    void use(Disk disk) {
        Durability durability = disk.durability();
        if (embedded && durability != null) {
            durability.variables().forEach((name, value) -> jdbc.execute("SET GLOBAL " + name + " = " + value));
        }
        if (durability != null) {
            check(durability);
        }
        slowDisk.delay(disk.syncDelay());
    }

    private void check(Durability durability) {
        String product = product();
        if (!WITH_SETTINGS.contains(product)) {
            throw new IllegalArgumentException("load.durability is " + durability.title() + ", but " + product
                    + " has no such setting: leave it out, or choose --spring.profiles.active=mariadb");
        }
        TreeMap<String, Integer> variables = new TreeMap<>(durability.variables());
        variables.put("log_bin", 1);
        variables.forEach((name, value) -> {
            Integer there = jdbc.queryForObject("SELECT @@" + name, Integer.class);
            if (!value.equals(there)) {
                throw new IllegalArgumentException("load.durability is " + durability.title()
                        + ", but the server has " + name + " = " + there + ": set it to " + value
                        + " there, or choose the load.durability that it has");
            }
        });
    }

    private String product() {
        return String.valueOf(jdbc.execute((ConnectionCallback<String>)
                connection -> connection.getMetaData().getDatabaseProductName()));
    }
}
