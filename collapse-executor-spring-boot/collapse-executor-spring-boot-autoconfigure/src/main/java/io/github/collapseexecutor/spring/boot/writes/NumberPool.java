package io.github.collapseexecutor.spring.boot.writes;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.Credentials;
import io.github.collapseexecutor.spring.boot.config.InvalidCollapsePropertyException;
import java.lang.reflect.Method;
import java.sql.SQLException;
import java.util.Set;
import javax.sql.DataSource;
import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.util.ClassUtils;

/**
 * The connections that numbers are taken with, apart from those of the application's data source: a caller that holds one of those while
 * it waits for a number would else keep it from the callers in front of it, so that a pool could run dry for good.
 */
record NumberPool(DataSource connections, boolean own) {

    private static final String HIKARI = "com.zaxxer.hikari.HikariDataSource";

    /** Refuses a size that no pool can have. */
    static void check(String property, int size) {
        if (size < 0) {
            throw new InvalidCollapsePropertyException(
                    property,
                    size,
                    "it must not be negative",
                    "Set it to 1 or more, or to 0 to use the data source itself.");
        }
    }

    /**
     * Makes a pool of the same database, which connects when it is used.
     *
     * @param original the application's data source
     * @param property the property that says how large the pool is
     * @param size connections at most; with 0, those of the application's data source are used
     * @return the pool
     */
    static NumberPool of(DataSource original, String property, int size) {
        return size == 0 ? new NumberPool(original, false) : new NumberPool(copy(original, property, size), true);
    }

    private static DataSource copy(DataSource original, String property, int size) {
        boolean hikari = ClassUtils.isPresent(HIKARI, NumberPool.class.getClassLoader());
        try {
            return hikari
                    ? HikariPool.of(original, size)
                    : DataSourceBuilder.derivedFrom(original).build();
        } catch (RuntimeException e) {
            throw new InvalidCollapsePropertyException(
                    property,
                    size,
                    "a pool like that of " + original.getClass().getName() + " cannot be made (" + e.getMessage() + ")",
                    "Give the sequences a data source of their own, by collapse.executor.sequences.data-source, and set "
                            + property + " to 0.",
                    e);
        }
    }

    /** Apart, because an application may be without HikariCP. */
    private static final class HikariPool {

        private HikariPool() {}

        /** What a class of the application's own may answer otherwise than the configuration that is copied, say by a token that expires. */
        private static final Set<String> ASKED =
                Set.of("getConnection", "getCredentials", "getUsername", "getPassword", "getJdbcUrl", "getDataSource");

        private static void refuseOwn(DataSource original) throws SQLException {
            if (!original.isWrapperFor(HikariDataSource.class)) {
                return;
            }
            Class<?> type = ClassUtils.getUserClass(original.unwrap(HikariDataSource.class));
            for (Method method : type.getMethods()) {
                if (ASKED.contains(method.getName())
                        && !method.getDeclaringClass().getName().startsWith("com.zaxxer.hikari.")) {
                    throw new IllegalStateException(
                            type.getName() + " has a " + method.getName() + " of its own, which a copy would not have");
                }
            }
        }

        static DataSource of(DataSource original, int size) {
            try {
                refuseOwn(original);
            } catch (SQLException unknown) {
                // It does not tell what it wraps.
            }
            HikariDataSource pool;
            if (original instanceof HikariDataSource configured) {
                HikariConfig copy = new HikariConfig();
                configured.copyStateTo(copy);
                pool = new WithCredentialsOf(configured);
                copy.copyStateTo(pool);
            } else {
                pool = DataSourceBuilder.derivedFrom(original)
                        .type(HikariDataSource.class)
                        .build();
            }
            pool.setPoolName("collapse-sequences");
            pool.setMaximumPoolSize(size);
            pool.setMinimumIdle(0);
            return pool;
        }
    }

    /** Logs in as the original does at the time: its password may be changed while the application runs. */
    private static final class WithCredentialsOf extends HikariDataSource {

        // immutable
        private final HikariDataSource original;

        WithCredentialsOf(HikariDataSource original) {
            this.original = original;
        }

        @Override
        public Credentials getCredentials() {
            return original.getCredentials();
        }
    }

    /** Closes the connections, unless they are those of the application's data source. */
    void close() throws Exception {
        if (own && connections instanceof AutoCloseable pool) {
            pool.close();
        }
    }
}
