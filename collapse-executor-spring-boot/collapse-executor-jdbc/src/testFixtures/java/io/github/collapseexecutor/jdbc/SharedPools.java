package io.github.collapseexecutor.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import java.util.EnumMap;
import java.util.Map;

/** One small pool for each database, for all tests that need no pool of their own. */
final class SharedPools {

    private static final int CONNECTIONS = 4;

    private static final Map<Database, HikariDataSource> POOLS = new EnumMap<>(Database.class);

    private SharedPools() {}

    static synchronized HikariDataSource of(Database database) {
        return POOLS.computeIfAbsent(database, target -> target.pool(CONNECTIONS));
    }
}
